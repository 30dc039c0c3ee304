import type { BodyId, Sequence } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { GestureFlags } from '../../hands/hand-gesture.ts';
import { copyFlags, sameFlags } from '../../hands/hand-gesture.ts';
import { copyQuantised, POSE_NUMBERS } from '../bodies/quantise.ts';

/** [T1] The age of an avatar sample is in 1/AGE_STEPS of a tick, up to MAX_AGE: nearly 16 ticks. */
export const AGE_STEPS = 256;
export const MAX_AGE = 16 * AGE_STEPS - 1;
/** The greatest value of grip and trigger: closed. The least is 0. */
export const SQUEEZE_STEPS = 63;
/** The greatest loudness of a voice. The least is 0: silent. */
export const VOICE_STEPS = 15;

/** One hand of a sample, quantised. A hand that is not tracked has only the flag. */
export type HandSample = GestureFlags & {
  tracked: boolean;
  /** POSE_NUMBERS on the avatar's grid, in the world. */
  readonly pose: Int32Array;
  /** 0 open to SQUEEZE_STEPS closed. */
  grip: number;
  trigger: number;
  /** [W7] The body in this hand, or NO_BODY. The next three belong to this body. */
  held: BodyId;
  ownershipSequence: Sequence;
  authoritySequence: Sequence;
  /** The body's pose in the frame of `pose`: POSE_NUMBERS. */
  readonly offset: Int32Array;
  /** [A9] The body that an empty hand reaches for, or NO_BODY. */
  reach: BodyId;
};

/** A player's head and hands at one moment, quantised. Its owner reuses it. */
export type AvatarSample = {
  /** How long before its author's tick the sample was taken, in 1/AGE_STEPS of a tick; 0 to MAX_AGE. */
  age: number;
  /** POSE_NUMBERS on the avatar's grid, in the world. */
  readonly head: Int32Array;
  readonly hands: readonly [HandSample, HandSample];
  /** Loudness, 0 to VOICE_STEPS. */
  voice: number;
  /** UTF-8 of the player's name, at most MAX_NAME_BYTES; empty if the receiver has it already. Not copied. */
  name: Uint8Array;
};

/** A new sample: at the origin, silent, no hand tracked. */
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

/** Copies a sample; the two share the array of the name. */
export function copyAvatar(from: Readonly<AvatarSample>, out: AvatarSample): void {
  out.age = from.age;
  copyQuantised(from.head, out.head);
  out.voice = from.voice;
  out.name = from.name;
  for (const side of [0, 1] as const) copyHand(from.hands[side], out.hands[side]);
}

function copyHand(from: Readonly<HandSample>, out: HandSample): void {
  copyActivity(from, out);
  copyQuantised(from.pose, out.pose);
  copyQuantised(from.offset, out.offset);
}

/** Copies everything of a hand but the two poses. */
export function copyActivity(from: Readonly<HandSample>, out: HandSample): void {
  out.tracked = from.tracked;
  out.grip = from.grip;
  out.trigger = from.trigger;
  copyFlags(from, out);
  out.held = from.held;
  out.ownershipSequence = from.ownershipSequence;
  out.authoritySequence = from.authoritySequence;
  out.reach = from.reach;
}

/**
 * True if everything of two hands but their poses is the same; one of them must be tracked. A hand that holds a body
 * reaches for none, and an empty hand has no sequences.
 */
export function sameActivity(a: Readonly<HandSample>, b: Readonly<HandSample>): boolean {
  if (a.tracked !== b.tracked || a.held !== b.held) return false;
  if (a.grip !== b.grip || a.trigger !== b.trigger) return false;
  if (!sameFlags(a, b)) return false;
  if (a.held === NO_BODY) return a.reach === b.reach;
  return a.ownershipSequence === b.ownershipSequence && a.authoritySequence === b.authoritySequence;
}

/**
 * Offsets of a sample without its name, packed into consecutive whole numbers for a store of many. Objects would lie
 * scattered in memory, and reading them would take longer than coding them.
 */
const PACKED_HEAD = 2;
const PACKED_HANDS = PACKED_HEAD + POSE_NUMBERS;
const PACKED_POSE = 5;
const PACKED_OFFSET = PACKED_POSE + POSE_NUMBERS;
const PACKED_HAND = PACKED_OFFSET + POSE_NUMBERS;
/** Numbers of a packed sample. */
export const PACKED_AVATAR = PACKED_HANDS + 2 * PACKED_HAND;
/** Bit fields of a packed hand's first number: three flags, then grip and trigger from these bits on. */
const TRACKED = 1;
const POINTING = 2;
const THUMB_UP = 4;
const GRIP_AT = 3;
const TRIGGER_AT = 9;

/** Packs a sample without its name into PACKED_AVATAR numbers from `out[at]` on. */
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

/** Fills a sample from the packed one at `from[at]` on; its name becomes empty. */
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
