import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import { sameFlags } from '../../hands/hand-gesture.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';

/**
 * The movement of a head or an empty hand that still counts as none: 5 mm and 1 degree, in steps of the position and
 * rotation grids. A player who moves less than that within a quarter of a second is sent ten times a second, and shown
 * on straight lines.
 */
const STILL_POSITION = 20;
const STILL_ROTATION = 200;
/** Numbers of a quantised pose that are a position; the next is the index of the rotation's largest component. */
const POSITION_NUMBERS = 3;
const LARGEST = 3;
/** The movement of grip or trigger that counts as none, in steps: a tenth of its whole range. */
const STILL_SQUEEZE = 6;

/**
 * [W8] True if other players would see the change of a player's head or hands. The voice does not count: its loudness
 * ten times a second is enough.
 * @param sent the sample that was sent last.
 * @param is the present one.
 */
export function isVisibleChange(sent: Readonly<AvatarSample>, is: Readonly<AvatarSample>): boolean {
  if (hasMoved(sent.head, is.head, 1)) return true;
  for (const side of HAND_SIDES) if (handHasMoved(sent.hands[side], is.hands[side])) return true;
  return false;
}

function handHasMoved(sent: Readonly<HandSample>, is: Readonly<HandSample>): boolean {
  if (sent.tracked !== is.tracked || sent.held !== is.held || sent.reach !== is.reach) return true;
  if (!is.tracked) return false;
  if (!sameFlags(sent, is)) return true;
  if (Math.abs(sent.grip - is.grip) > STILL_SQUEEZE) return true;
  if (Math.abs(sent.trigger - is.trigger) > STILL_SQUEEZE) return true;
  // A body that is held far away moves far when the hand turns by little.
  if (is.held === NO_BODY) return hasMoved(sent.pose, is.pose, 1);
  const sameClaim =
    sent.ownershipSequence === is.ownershipSequence && sent.authoritySequence === is.authoritySequence;
  return !sameClaim || hasMoved(sent.pose, is.pose, 0) || hasMoved(sent.offset, is.offset, 0);
}

/** @param share of the movement that counts as none; 0: any movement counts. */
function hasMoved(sent: Int32Array, is: Int32Array, share: number): boolean {
  if (sent[LARGEST] !== is[LARGEST]) return true;
  for (let i = 0; i < sent.length; i++) {
    const most = i < POSITION_NUMBERS ? STILL_POSITION : STILL_ROTATION;
    if (Math.abs(sent[i] - is[i]) > most * share) return true;
  }
  return false;
}
