import type { Pose, Quaternion, ReadonlyPose } from '../../core/base/math.ts';
import { normalize, rotate, setQuaternion, setVector, vector } from '../../core/base/math.ts';
import type { HandControls } from './hand-controls.ts';
import { clearControls } from './hand-controls.ts';

/**
 * A tracked hand has WebXR's 25 joints in WebXR's order. Each joint is a column-major matrix of 16 numbers in
 * metres: its -z points along the bone to the tip, its y out of the back of the hand.
 */
export const JOINT_COUNT = 25;
const MATRIX = 16;
export const JOINT_NUMBERS = JOINT_COUNT * MATRIX;

const WRIST = 0;
const THUMB_TIP = 4;
const INDEX_METACARPAL = 5;
const INDEX_KNUCKLE = 6;
const INDEX_TIP = 9;
const MIDDLE_KNUCKLE = 11;
const MIDDLE_TIP = 14;
/**
 * The knuckles of the index, middle, ring and little finger. The other joints of each finger follow; the tip
 * is the third of them.
 */
const KNUCKLES: readonly number[] = [INDEX_KNUCKLE, MIDDLE_KNUCKLE, 16, 21];

/** Metres between the tips of thumb and index finger: a full pinch, and no pinch. */
const PINCH_FULL = 0.01;
const PINCH_NONE = 0.04;
/**
 * Metres by which a closed pinch may open further. Core closes a hand at a grip of 0.75 and opens it at 0.6,
 * so a pinch closes at 1.75 cm and opens at 3.2 cm. A headset sees fingertips in front of each other only to
 * about a centimetre.
 */
const PINCH_KEPT = 0.01;

/**
 * The distance from a finger's knuckle to its tip as a fraction of the finger's length (1 is straight): a
 * full fist, and no fist.
 */
const FIST_FULL = 0.55;
const FIST_NONE = 0.85;
/** The same tolerance for a fist: it closes at a fraction of 0.625, and opens at 0.75. */
const FIST_KEPT = 0.08;
/** The tolerance counts from this grip on: core's own threshold for closing. */
const CLOSED = 0.75;

/**
 * Metres between the tips of the thumb and the middle finger: they touch, and they are apart again. The index finger is
 * away from the thumb meanwhile, else it is a pinch.
 */
const TAP_CLOSED = 0.012;
const TAP_OPEN = 0.025;

const STRAIGHT = 0.85;
const GRIPPING = 0.5;
/**
 * The distance from the thumb's tip to the index finger's knuckle, as a fraction of the palm's length: 0.4 if
 * the thumb lies on a fist.
 */
const THUMB_OUT = 0.55;

/** The state of a tracked hand in the last frame: pinch, fist and tap have separate tolerances. */
export type FingerState = { pinched: boolean; clenched: boolean; tapped: boolean };

/** The state of an open hand. */
export function fingerState(): FingerState {
  return { pinched: false, clenched: false, tapped: false };
}

/**
 * Reads the grip from pinch or fist. A tracked hand has no trigger and no stick; the thumb on the tip of the middle finger
 * is its lower button.
 */
export function readFingers(joints: Float32Array, state: FingerState, out: HandControls): void {
  clearControls(out);
  const apart = between(joints, THUMB_TIP, INDEX_TIP) - (state.pinched ? PINCH_KEPT : 0);
  const pinch = share(apart, PINCH_NONE, PINCH_FULL);
  state.pinched = pinch > CLOSED;

  let straightest = 0;
  for (const knuckle of KNUCKLES) straightest = Math.max(straightest, straightness(joints, knuckle));
  const fist = share(straightest - (state.clenched ? FIST_KEPT : 0), FIST_NONE, FIST_FULL);
  state.clenched = fist > CLOSED;

  const tap = between(joints, THUMB_TIP, MIDDLE_TIP);
  state.tapped = pinch === 0 && tap < (state.tapped ? TAP_OPEN : TAP_CLOSED);
  out.down.lower = state.tapped;

  out.pinch = pinch;
  out.grip = Math.max(pinch, fist);
  out.pointing = out.grip < GRIPPING && straightness(joints, INDEX_KNUCKLE) > STRAIGHT;
  const palm = between(joints, WRIST, MIDDLE_KNUCKLE);
  out.thumbUp = fist > GRIPPING && between(joints, THUMB_TIP, INDEX_KNUCKLE) > THUMB_OUT * palm;
}

/**
 * Writes the pose of a hand from its joints: at the place of the pinch, and turned like the palm below the
 * index finger. The finger's own direction is not used: it bends, and would tilt the held body.
 */
export function readPalm(joints: Float32Array, out: Pose): void {
  const [thumb, index] = [THUMB_TIP * MATRIX + 12, INDEX_TIP * MATRIX + 12];
  setVector(
    out.position,
    (joints[thumb] + joints[index]) / 2,
    (joints[thumb + 1] + joints[index + 1]) / 2,
    (joints[thumb + 2] + joints[index + 2]) / 2,
  );
  rotationAt(joints, INDEX_METACARPAL * MATRIX, out.rotation);
}

/** Writes all joints, moved by a pose, into another array. */
export function moveJoints(by: ReadonlyPose, joints: Float32Array, out: Float32Array): void {
  for (let at = 0; at < JOINT_NUMBERS; at += 4) {
    const isPosition = at % MATRIX === 12;
    rotate(by.rotation, setVector(column, joints[at], joints[at + 1], joints[at + 2]), column);
    out[at] = column.x + (isPosition ? by.position.x : 0);
    out[at + 1] = column.y + (isPosition ? by.position.y : 0);
    out[at + 2] = column.z + (isPosition ? by.position.z : 0);
    out[at + 3] = joints[at + 3];
  }
}

function straightness(joints: Float32Array, knuckle: number): number {
  const bones =
    between(joints, knuckle, knuckle + 1) +
    between(joints, knuckle + 1, knuckle + 2) +
    between(joints, knuckle + 2, knuckle + 3);
  return bones > 0 ? between(joints, knuckle, knuckle + 3) / bones : 1;
}

function between(joints: Float32Array, a: number, b: number): number {
  const [p, q] = [a * MATRIX + 12, b * MATRIX + 12];
  const x = joints[p] - joints[q];
  const y = joints[p + 1] - joints[q + 1];
  const z = joints[p + 2] - joints[q + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Returns 0 at `none`, 1 at `full`, and linear values between them. */
function share(value: number, none: number, full: number): number {
  return Math.min(1, Math.max(0, (value - none) / (full - none)));
}

/**
 * Writes the rotation of the matrix at `m`. It starts from the largest of the four numbers, where the result
 * is most exact.
 */
function rotationAt(joints: Float32Array, m: number, out: Quaternion): Quaternion {
  const [xx, yy, zz] = [joints[m], joints[m + 5], joints[m + 10]];
  const [yx, zx, xy] = [joints[m + 1], joints[m + 2], joints[m + 4]];
  const [zy, xz, yz] = [joints[m + 6], joints[m + 8], joints[m + 9]];
  if (xx + yy + zz > 0) setQuaternion(out, zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz);
  else if (xx > yy && xx > zz) setQuaternion(out, 1 + xx - yy - zz, xy + yx, xz + zx, zy - yz);
  else if (yy > zz) setQuaternion(out, xy + yx, 1 + yy - xx - zz, yz + zy, xz - zx);
  else setQuaternion(out, xz + zx, yz + zy, 1 + zz - xx - yy, yx - xy);
  return normalize(out, out);
}

const column = vector();
