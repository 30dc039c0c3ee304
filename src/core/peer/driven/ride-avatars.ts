import { addScaled, copyVector, vector } from '../../base/math.ts';
import type { Author } from '../author.ts';
import type { PeerState } from '../peer-state.ts';
import { DRIVE_STEPS } from './drive-clock.ts';
import { fade, rideTo } from './ride.ts';

/**
 * [K2.1] The room's time that a player saw, in steps, when its head and hands were where they are at this moment: its
 * picture showed the tick before.
 */
function seenAt({ time }: Author, moment: number): number {
  return time.at(moment) - DRIVE_STEPS;
}

/** Once a tick: moves the head and the hands of each other player, and what they carry, along with what carries the player. */
export function rideAvatars(peer: PeerState): void {
  for (const author of peer.authors) {
    const { stream, time, ride } = author;
    if (!stream.hasAvatar || !time.isKnown) ride.ticks = ride.share = 0;
    else if (stream.isShownAnew) rideAvatar(peer, author);
  }
}

function rideAvatar({ bodies, rate }: PeerState, author: Author): void {
  const { stream, ride } = author;
  const { carriers } = bodies.riding;
  const { head, hands } = stream.shown;
  ride.time = seenAt(author, stream.shownMoment);
  addScaled(head.position, ride.head, -1, velocity);
  velocity.x *= rate;
  velocity.y *= rate;
  velocity.z *= rate;
  copyVector(head.position, ride.head);
  if (ride.ticks > 0)
    fade(ride, carriers.find(ride.time, head.position, velocity), ride.ticks === 1, 1 / rate);
  ride.ticks = Math.min(2, ride.ticks + 1);
  if (ride.share === 0) return;
  const to = bodies.driven.clock.time;
  rideTo(carriers, ride, ride.time, to, head);
  for (const hand of hands) {
    if (!hand.tracked) continue;
    rideTo(carriers, ride, ride.time, to, hand.pose);
    rideTo(carriers, ride, ride.time, to, hand.carriedPose);
  }
}

/**
 * The same for what is drawn between two ticks, on the curve through a player's samples.
 * @param moment of the player, in its ticks. @param alpha 0: the tick before; 1: the present tick.
 */
export function rideBetween({ bodies }: PeerState, author: Author, moment: number, alpha: number): void {
  const { ride, stream } = author;
  if (ride.share === 0) return;
  const { clock, timeBefore } = bodies.driven;
  const to = timeBefore + (clock.time - timeBefore) * alpha;
  const from = seenAt(author, moment);
  const { head, hands } = stream.drawn;
  rideTo(bodies.riding.carriers, ride, from, to, head);
  for (const hand of hands) rideTo(bodies.riding.carriers, ride, from, to, hand);
}

/** Work space of single calls. */
const velocity = vector();
