import type { BodyId } from '../../base/ids.ts';
import { isOut } from '../../base/motion.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';

/** [R4.1] Own bodies that left the world go back to their start, others to their record. */
export function putBackStrays(peer: PeerState): void {
  const { bodies } = peer;
  for (let i = 0; i < bodies.count; i++) {
    const body = i as BodyId;
    if (bodies.kinematic.has(body) || !isOut(bodies.motion, body)) continue;
    if (bodies.simulatedHere[body] === 0) {
      bodies.putBackToRecord(body);
      continue;
    }
    bodies.putBackToStart(body);
    logEvent(peer, 'put back', 'R4', body, peer.self);
  }
}
