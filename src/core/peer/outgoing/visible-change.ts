import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import { sameFlags } from '../../hands/hand-gesture.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';

/**
 * Of a head, or a hand that holds nothing: 5 mm on the grid of positions, and 1 degree on that of rotations. Less
 * within a quarter of a second is told ten times a second, along straight lines.
 */
const STILL_POSITION = 20;
const STILL_ROTATION = 200;
/** Numbers of a pose that are a position; the next is the largest component of the rotation. */
const POSITION_NUMBERS = 3;
const LARGEST = 3;
/** Steps of grip and trigger: a tenth of the way of a finger. */
const STILL_SQUEEZE = 6;

/**
 * [W8] True if others would notice that a player's head or hands are no longer as they were told. The voice does
 * not count: its loudness ten times a second is enough.
 */
export function isVisibleChange(told: Readonly<AvatarSample>, is: Readonly<AvatarSample>): boolean {
  if (hasMoved(told.head, is.head, 1)) return true;
  for (const side of HAND_SIDES) if (handHasMoved(told.hands[side], is.hands[side])) return true;
  return false;
}

function handHasMoved(told: Readonly<HandSample>, is: Readonly<HandSample>): boolean {
  if (told.tracked !== is.tracked || told.held !== is.held || told.reach !== is.reach) return true;
  if (!is.tracked) return false;
  if (!sameFlags(told, is)) return true;
  if (Math.abs(told.grip - is.grip) > STILL_SQUEEZE) return true;
  if (Math.abs(told.trigger - is.trigger) > STILL_SQUEEZE) return true;
  // What is held far away moves much by little.
  if (is.held === NO_BODY) return hasMoved(told.pose, is.pose, 1);
  const sameClaim =
    told.ownershipSequence === is.ownershipSequence && told.authoritySequence === is.authoritySequence;
  return !sameClaim || hasMoved(told.pose, is.pose, 0) || hasMoved(told.offset, is.offset, 0);
}

/** @param share of what counts as still. */
function hasMoved(told: Int32Array, is: Int32Array, share: number): boolean {
  if (told[LARGEST] !== is[LARGEST]) return true;
  for (let i = 0; i < told.length; i++) {
    const most = i < POSITION_NUMBERS ? STILL_POSITION : STILL_ROTATION;
    if (Math.abs(told[i] - is[i]) > most * share) return true;
  }
  return false;
}
