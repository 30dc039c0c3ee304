import type { PeerState } from '../peer-state.ts';
import type { SharedWorld } from './shared-world.ts';
import { endValuesOfGone } from './shared-writes.ts';

/** Moves on by one tick, when the poses of that tick are due: gives out its events, and ends the values of bodies that have gone. */
export function advanceShared(peer: PeerState, shared: SharedWorld): void {
  shared.giveOut(peer.self, peer.tick);
  if (peer.policy.isHost) endValuesOfGone(peer, shared);
}
