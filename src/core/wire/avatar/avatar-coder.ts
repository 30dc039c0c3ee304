import type { BodyId } from '../../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import { MAX_NAME_BYTES } from '../../base/constants.ts';
import type { Quaternion } from '../../base/math.ts';
import type { AvatarSample, HandSample } from './avatar.ts';
import { AGE_STEPS, copyActivity, sameActivity, MAX_AGE, SQUEEZE_STEPS, VOICE_STEPS } from './avatar.ts';
import { codeSequence } from '../bodies/claim.ts';
import type { NumberKind } from '../coder/contexts.ts';
import {
  HAND_FLAG,
  HAND_POSITION,
  HAND_ROTATION,
  HAS_NAME,
  HEAD_POSITION,
  HEAD_ROTATION,
  SIZE_LEVELS,
  sizeLevel,
  OFFSET_POSITION,
  OFFSET_ROTATION,
  IS_RECENT,
  LARGEST_OF_AVATAR,
  SAME_BODY,
  SAME_HAND,
  SAME_POSE,
  SAME_SQUEEZE,
  SAME_VOICE,
} from '../coder/contexts.ts';
import { codeLargest } from '../bodies/differences.ts';
import {
  componentsOf,
  copyQuantised,
  dequantiseRotation,
  LEAST_STATE,
  MAX_OFFSET,
  MOST_STATE,
  POSE_BITS,
  sameQuantised,
  TURN_BITS,
} from '../bodies/quantise.ts';
import type { Coder } from '../coder/range-coder.ts';
import { MAX_NUMBER } from '../coder/range-coder.ts';

/** A head or a hand: its number among the contexts of SAME_POSE, and the kinds of its numbers. */
type Part = { readonly index: number; readonly position: NumberKind; readonly rotation: NumberKind };
const HEAD: Part = { index: 0, position: HEAD_POSITION, rotation: HEAD_ROTATION };
const HAND: Part = { index: 1, position: HAND_POSITION, rotation: HAND_ROTATION };
/** The flags of a hand (HAND_FLAG). */
const TRACKED = 0;
const POINTING = 1;
const THUMB_UP = 2;
const HOLDS = 3;
const REACHES = 4;
/** The sequences of a held body, for codeSequence. */
const HELD_OWNERSHIP = 2;
const HELD_AUTHORITY = 3;

/**
 * Codes an avatar against its baseline. A reader fills `sample`, and fails if the avatar is invalid or not canonical.
 * @param count bodies in the world.
 * @param before the baseline, or null.
 */
export function codeAvatar(
  c: Coder,
  count: number,
  sample: AvatarSample,
  before: Readonly<AvatarSample> | null,
): void {
  const recent = c.bit(IS_RECENT, sample.age < AGE_STEPS ? 1 : 0) === 1;
  sample.age = recent ? c.range(sample.age, 0, AGE_STEPS - 1) : c.range(sample.age, AGE_STEPS, MAX_AGE);
  codePose(c, sample.head, before?.head ?? null, HEAD);
  for (const side of HAND_SIDES) codeHand(c, count, sample.hands[side], before?.hands[side] ?? null);
  const [left, right] = sample.hands;
  if (left.held !== NO_BODY && left.held === right.held) c.fail();
  const voice = before?.voice ?? 0;
  sample.voice = codeUnless(c, SAME_VOICE, sample.voice, voice, VOICE_STEPS);
  codeName(c, sample);
}

function codeName(c: Coder, sample: AvatarSample): void {
  if (c.bit(HAS_NAME, sample.name.length > 0 ? 1 : 0) === 0) {
    sample.name = NO_NAME;
    return;
  }
  const bytes = c.range(sample.name.length, 1, MAX_NAME_BYTES);
  const name = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i++) name[i] = c.bits(sample.name[i], 8);
  sample.name = name;
}

