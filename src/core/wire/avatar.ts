import type { BodyId, Sequence } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import { POSE_NUMBERS } from './quantise.ts';

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
  out.reach = from.reach;
}

const NO_NAME = new Uint8Array(0);
