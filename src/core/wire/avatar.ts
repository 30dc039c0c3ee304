import type { BodyId, Sequence } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import { MAX_NAME_BYTES } from '../base/constants.ts';
import type { BitReader, BitWriter } from './bits.ts';
import { HEIGHT_HIGH, HEIGHT_LOW, MAX_ACROSS, MAX_OFFSET, MAX_ROTATION, POSE_NUMBERS } from './quantise.ts';

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

/** @param count bodies in the world. */
export function writeAvatar(w: BitWriter, sample: Readonly<AvatarSample>, count: number): void {
  w.writeRange(sample.age, 0, MAX_AGE);
  writePose(w, sample.head);
  for (const side of [0, 1] as const) writeHand(w, sample.hands[side], count);
  w.writeRange(sample.voice, 0, VOICE_STEPS);
  w.writeRange(sample.name.length, 0, MAX_NAME_BYTES);
  for (let i = 0; i < sample.name.length; i++) w.write(sample.name[i], 8);
}

/** Reads what writeAvatar wrote; what is wrong fails the reader. */
export function readAvatar(r: BitReader, count: number, out: AvatarSample): void {
  out.age = r.readRange(0, MAX_AGE);
  readPose(r, out.head);
  for (const side of [0, 1] as const) readHand(r, count, out.hands[side]);
  const [left, right] = out.hands;
  if (left.held !== NO_BODY && left.held === right.held) r.fail();
  out.voice = r.readRange(0, VOICE_STEPS);
  const bytes = r.readRange(0, MAX_NAME_BYTES);
  out.name = bytes === 0 ? NO_NAME : new Uint8Array(bytes);
  for (let i = 0; i < bytes; i++) out.name[i] = r.read(8);
}

function writeHand(w: BitWriter, hand: Readonly<HandSample>, count: number): void {
  w.writeFlag(hand.tracked);
  if (!hand.tracked) return;
  writePose(w, hand.pose);
  w.writeRange(hand.grip, 0, SQUEEZE_STEPS);
  w.writeRange(hand.trigger, 0, SQUEEZE_STEPS);
  w.writeFlag(hand.pointing);
  w.writeFlag(hand.thumbUp);
  w.writeFlag(hand.held !== NO_BODY);
  if (hand.held !== NO_BODY) {
    writeHeld(w, hand, count);
    return;
  }
  w.writeFlag(hand.reach !== NO_BODY);
  if (hand.reach !== NO_BODY) w.writeRange(hand.reach, 0, count - 1);
}

function readHand(r: BitReader, count: number, out: HandSample): void {
  out.tracked = r.readFlag();
  out.held = NO_BODY;
  out.reach = NO_BODY;
  if (!out.tracked) return;
  readPose(r, out.pose);
  out.grip = r.readRange(0, SQUEEZE_STEPS);
  out.trigger = r.readRange(0, SQUEEZE_STEPS);
  out.pointing = r.readFlag();
  out.thumbUp = r.readFlag();
  const holds = r.readFlag();
  if (holds) readHeld(r, count, out);
  else if (r.readFlag()) out.reach = r.readRange(0, count - 1) as BodyId;
}

function readHeld(r: BitReader, count: number, out: HandSample): void {
  out.held = r.readRange(0, count - 1) as BodyId;
  out.ownershipSequence = r.read(16) as Sequence;
  out.authoritySequence = r.read(16) as Sequence;
  for (let i = 0; i < 3; i++) out.offset[i] = r.readRange(-MAX_OFFSET, MAX_OFFSET);
  readRotation(r, out.offset);
}

function writeHeld(w: BitWriter, hand: Readonly<HandSample>, count: number): void {
  w.writeRange(hand.held, 0, count - 1);
  w.write(hand.ownershipSequence, 16);
  w.write(hand.authoritySequence, 16);
  for (let i = 0; i < 3; i++) w.writeRange(hand.offset[i], -MAX_OFFSET, MAX_OFFSET);
  writeRotation(w, hand.offset);
}

function writePose(w: BitWriter, pose: Int32Array): void {
  w.writeRange(pose[0], -MAX_ACROSS, MAX_ACROSS);
  w.writeRange(pose[1], HEIGHT_LOW, HEIGHT_HIGH);
  w.writeRange(pose[2], -MAX_ACROSS, MAX_ACROSS);
  writeRotation(w, pose);
}

function readPose(r: BitReader, out: Int32Array): void {
  out[0] = r.readRange(-MAX_ACROSS, MAX_ACROSS);
  out[1] = r.readRange(HEIGHT_LOW, HEIGHT_HIGH);
  out[2] = r.readRange(-MAX_ACROSS, MAX_ACROSS);
  readRotation(r, out);
}

function writeRotation(w: BitWriter, pose: Int32Array): void {
  w.write(pose[3], 2);
  for (let i = 4; i < POSE_NUMBERS; i++) w.writeRange(pose[i], -MAX_ROTATION, MAX_ROTATION);
}

function readRotation(r: BitReader, out: Int32Array): void {
  out[3] = r.read(2);
  for (let i = 4; i < POSE_NUMBERS; i++) out[i] = r.readRange(-MAX_ROTATION, MAX_ROTATION);
}

const NO_NAME = new Uint8Array(0);
