import type { BodyId } from '../../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import { MAX_NAME_BYTES } from '../../base/constants.ts';
import type { Quaternion } from '../../base/math.ts';
import type { AvatarSample, HandSample } from './avatar.ts';
import { AGE_STEPS, copyActs, doesTheSame, MAX_AGE, SQUEEZE_STEPS, VOICE_STEPS } from './avatar.ts';
import { codeSequence } from '../bodies/claim.ts';
import type { NumberKind } from '../coder/contexts.ts';
import {
  HAND_FLAG,
  HAND_POSITION,
  HAND_ROTATION,
  HAS_NAME,
  HEAD_POSITION,
  HEAD_ROTATION,
  LEVELS,
  levelOf,
  OFFSET_POSITION,
  OFFSET_ROTATION,
  OF_THIS_TICK,
  SAME_BODY,
  SAME_HAND,
  SAME_POSE,
  SAME_SQUEEZE,
  SAME_VOICE,
} from '../coder/contexts.ts';
import { codeLargest } from '../bodies/motion.ts';
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

/** What is posed: its place among contexts of both, and its kinds of numbers. */
type Part = { readonly at: number; readonly position: NumberKind; readonly rotation: NumberKind };
const HEAD: Part = { at: 0, position: HEAD_POSITION, rotation: HEAD_ROTATION };
const HAND: Part = { at: 1, position: HAND_POSITION, rotation: HAND_ROTATION };
/** Flags of a hand, each in contexts of its own. */
const TRACKED = 0;
const POINTING = 1;
const THUMB_UP = 2;
const HOLDS = 3;
const REACHES = 4;
/** What codeLargest goes by. */
const OF_AN_AVATAR = 3;
/** Sequences of what is held: contexts after those of claims. */
const HELD_OWNERSHIP = 2;
const HELD_AUTHORITY = 3;

/**
 * Codes an avatar against one that both ends have, or null; a reader fills it, and what is wrong fails it.
 * @param count bodies in the world.
 */
export function codeAvatar(
  c: Coder,
  count: number,
  sample: AvatarSample,
  before: Readonly<AvatarSample> | null,
): void {
  const recent = c.bit(OF_THIS_TICK, sample.age < AGE_STEPS ? 1 : 0) === 1;
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
  if (before === null || !codeSameHand(c, hand, before)) codeActs(c, count, hand, before, last?.tracked);
  if (!hand.tracked) return;
  codePose(c, hand.pose, before?.pose ?? null, HAND);
  if (hand.held === NO_BODY) return;
  codeOffset(c, hand.offset, before !== null && hand.held === before.held ? before.offset : null);
}

/** True if all that the hand does is as before: mostly only where it is has changed. */
function codeSameHand(c: Coder, hand: HandSample, before: Readonly<HandSample>): boolean {
  const context = SAME_HAND + (before.held === NO_BODY ? 0 : 1);
  if (c.bit(context, doesTheSame(hand, before) ? 1 : 0) === 0) return false;
  copyActs(before, hand);
  return true;
}

/**
 * What a hand does: all but where it is, and where in it lies what it holds.
 * @param wasTracked undefined if nothing is known of it.
 */
function codeActs(
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
  if (before !== null && doesTheSame(hand, before)) c.fail();
}

/** [W7] Against those of the same body in the same hand before. */
function codeHeldSequences(c: Coder, hand: HandSample, before: Readonly<HandSample> | null): void {
  const ownership = before?.ownershipSequence ?? 0;
  const authority = before?.authoritySequence ?? 0;
  hand.ownershipSequence = codeSequence(c, hand.ownershipSequence, ownership, HELD_OWNERSHIP);
  hand.authoritySequence = codeSequence(c, hand.authoritySequence, authority, HELD_AUTHORITY);
}

/** [W7] Where in a hand lies what it holds, against where the same body lay in the same hand before. */
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
    level = levelOf(step);
  }
  codeRotation(c, offset, before, 0, OFFSET_ROTATION, level);
}

