import type { BodyId, Sequence } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { GestureFlags } from '../../hands/hand-gesture.ts';
import { copyFlags, sameFlags } from '../../hands/hand-gesture.ts';
import { copyQuantised, POSE_NUMBERS } from '../bodies/quantise.ts';

/** [T1] An avatar sample's stamp counts in these parts of a tick, up to 16 ticks back. */
export const AGE_STEPS = 256;
export const MAX_AGE = 16 * AGE_STEPS - 1;
/** Grip and trigger, 0 to this. */
export const SQUEEZE_STEPS = 63;
/** Loudness of the voice, 0 to this. */
export const VOICE_STEPS = 15;

/** One hand of a sample, quantised. */
export type HandSample = GestureFlags & {
  tracked: boolean;
  /** POSE_NUMBERS, in the world. */
  readonly pose: Int32Array;
  grip: number;
  trigger: number;
  /** [W7] The body in this hand or NO_BODY, its sequences, and its pose in the frame of `pose`. */
  held: BodyId;
  ownershipSequence: Sequence;
  authoritySequence: Sequence;
  readonly offset: Int32Array;
  /** [A9] The body that this hand, which holds none, reaches for, or NO_BODY. */
  reach: BodyId;
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
    reach: NO_BODY,
  };
}

export function copyAvatar(from: Readonly<AvatarSample>, out: AvatarSample): void {
  out.age = from.age;
  copyQuantised(from.head, out.head);
  out.voice = from.voice;
  out.name = from.name;
  for (const side of [0, 1] as const) copyHand(from.hands[side], out.hands[side]);
}

function copyHand(from: Readonly<HandSample>, out: HandSample): void {
  copyActs(from, out);
  copyQuantised(from.pose, out.pose);
  copyQuantised(from.offset, out.offset);
}

/** Copies what a hand does: all but where it is, and where in it lies what it holds. */
export function copyActs(from: Readonly<HandSample>, out: HandSample): void {
  out.tracked = from.tracked;
  out.grip = from.grip;
  out.trigger = from.trigger;
  copyFlags(from, out);
  out.held = from.held;
  out.ownershipSequence = from.ownershipSequence;
  out.authoritySequence = from.authoritySequence;
  out.reach = from.reach;
}

/** True if a hand does the same as a tracked one: one that holds reaches for nothing, and an empty one has no sequences. */
export function doesTheSame(a: Readonly<HandSample>, b: Readonly<HandSample>): boolean {
  if (a.tracked !== b.tracked || a.held !== b.held) return false;
  if (a.grip !== b.grip || a.trigger !== b.trigger) return false;
  if (!sameFlags(a, b)) return false;
  if (a.held === NO_BODY) return a.reach === b.reach;
  return a.ownershipSequence === b.ownershipSequence && a.authoritySequence === b.authoritySequence;
}

/**
 * Where a sample without its name lies in one row of whole numbers, as a store keeps many: a sample's objects lie all
 * over the memory, and to fetch them takes longer than to code them.
 */
const PACKED_HEAD = 2;
const PACKED_HANDS = PACKED_HEAD + POSE_NUMBERS;
const PACKED_POSE = 5;
const PACKED_OFFSET = PACKED_POSE + POSE_NUMBERS;
const PACKED_HAND = PACKED_OFFSET + POSE_NUMBERS;
/** Whole numbers of a packed sample. */
export const PACKED_AVATAR = PACKED_HANDS + 2 * PACKED_HAND;
/** Bits of the first number of a hand: its three flags, then grip and trigger. */
const TRACKED = 1;
const POINTING = 2;
const THUMB_UP = 4;
const GRIP_AT = 3;
const TRIGGER_AT = 9;

/** Writes a sample without its name to `out[at]`, PACKED_AVATAR numbers. */
export function packAvatar(sample: Readonly<AvatarSample>, out: Int32Array, at: number): void {
  out[at] = sample.age;
  out[at + 1] = sample.voice;
  for (let i = 0; i < POSE_NUMBERS; i++) out[at + PACKED_HEAD + i] = sample.head[i];
  for (let side = 0; side < 2; side++)
    packHand(sample.hands[side], out, at + PACKED_HANDS + side * PACKED_HAND);
}

function packHand(hand: Readonly<HandSample>, out: Int32Array, at: number): void {
  const flags = (hand.tracked ? TRACKED : 0) | (hand.pointing ? POINTING : 0) | (hand.thumbUp ? THUMB_UP : 0);
  out[at] = flags | (hand.grip << GRIP_AT) | (hand.trigger << TRIGGER_AT);
  out[at + 1] = hand.held;
  out[at + 2] = hand.reach;
  out[at + 3] = hand.ownershipSequence;
  out[at + 4] = hand.authoritySequence;
  for (let i = 0; i < POSE_NUMBERS; i++) {
    out[at + PACKED_POSE + i] = hand.pose[i];
    out[at + PACKED_OFFSET + i] = hand.offset[i];
  }
}

/** Fills a sample, which is left without a name, from what packAvatar wrote to `from[at]`. */
export function unpackAvatar(from: Int32Array, at: number, out: AvatarSample): void {
  out.age = from[at];
  out.voice = from[at + 1];
  out.name = NO_NAME;
  for (let i = 0; i < POSE_NUMBERS; i++) out.head[i] = from[at + PACKED_HEAD + i];
  for (let side = 0; side < 2; side++)
    unpackHand(from, at + PACKED_HANDS + side * PACKED_HAND, out.hands[side]);
}

function unpackHand(from: Int32Array, at: number, out: HandSample): void {
  const first = from[at];
  out.tracked = (first & TRACKED) !== 0;
  out.pointing = (first & POINTING) !== 0;
  out.thumbUp = (first & THUMB_UP) !== 0;
  out.grip = (first >> GRIP_AT) & SQUEEZE_STEPS;
  out.trigger = (first >> TRIGGER_AT) & SQUEEZE_STEPS;
  out.held = from[at + 1] as BodyId;
  out.reach = from[at + 2] as BodyId;
  out.ownershipSequence = from[at + 3] as Sequence;
  out.authoritySequence = from[at + 4] as Sequence;
  for (let i = 0; i < POSE_NUMBERS; i++) {
    out.pose[i] = from[at + PACKED_POSE + i];
    out.offset[i] = from[at + PACKED_OFFSET + i];
  }
}

const NO_NAME = new Uint8Array(0);
