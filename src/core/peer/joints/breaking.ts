import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import { loadOf } from '../../world/joints/tears.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatesEnds } from './joint-writers.ts';
import { untie } from './untying.ts';

/**
 * [J6] Breaks the joints of this peer's bodies that bear more than the force at which they break. Call it after the
 * step.
 */
export function breakOverloaded(peer: PeerState): void {
  const { bodies, shared } = peer;
  if (shared === null) return;
  const { joints, isGone } = bodies.records.islands;
  let broken: number[] | null = null;
  for (let joint = 0; joint < shared.layout.joints; joint++) {
    if (isGone[joint] === 1 || joints[joint].breaksAt === undefined) continue;
    if (!simulatesEnds(peer, joint, peer.self) || loadOf(joints[joint], bodies.motion) <= 1) continue;
    const { body } = joints[joint].ends[joints[joint].ends[0].body === null ? 1 : 0];
    logEvent(peer, 'break', 'J6', (body ?? NO_BODY) as BodyId, peer.self);
    (broken ??= []).push(joint);
  }
  if (broken !== null) untie(peer, broken);
}
