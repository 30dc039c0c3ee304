import type { BodyId, Slot } from '../../base/ids.ts';
import type { Joint } from '../../world/joints/joint.ts';
import { canGo } from '../../world/joints/joint.ts';
import { MAX_PARTS } from '../../world/joints/joint-faults.ts';
import { makerOf } from '../../world/joints/making.ts';
import { isAsMade, MOST_TEAR } from '../../world/joints/tears.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatorOf } from '../simulator.ts';
import { madeJoint } from './made-joints.ts';

/**
 * Metres by which the ends of a joint may be too far apart for the host when a guest mends or makes it: the host sees
 * the two bodies late. The guest itself mends only what fits.
 */
const MOST_APART = MOST_TEAR + 0.5;
/** The cosine of the angle by which the ends may be turned, for the same reason: a right angle. */
const LEAST_COSINE = 0;

/** [J4.3] True if a player simulates both ends of the joint of a number, which can go. */
export function simulatesEnds(peer: PeerState, joint: number, slot: Slot): boolean {
  const found = peer.bodies.records.islands.joints[joint];
  return canGo(found) && simulates(peer, found, slot);
}

/** True if there is a body at each end of a joint, or the world, and a player simulates both. */
function simulates(peer: PeerState, { ends }: Joint, slot: Slot): boolean {
  const isOf = (body: number | null): boolean =>
    body === null || (peer.bodies.has(body as BodyId) && simulatorOf(peer, body as BodyId) === slot);
  return ends.every(({ body }) => isOf(body)) && ends.some(({ body }) => body !== null);
}

/**
 * [J4.3] [J5.3] True if a player may remove a joint, or say that it is broken; or mend or make it, if it is gone.
 * @param words the new values of the joint, from `from` on.
 */
export function mayChange(
  peer: PeerState,
  joint: number,
  slot: Slot,
  words: Int32Array,
  from: number,
): boolean {
  const { level, records, motion } = peer.bodies;
  const { joints, isGone } = records.islands;
  const isMade = joint >= level.joints.length;
  if (isGone[joint] === 0) return simulatesEnds(peer, joint, slot) && (!isMade || words[from] === 0);
  if (isMade && makerOf(level, joint) !== slot) return false;
  const wanted = isMade ? madeJoint(level, words, from) : joints[joint];
  if (wanted === null || wanted.removable !== true || !simulates(peer, wanted, slot)) return false;
  if (!isAsMade(wanted, motion, MOST_APART, LEAST_COSINE)) return false;
  return isSmall(peer, wanted) && isAlone(peer, wanted, joint);
}

/** [J1.2] True if a joint makes no island of too many bodies. */
export function isSmall({ bodies: { records } }: PeerState, { ends: [a, b] }: Joint): boolean {
  const { parts } = records.islands;
  if (a.body === null || b.body === null || parts[a.body] === parts[b.body]) return true;
  return parts[a.body].length + parts[b.body].length <= MAX_PARTS;
}

/** [J5.6] True if no other joint holds the two ends of one that is made or mended. @param joint its number. */
export function isAlone({ bodies: { level, records } }: PeerState, wanted: Joint, joint: number): boolean {
  const [a, b] = [wanted.ends[0].body, wanted.ends[1].body];
  const { joints, jointsOf } = records.islands;
  const body = a ?? b;
  if (!isTight(wanted) || body === null) return true;
  return jointsOf[body].every((other) => {
    const [one, two] = joints[other].ends;
    const isSame = (one.body === a && two.body === b) || (one.body === b && two.body === a);
    // Those of the level fit together where it begins.
    const isOfLevel = Math.max(joint, other) < level.joints.length;
    return !isSame || isOfLevel || !isTight(joints[other]);
  });
}

function isTight({ kind }: Joint): boolean {
  return kind !== 'rope' && kind !== 'spring';
}
