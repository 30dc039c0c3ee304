import type { BodyId, Slot } from '../../base/ids.ts';
import { canGo } from '../../world/joints/joint.ts';
import { MOST_TEAR, tearOfJoint } from '../../world/joints/tears.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatorOf } from '../simulator.ts';

/**
 * Metres by which the host lets a joint be torn that a guest mends: it sees the two bodies late. The guest itself mends
 * only what fits.
 */
const MOST_APART = MOST_TEAR + 0.5;

/** [J4.3] True if a player simulates both ends of a joint that can go, and there is a body at each. */
export function simulatesEnds(peer: PeerState, joint: number, slot: Slot): boolean {
  const { joints } = peer.bodies.records.islands;
  const isOf = (body: number | null): boolean =>
    body === null || (peer.bodies.has(body as BodyId) && simulatorOf(peer, body as BodyId) === slot);
  return canGo(joints[joint]) && isOf(joints[joint].ends[0].body) && isOf(joints[joint].ends[1].body);
}

/** [J4.3] True if a player may remove a joint, or say that it is broken; or mend it, if it is gone. */
export function mayChange(peer: PeerState, joint: number, slot: Slot): boolean {
  if (!simulatesEnds(peer, joint, slot)) return false;
  const { joints, isGone } = peer.bodies.records.islands;
  if (isGone[joint] === 0) return true;
  return joints[joint].removable === true && tearOfJoint(joints[joint], peer.bodies.motion) < MOST_APART;
}
