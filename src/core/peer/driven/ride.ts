import type { Pose, Vector } from '../../base/math.ts';
import { lerpPose, pose, vector } from '../../base/math.ts';
import type { Carriers } from './carriers.ts';
import { NO_CARRIER } from './carriers.ts';

/** Seconds over which a thing that gets on or off a driven body fades between the world's frame and the body's. */
const FADE_SECONDS = 0.5;

/** [K2.3] How far a thing of another player rides on a driven body: it fades in and out, so that nothing jumps. */
export type Ride = {
  /** The driven body, or NO_CARRIER. */
  carrier: number;
  /** 0 to 1. */
  share: number;
  /** The room's time as its player had it with what is shown, in steps. */
  time: number;
};

/** A thing that rides on nothing. */
export function noRide(): Ride {
  return { carrier: NO_CARRIER, share: 0, time: 0 };
}

/** [K2] How another player rides: by its head, since hands reach beyond what one stands on. */
export type AvatarRide = Ride & {
  /** Where its player had the head in the tick before. */
  readonly head: Vector;
  /** Ticks for which the head was shown, up to 2: its speed is known from the second one on. */
  ticks: number;
};

/** The ride of a player of whom nothing is shown yet. */
export function avatarRide(): AvatarRide {
  return { ...noRide(), head: vector(), ticks: 0 };
}

/**
 * A thing is found to be carried by a driven body, or by none.
 * @param isNew true if nothing was shown of it before: it does not fade.
 * @param seconds since it was found last.
 */
export function fade(ride: Ride, carrier: number, isNew: boolean, seconds: number): void {
  const step = isNew ? 1 : seconds / FADE_SECONDS;
  if (carrier !== NO_CARRIER && (ride.share === 0 || isNew)) ride.carrier = carrier;
  const rides = carrier !== NO_CARRIER && carrier === ride.carrier;
  ride.share = rides ? Math.min(1, ride.share + step) : Math.max(0, ride.share - step);
}

/** [K2.5] A part of an island rides on what carries the island's lowest part. @param other null if that rides on nothing. */
export function rideWith(ride: Ride, other: Readonly<Ride> | null): void {
  ride.carrier = other === null ? NO_CARRIER : other.carrier;
  ride.share = other === null ? 0 : other.share;
}

/** Moves a pose along with what carries it. @returns out, which may be `at`. */
export function rideTo(
  carriers: Carriers,
  { carrier, share }: Ride,
  from: number,
  to: number,
  at: Pose,
): Pose {
  if (share === 0) return at;
  carriers.move(carrier, from, to, at, ridden);
  return lerpPose(at, ridden, share, at);
}

const ridden = pose();
