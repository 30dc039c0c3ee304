import { shiftOf } from '../driven/author-time.ts';
import { DRIVE_STEPS } from '../driven/drive-clock.ts';
import { rideAvatars } from '../driven/ride-avatars.ts';
import type { PeerState } from '../peer-state.ts';

/** Moves on by a tick what other players' packets brought: poses, events, and the room's time. */
export function advanceAuthors(peer: PeerState): void {
  const { authors, bodies, tick, self, shared } = peer;
  for (const author of authors) author.stream.advance(tick);
  // [E1] Values of bodies that have gone end, too.
  shared?.giveOut(self, tick);
  if (bodies.driven.count === 0) return;
  const target = targetOf(peer);
  if (target !== null) bodies.driven.advance(target);
  authors[self].shift = shiftOf(tick, bodies.driven.clock.time);
  rideAvatars(peer);
}

/**
 * [K1.2] The room's time that this peer is to have, in steps. A guest takes the host's time at the moment that it
 * shows, so that things are seen to touch the host's driven bodies where they did. Null on a guest that does not know
 * it yet.
 */
function targetOf({ authors, bodies, policy, host }: PeerState): number | null {
  if (policy.isHost) return bodies.driven.clock.time + DRIVE_STEPS;
  const { stream, time } = authors[host];
  return stream.clock.running && time.isKnown ? time.at(stream.clock.position) : null;
}