function codeHand(c: Coder, count: number, hand: HandSample, last: Readonly<HandSample> | null): void {
  const before = last?.tracked === true ? last : null;
  if (before === null || !codeSameHand(c, hand, before)) codeActivity(c, count, hand, before, last?.tracked);
  if (!hand.tracked) return;
  codePose(c, hand.pose, before?.pose ?? null, HAND);
  if (hand.held === NO_BODY) return;
  codeOffset(c, hand.offset, before !== null && hand.held === before.held ? before.offset : null);
}

/** Codes whether everything of a hand but its poses is as before, as mostly; returns it. */
function codeSameHand(c: Coder, hand: HandSample, before: Readonly<HandSample>): boolean {
  const context = SAME_HAND + (before.held === NO_BODY ? 0 : 1);
  if (c.bit(context, sameActivity(hand, before) ? 1 : 0) === 0) return false;
  copyActivity(before, hand);
  return true;
}

/**
 * Codes everything of a hand but its poses.
 * @param before the hand in the baseline if it is tracked there, else null.
 * @param wasTracked undefined without a baseline.
 */
function codeActivity(
  c: Coder,
  count: number,
  hand: HandSample,
  before: Readonly<HandSample> | null,
  wasTracked: boolean | undefined,
): void {
  hand.tracked = codeFlag(c, TRACKED, hand.tracked, wasTracked);
  if (!hand.tracked) {
    hand.held = NO_BODY;
    hand.reach = NO_BODY;
    return;
  }
  hand.grip = codeUnless(c, SAME_SQUEEZE, hand.grip, before?.grip ?? 0, SQUEEZE_STEPS);
  hand.trigger = codeUnless(c, SAME_SQUEEZE + 1, hand.trigger, before?.trigger ?? 0, SQUEEZE_STEPS);
  hand.pointing = codeFlag(c, POINTING, hand.pointing, before?.pointing);
  hand.thumbUp = codeFlag(c, THUMB_UP, hand.thumbUp, before?.thumbUp);
  const held = before?.held ?? NO_BODY;
  hand.held = codeBody(c, HOLDS, count, hand.held, held);
  if (hand.held !== NO_BODY) {
    codeHeldSequences(c, hand, hand.held === held ? before : null);
    hand.reach = NO_BODY;
  } else hand.reach = codeBody(c, REACHES, count, hand.reach, before?.reach ?? NO_BODY);
  if (before !== null && sameActivity(hand, before)) c.fail();
}

/** [W7] Codes a held body's sequences; `before` is the hand that held the same body, or null. */
function codeHeldSequences(c: Coder, hand: HandSample, before: Readonly<HandSample> | null): void {
  const ownership = before?.ownershipSequence ?? 0;
  const authority = before?.authoritySequence ?? 0;
  hand.ownershipSequence = codeSequence(c, hand.ownershipSequence, ownership, HELD_OWNERSHIP);
  hand.authoritySequence = codeSequence(c, hand.authoritySequence, authority, HELD_AUTHORITY);
}

/** [W7] Codes the pose of a held body in its hand; `before` is the same body's in the same hand, or null. */
function codeOffset(c: Coder, offset: Int32Array, before: Int32Array | null): void {
  if (before === null) {
    for (let i = 0; i < 3; i++) offset[i] = c.range(offset[i], -MAX_OFFSET, MAX_OFFSET);
    for (let i = 3; i < 7; i++) offset[i] = c.range(offset[i], LEAST_STATE[i], MOST_STATE[i]);
    return;
  }
  let level = 0;
  for (let i = 0; i < 3; i++) {
    const step = c.number(OFFSET_POSITION, level, 0, offset[i] - before[i]);
    offset[i] = inside(c, before[i] + step, -MAX_OFFSET, MAX_OFFSET);
    level = sizeLevel(step);
  }
  codeRotation(c, offset, before, 0, OFFSET_ROTATION, level);
}

