import type { BodyId, Sequence } from '../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../base/ids.ts';
import { MAX_NAME_BYTES } from '../base/constants.ts';
import { LEAST_STATE, MAX_OFFSET, MOST_STATE, POSE_NUMBERS } from './quantise.ts';
import type { Coder } from './range-coder.ts';

/** [T1] An avatar sample's stamp counts in these parts of a tick, up to 16 ticks back. */
export const AGE_STEPS = 256;
export const MAX_AGE = 16 * AGE_STEPS - 1;
/** Grip and trigger, 0 to this. */
export const SQUEEZE_STEPS = 63;
/** Loudness of the voice, 0 to this. */
export const VOICE_STEPS = 15;

/** One hand of a sample, quantised. */
export type HandSample = {
  tracked: boolean;
  /** POSE_NUMBERS, in the world. */
  readonly pose: Int32Array;
  grip: number;
  trigger: number;
  pointing: boolean;
  thumbUp: boolean;
  /** [W7] The body in this hand or NO_BODY, its sequences, and its pose in the frame of `pose`. */
  held: BodyId;
  ownershipSequence: Sequence;
  authoritySequence: Sequence;
  readonly offset: Int32Array;
};

/** One player's head and hands at one moment, quantised. */
export type AvatarSample = {
  /** How long before its author's tick it was taken, in 1 / AGE_STEPS of a tick. */
  age: number;
  readonly head: Int32Array;
  readonly hands: readonly [HandSample, HandSample];
  voice: number;
  /** UTF-8 of the player's name, at most MAX_NAME_BYTES; empty where the receiver has it already. */
  name: Uint8Array;
};

export function avatarSample(): AvatarSample {
  return {
    age: 0,
    head: new Int32Array(POSE_NUMBERS),
    hands: [handSample(), handSample()],
    voice: 0,
    name: NO_NAME,
  };
}

function handSample(): HandSample {
  return {
    tracked: false,
    pose: new Int32Array(POSE_NUMBERS),
    grip: 0,
    trigger: 0,
    pointing: false,
    thumbUp: false,
    held: NO_BODY,
    ownershipSequence: 0 as Sequence,
    authoritySequence: 0 as Sequence,
    offset: new Int32Array(POSE_NUMBERS),
  };
}

export function copyAvatar(from: Readonly<AvatarSample>, out: AvatarSample): void {
  out.age = from.age;
  out.head.set(from.head);
  out.voice = from.voice;
  out.name = from.name;
  for (const side of [0, 1] as const) copyHand(from.hands[side], out.hands[side]);
}

function copyHand(from: Readonly<HandSample>, out: HandSample): void {
  out.tracked = from.tracked;
  out.pose.set(from.pose);
  out.grip = from.grip;
  out.trigger = from.trigger;
  out.pointing = from.pointing;
  out.thumbUp = from.thumbUp;
  out.held = from.held;
  out.ownershipSequence = from.ownershipSequence;
  out.authoritySequence = from.authoritySequence;
  out.offset.set(from.offset);
}

/** Codes an avatar; a reader fills it, and what is wrong fails it. @param count bodies in the world. */
export function codeAvatar(c: Coder, count: number, sample: AvatarSample): void {
  sample.age = c.range(sample.age, 0, MAX_AGE);
  codePose(c, sample.head);
  for (const side of HAND_SIDES) codeHand(c, count, sample.hands[side]);
  const [left, right] = sample.hands;
  if (left.held !== NO_BODY && left.held === right.held) c.fail();
  sample.voice = c.range(sample.voice, 0, VOICE_STEPS);
  const bytes = c.range(sample.name.length, 0, MAX_NAME_BYTES);
  const name = bytes === 0 ? NO_NAME : new Uint8Array(bytes);
  for (let i = 0; i < bytes; i++) name[i] = c.bits(sample.name[i], 8);
  sample.name = name;
}

function codeHand(c: Coder, count: number, hand: HandSample): void {
  hand.tracked = codeFlag(c, hand.tracked);
  if (!hand.tracked) hand.held = NO_BODY;
  if (!hand.tracked) return;
  codePose(c, hand.pose);
  hand.grip = c.range(hand.grip, 0, SQUEEZE_STEPS);
  hand.trigger = c.range(hand.trigger, 0, SQUEEZE_STEPS);
  hand.pointing = codeFlag(c, hand.pointing);
  hand.thumbUp = codeFlag(c, hand.thumbUp);
  if (!codeFlag(c, hand.held !== NO_BODY)) {
    hand.held = NO_BODY;
    return;
  }
  hand.held = c.range(hand.held, 0, count - 1) as BodyId;
  hand.ownershipSequence = c.bits(hand.ownershipSequence, 16) as Sequence;
  hand.authoritySequence = c.bits(hand.authoritySequence, 16) as Sequence;
  for (let i = 0; i < 3; i++) hand.offset[i] = c.range(hand.offset[i], -MAX_OFFSET, MAX_OFFSET);
  codeRotation(c, hand.offset);
}

function codePose(c: Coder, pose: Int32Array): void {
  for (let i = 0; i < 3; i++) pose[i] = c.range(pose[i], LEAST_STATE[i], MOST_STATE[i]);
  codeRotation(c, pose);
}

function codeRotation(c: Coder, pose: Int32Array): void {
  for (let i = 3; i < POSE_NUMBERS; i++) pose[i] = c.range(pose[i], LEAST_STATE[i], MOST_STATE[i]);
}

function codeFlag(c: Coder, value: boolean): boolean {
  return c.bits(value ? 1 : 0, 1) === 1;
}

const NO_NAME = new Uint8Array(0);
