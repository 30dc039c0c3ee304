import { NO_BODY, NO_SLOT } from '../base/ids.ts';
import type { PeerState } from './peer-state.ts';
import { NONE_REFUSED, note } from './peer-state.ts';

/** The scene begins anew under a reset number: what was said and what waits from before counts no more. */
export function restartScene(peer: PeerState, reset: number): void {
  peer.reset = reset;
  peer.bodies.putAllAtStart();
  peer.relay.clear();
  peer.giving.clear();
  peer.lastWord.fill(-1);
  peer.lastRefused.fill(NONE_REFUSED);
  peer.collidedUntil.fill(0);
  peer.thrownUntil.fill(0);
  for (const { stream, avatar } of peer.authors) {
    stream.drop();
    for (const hand of avatar.hands) hand.reach = NO_BODY;
  }
  note(peer, 'reset', '', NO_BODY, NO_SLOT);
}