/** Codes the pose of a head or a hand on the avatar's grid, against the baseline's or null. */
function codePose(c: Coder, pose: Int32Array, before: Int32Array | null, part: Part): void {
  if (before === null) {
    for (let i = 0; i < 3; i++) codeCoarse(c, pose, i, POSE_BITS);
    pose[3] = c.bits(pose[3], 2);
    for (let i = 4; i < 7; i++) codeCoarse(c, pose, i, TURN_BITS);
    return;
  }
  if (c.bit(SAME_POSE + part.index, sameQuantised(pose, before) ? 1 : 0) === 1) {
    copyQuantised(before, pose);
    return;
  }
  let level = 0;
  for (let i = 0; i < 3; i++) {
    const block = i === 0 ? SIZE_LEVELS : level;
    const step = c.number(part.position, block, 0, inSteps(pose[i] - before[i], POSE_BITS));
    pose[i] = inside(c, before[i] + (step << POSE_BITS), LEAST_STATE[i], MOST_STATE[i]);
    level = sizeLevel(step);
  }
  codeRotation(c, pose, before, TURN_BITS, part.rotation, level);
  if (sameQuantised(pose, before)) c.fail();
}

function codeCoarse(c: Coder, pose: Int32Array, i: number, bits: number): void {
  const least = -(-LEAST_STATE[i] >> bits);
  pose[i] = c.range(inSteps(pose[i], bits), least, MOST_STATE[i] >> bits) << bits;
}

/**
 * A value in steps of 2^bits. By shifts, since fractions would take twice the time. A value off the grid becomes a
 * number so great that a writer throws, whatever difference is made of it.
 */
function inSteps(value: number, bits: number): number {
  const steps = value >> bits;
  return steps << bits === value ? steps : 2 * (MAX_NUMBER + 1);
}

/**
 * Codes a rotation against one before, of which the same component is left out.
 * @param moved the size level of the position's last difference.
 */
function codeRotation(
  c: Coder,
  pose: Int32Array,
  before: Int32Array,
  bits: number,
  kind: NumberKind,
  moved: number,
): void {
  codeLargest(c, pose, before[3], LARGEST_OF_AVATAR);
  dequantiseRotation(before, 3, turned);
  componentsOf(turned, pose[3], components);
  let block = SIZE_LEVELS + moved;
  for (let i = 0; i < 3; i++) {
    const at = i + 4;
    const expected = (components[i] + ((1 << bits) >> 1)) >> bits;
    const step = c.number(kind, block, 0, inSteps(pose[at], bits) - expected);
    pose[at] = inside(c, (expected + step) << bits, LEAST_STATE[at], MOST_STATE[at]);
    block = sizeLevel(step);
  }
}

/** A value that was read, or 0 and a failure if it is out of range. */
function inside(c: Coder, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value;
  c.fail();
  return 0;
}

/** Codes a flag of a hand; `before` is undefined if it was unknown. */
function codeFlag(c: Coder, which: number, value: boolean, before: boolean | undefined): boolean {
  const context = HAND_FLAG + which * 3 + (before === undefined ? 0 : before ? 2 : 1);
  return c.bit(context, value ? 1 : 0) === 1;
}

/** Codes a body or NO_BODY; if there was a body before, it mostly is the same. */
function codeBody(c: Coder, which: number, count: number, body: BodyId, before: BodyId): BodyId {
  if (!codeFlag(c, which, body !== NO_BODY, before !== NO_BODY)) return NO_BODY;
  if (before !== NO_BODY && c.bit(SAME_BODY, body === before ? 1 : 0) === 1) return before;
  const other = c.range(body, 0, count - 1) as BodyId;
  if (other === before) c.fail();
  return other;
}

/** Codes a number of 0 to `most`, which mostly is the one before. */
function codeUnless(c: Coder, context: number, value: number, before: number, most: number): number {
  if (c.bit(context, value === before ? 1 : 0) === 1) return before;
  const other = c.range(value, 0, most);
  if (other === before) c.fail();
  return other;
}

const NO_NAME = new Uint8Array(0);
const turned: Quaternion = { x: 0, y: 0, z: 0, w: 1 };
const components = new Int32Array(3);
