import { RETURN_AFTER_SECONDS, ticksIn } from '../../base/constants.ts';
import { NO_BODY } from '../../base/ids.ts';
import { giveBack, mayReturn } from '../../world/authority.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';

/** [A7.2] Gives back the bodies that have rested long enough; a guest stops simulating them. */
export function returnRested(peer: PeerState): void {
  const { records, simulatedHere } = peer.bodies;
  const { isHost } = peer.policy;
  const after = ticksIn(RETURN_AFTER_SECONDS, peer.rate);
  const { owned } = records;
  for (let body = owned.next(NO_BODY); body !== NO_BODY; body = owned.next(body)) {
    if (records.authority[body] !== peer.self || !mayReturn(records, body, after)) continue;
    giveBack(records, body, isHost);
    if (!isHost) for (const part of records.islands.parts[body]) simulatedHere[part] = 0;
    logEvent(peer, 'return', 'A7', body, peer.self);
  }
}