/** On a grid that nobody can see. */
function codePose(c: Coder, pose: Int32Array, before: Int32Array | null, part: Part): void {
  if (before === null) {
    for (let i = 0; i < 3; i++) codeCoarse(c, pose, i, POSE_BITS);
    pose[3] = c.bits(pose[3], 2);
    for (let i = 4; i < 7; i++) codeCoarse(c, pose, i, TURN_BITS);
    return;
  }
  if (c.bit(SAME_POSE + part.at, sameQuantised(pose, before) ? 1 : 0) === 1) {
    copyQuantised(before, pose);
    return;
  }
  let level = 0;
  for (let i = 0; i < 3; i++) {
    const block = i === 0 ? LEVELS : level;
    const step = c.number(part.position, block, 0, inSteps(pose[i] - before[i], POSE_BITS));
    pose[i] = inside(c, before[i] + (step << POSE_BITS), LEAST_STATE[i], MOST_STATE[i]);
    level = levelOf(step);
  }
  codeRotation(c, pose, before, TURN_BITS, part.rotation, level);
  if (sameQuantised(pose, before)) c.fail();
}

function codeCoarse(c: Coder, pose: Int32Array, i: number, bits: number): void {
  const least = -(-LEAST_STATE[i] >> bits);
  pose[i] = c.range(inSteps(pose[i], bits), least, MOST_STATE[i] >> bits) << bits;
}

/**
 * In steps of 2^bits, by shifts: fractions cost a coder twice the time. What is off the grid becomes a number that no
 * writer takes, whatever is expected of it.
 */
function inSteps(value: number, bits: number): number {
  const steps = value >> bits;
  return steps << bits === value ? steps : 2 * (MAX_NUMBER + 1);
}

/** Against a rotation before, seen without the same component. */
function codeRotation(
  c: Coder,
  pose: Int32Array,
  before: Int32Array,
  bits: number,
  kind: NumberKind,
  moved: number,
): void {
  codeLargest(c, pose, before[3], OF_AN_AVATAR);
  dequantiseRotation(before, 3, turned);
  componentsOf(turned, pose[3], components);
  let block = LEVELS + moved;
  for (let i = 0; i < 3; i++) {
    const at = i + 4;
    const expected = (components[i] + ((1 << bits) >> 1)) >> bits;
    const step = c.number(kind, block, 0, inSteps(pose[at], bits) - expected);
    pose[at] = inside(c, (expected + step) << bits, LEAST_STATE[at], MOST_STATE[at]);
    block = levelOf(step);
  }
}

function inside(c: Coder, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value;
  c.fail();
  return 0;
}

function codeFlag(c: Coder, which: number, value: boolean, before: boolean | undefined): boolean {
  const context = HAND_FLAG + which * 3 + (before === undefined ? 0 : before ? 2 : 1);
  return c.bit(context, value ? 1 : 0) === 1;
}

/** A body or none; if there was one before, mostly that. */
function codeBody(c: Coder, which: number, count: number, body: BodyId, before: BodyId): BodyId {
  if (!codeFlag(c, which, body !== NO_BODY, before !== NO_BODY)) return NO_BODY;
  if (before !== NO_BODY && c.bit(SAME_BODY, body === before ? 1 : 0) === 1) return before;
  const other = c.range(body, 0, count - 1) as BodyId;
  if (other === before) c.fail();
  return other;
}

/** A number of 0 to `most`, which mostly is what it was. */
function codeUnless(c: Coder, context: number, value: number, before: number, most: number): number {
  if (c.bit(context, value === before ? 1 : 0) === 1) return before;
  const other = c.range(value, 0, most);
  if (other === before) c.fail();
  return other;
}

const NO_NAME = new Uint8Array(0);
const turned: Quaternion = { x: 0, y: 0, z: 0, w: 1 };
const components = new Int32Array(3);
