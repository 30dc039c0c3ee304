import {
  BOUND_ACROSS,
  BOUND_HIGH,
  BOUND_LOW,
  MAX_ANGULAR_SPEED,
  MAX_HOLD_DISTANCE,
  MAX_LINEAR_SPEED,
} from '../../base/constants.ts';
import type { Pose, Quaternion, ReadonlyPose } from '../../base/math.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';

/**
 * [W2] From what the engine has to whole numbers, and back. Both sides use the numbers, so that they
 * extrapolate from the same state. STANDARD.md gives the grids.
 */

/** Steps per metre. */
export const POSITION_STEPS = 4096;
/** Bits of each of the three smaller components of a rotation, which lie within ±1/√2. */
const ROTATION_BITS = 15;
/** Steps per metre a second, and per radian a second. */
export const VELOCITY_STEPS = 1024;

/** The greatest number on each grid; the least is its negative (of height: HEIGHT_LOW). 19, 18, 15, 17 bits. */
export const MAX_ACROSS = BOUND_ACROSS * POSITION_STEPS - 1;
export const HEIGHT_LOW = BOUND_LOW * POSITION_STEPS;
export const HEIGHT_HIGH = BOUND_HIGH * POSITION_STEPS - 1;
export const MAX_ROTATION = (1 << (ROTATION_BITS - 1)) - 1;
/** What is held lies at most this far from its hand, in each direction [W7]: 18 bits. */
export const MAX_OFFSET = (MAX_HOLD_DISTANCE + 1) * POSITION_STEPS - 1;
export const MAX_LINEAR = MAX_LINEAR_SPEED * VELOCITY_STEPS - 1;
export const MAX_ANGULAR = MAX_ANGULAR_SPEED * VELOCITY_STEPS - 1;

/** [W2] Steps by which another component must exceed the largest before it takes over: more than a coarse grid errs. */
const LARGEST_MARGIN = 80;
/** Steps per 1. A smaller component is at most 1/√2, and a little more where the margin lets it: both fit. */
const ROTATION_STEPS = Math.SQRT2 * (MAX_ROTATION - LARGEST_MARGIN);

/** The ends of each number of a state. */
export const LEAST_STATE = Int32Array.from(ends(-1, HEIGHT_LOW, 0));
export const MOST_STATE = Int32Array.from(ends(1, HEIGHT_HIGH, 3));

function ends(side: number, height: number, largest: number): number[] {
  const [across, r, v, w] = [MAX_ACROSS, MAX_ROTATION, MAX_LINEAR, MAX_ANGULAR].map((most) => side * most);
  return [across, height, across, largest, r, r, r, v, v, v, w, w, w];
}

/**
 * [W2] The faster a body goes, the coarser its grid: nobody sees a millimetre at 2 m/s. A *grain* is how many of
 * these speeds, in steps, are exceeded by the greatest of three velocities: 1/8, 1/2 and 2 m/s or rad/s. The linear
 * ones give the grain of where the body is, the angular ones that of how it is turned.
 */
const GRAIN_SPEEDS = [128, 512, 2048] as const;
export const COARSEST_GRID = GRAIN_SPEEDS.length;
/** The grain by the bits of the greatest velocity less 1, since the speeds are powers of 2. */
const GRAIN_OF_BITS = Uint8Array.from(
  { length: 33 },
  (_, bits) => GRAIN_SPEEDS.filter((speed) => bits >= 32 - Math.clz32(speed)).length,
);
/** By how many powers of 2 a grid is coarser than its grain, once that is not 0: each errs by about as much. */
const POSITION_SHIFT = 0;
const ROTATION_SHIFT = 2;
const LINEAR_SHIFT = 1;
const ANGULAR_SHIFT = 2;
/** The steps of each number of a state as powers of 2, STRIDE a grain; and the ends of its grid. */
const GRAIN_BITS = Int32Array.from([...Array(COARSEST_GRID + 1).keys()].flatMap(grainBits));
const GRAIN_LEAST = GRAIN_BITS.map((bits, i) => -((-LEAST_STATE[i % STRIDE] >> bits) << bits));
const GRAIN_MOST = GRAIN_BITS.map((bits, i) => (MOST_STATE[i % STRIDE] >> bits) << bits);

function grainBits(grain: number): number[] {
  const bits = (shift: number): number => (grain === 0 ? 0 : grain + shift);
  const [p, r, v, w] = [POSITION_SHIFT, ROTATION_SHIFT, LINEAR_SHIFT, ANGULAR_SHIFT].map(bits);
  return [p, p, p, 0, r, r, r, v, v, v, w, w, w];
}

/** The grain of the three velocities at `state[at]`. */
export function gridOf(state: Int32Array, at: number): number {
  const most = Math.max(Math.abs(state[at]), Math.abs(state[at + 1]), Math.abs(state[at + 2]));
  return GRAIN_OF_BITS[32 - Math.clz32(Math.max(0, most - 1))];
}

/** The step of the grid of a state's number, as a power of 2. */
export function gridShift(at: number, grain: number): number {
  return GRAIN_BITS[grain * STRIDE + at];
}

/** The number on the grid of a grain that is nearest to a whole one. */
export function snapToGrid(value: number, at: number, grain: number): number {
  const of = grain * STRIDE + at;
  const bits = GRAIN_BITS[of];
  const near = ((value + ((1 << bits) >> 1)) >> bits) << bits;
  return Math.max(GRAIN_LEAST[of], Math.min(GRAIN_MOST[of], near));
}

/** True if every number of a state is on the grid of its grain. */
export function isOnGrid(state: Int32Array): boolean {
  const moving = gridOf(state, STATE.linear);
  const turning = gridOf(state, STATE.angular);
  for (let i = 0; i < STRIDE; i++) {
    const grain = i < STATE.largest || (i >= STATE.linear && i < STATE.angular) ? moving : turning;
    if (state[i] !== snapToGrid(state[i], i, grain)) return false;
  }
  return true;
}

/**
 * The numbers of a rotation: four at `out[at]`. `largest` is the component that was the largest, or -1; `grain` that
 * of its turning.
 */
export function quantiseRotation(
  q: Readonly<Quaternion>,
  largest: number,
  out: Int32Array,
  at: number,
  grain = 0,
): void {
  toScratch(q);
  const index = greatestOf();
  if (largest >= 0 && largest !== index) {
    // Judged by the grid's own numbers, so that what was quantised so is quantised so again.
    quantiseOthers(largest, out, at, grain);
    if (withinMargin(out, at)) return;
  }
  quantiseOthers(index, out, at, grain);
}

function toScratch({ x, y, z, w }: Readonly<Quaternion>): void {
  scratch[0] = x;
  scratch[1] = y;
  scratch[2] = z;
  scratch[3] = w;
}

/** The greatest of four in `scratch`, from w on: what is no rotation at all becomes none. */
function greatestOf(): number {
  let index = 3;
  for (let i = 0; i < 3; i++) if (Math.abs(scratch[i]) > Math.abs(scratch[index])) index = i;
  return index;
}

/** The rotation in `scratch` without the component `index`, the sign of which all others take. */
function quantiseOthers(index: number, out: Int32Array, at: number, grain: number): void {
  const scale = scratch[index] < 0 ? -ROTATION_STEPS : ROTATION_STEPS;
  out[at] = index;
  for (let i = 0, k = 1; i < 4; i++) {
    if (i === index) continue;
    const near = clampRound(scratch[i] * scale, -MAX_ROTATION, MAX_ROTATION);
    out[at + k++] = grain === 0 ? near : snapToGrid(near, STATE.rotation, grain);
  }
}

/** The component that a rotation leaves out, if it last left out `last` (or -1). */
export function largestOf(q: Readonly<Quaternion>, last: number): number {
  toScratch(q);
  if (greatestOf() === last) return last;
  quantiseRotation(q, last, found, 0);
  return found[0];
}

/** The three numbers of a rotation that leaves out the component `index`, written to `out`. */
export function componentsOf(q: Readonly<Quaternion>, index: number, out: Int32Array): void {
  toScratch(q);
  quantiseOthers(index, found, 0, 0);
  for (let i = 0; i < 3; i++) out[i] = found[i + 1];
}

/** True if none of a rotation's three numbers exceeds its largest component by more than the margin. */
function withinMargin(from: Int32Array, at: number): boolean {
  let squares = 0;
  let most = 0;
  for (let k = 1; k < 4; k++) {
    squares += from[at + k] * from[at + k];
    most = Math.max(most, Math.abs(from[at + k]));
  }
  const largest = Math.sqrt(Math.max(0, ROTATION_STEPS * ROTATION_STEPS - squares));
  return most <= largest + LARGEST_MARGIN;
}

/** The unit rotation of four numbers at `from[at]`. */
export function dequantiseRotation(from: Int32Array, at: number, out: Quaternion): Quaternion {
  const index = from[at];
  let squares = 0;
  for (let i = 0, k = 1; i < 4; i++) {
    if (i === index) continue;
    const value = from[at + k++] / ROTATION_STEPS;
    scratch[i] = value;
    squares += value * value;
  }
  // Three numbers at their limits may exceed a unit rotation: then the largest is 0, and all are scaled.
  scratch[index] = Math.sqrt(Math.max(0, 1 - squares));
  const scale = squares > 1 ? 1 / Math.sqrt(squares) : 1;
  out.x = scratch[0] * scale;
  out.y = scratch[1] * scale;
  out.z = scratch[2] * scale;
  out.w = scratch[3] * scale;
  return out;
}

/**
 * A motion's numbers: STRIDE at `out[at]`. What lies beyond a grid is set to its edge, what is not a number
 * to 0. `out` must hold the body's last state, or -1 as its largest component: a rotation keeps its largest
 * component until another clearly exceeds it.
 */
export function quantiseMotion(motion: Float32Array, at: number, out: Int32Array): void {
  putOnGrid(motion, at, VELOCITY_STEPS, STATE.linear, STRIDE, out);
  const moving = gridOf(out, at + STATE.linear);
  const turning = gridOf(out, at + STATE.angular);
  putOnGrid(motion, at, POSITION_STEPS, 0, STATE.largest, out);
  const r = at + MOTION.rotation;
  rotation.x = motion[r];
  rotation.y = motion[r + 1];
  rotation.z = motion[r + 2];
  rotation.w = motion[r + 3];
  quantiseRotation(rotation, out[at + STATE.largest], out, at + STATE.largest, turning);
  // What is rounded down to a speed of GRAIN_SPEEDS is of the finer grain, whose grid has all numbers of the coarser.
  for (let i = 0; i < 3; i++) {
    out[at + i] = snapToGrid(out[at + i], i, moving);
    const v = STATE.linear + i;
    const w = STATE.angular + i;
    out[at + v] = snapToGrid(out[at + v], v, moving);
    out[at + w] = snapToGrid(out[at + w], w, turning);
  }
}

/** The numbers `from` to `to` of a motion, which lie in a state where they lie in a motion. */
function putOnGrid(
  motion: Float32Array,
  at: number,
  steps: number,
  from: number,
  to: number,
  out: Int32Array,
): void {
  // In a loop of its own: a fraction that is handed to a function may be garbage.
  for (let i = from; i < to; i++) {
    const whole = Math.round(motion[at + i] * steps);
    const least = LEAST_STATE[i];
    out[at + i] = whole >= least ? Math.min(whole, MOST_STATE[i]) : whole < least ? least : 0;
  }
}

/** The motion of STRIDE numbers at `state[from]`, written to `out[to]`. */
export function dequantiseMotion(state: Int32Array, from: number, out: Float32Array, to: number): void {
  for (let i = 0; i < 3; i++) {
    out[to + MOTION.position + i] = state[from + STATE.position + i] / POSITION_STEPS;
    out[to + MOTION.linear + i] = state[from + STATE.linear + i] / VELOCITY_STEPS;
    out[to + MOTION.angular + i] = state[from + STATE.angular + i] / VELOCITY_STEPS;
  }
  dequantiseRotation(state, from + STATE.largest, rotation);
  out[to + MOTION.rotation] = rotation.x;
  out[to + MOTION.rotation + 1] = rotation.y;
  out[to + MOTION.rotation + 2] = rotation.z;
  out[to + MOTION.rotation + 3] = rotation.w;
}

/** Numbers of a quantised pose: three of position, four of rotation. */
export const POSE_NUMBERS = 7;

/** True if two quantised poses are the same. */
export function sameQuantised(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < POSE_NUMBERS; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A loop, since `set` of a typed array takes longer than so few. */
export function copyQuantised(from: Int32Array, out: Int32Array): void {
  for (let i = 0; i < POSE_NUMBERS; i++) out[i] = from[i];
}

/**
 * Steps of a body's position, and of its rotation, in one of an avatar's, as powers of 2 and as they are: 1 mm and 0.1
 * degrees, which nobody sees.
 */
export const POSE_BITS = 2;
export const TURN_BITS = 4;
export const POSE_STEP = 1 << POSE_BITS;
export const TURN_STEP = 1 << TURN_BITS;

/** A head's or a hand's pose: a body's numbers, but on the avatar's grid. */
export function quantisePose(from: ReadonlyPose, out: Int32Array, at: number): void {
  const { x, y, z } = from.position;
  out[at] = coarse(x * POSITION_STEPS, POSE_STEP, 0);
  out[at + 1] = coarse(y * POSITION_STEPS, POSE_STEP, 1);
  out[at + 2] = coarse(z * POSITION_STEPS, POSE_STEP, 2);
  quantiseRotation(from.rotation, -1, out, at + 3);
  for (let i = 4; i < POSE_NUMBERS; i++) out[at + i] = coarse(out[at + i], TURN_STEP, i);
}

function coarse(value: number, step: number, at: number): number {
  const most = Math.floor(MOST_STATE[at] / step);
  const least = Math.ceil(LEAST_STATE[at] / step);
  return clampRound(value / step, least, most) * step;
}

/** [W7] A pose in the frame of a hand: the same numbers, the position within ±MAX_OFFSET. */
export function quantiseOffset(from: ReadonlyPose, out: Int32Array): void {
  out[0] = clampRound(from.position.x * POSITION_STEPS, -MAX_OFFSET, MAX_OFFSET);
  out[1] = clampRound(from.position.y * POSITION_STEPS, -MAX_OFFSET, MAX_OFFSET);
  out[2] = clampRound(from.position.z * POSITION_STEPS, -MAX_OFFSET, MAX_OFFSET);
  quantiseRotation(from.rotation, -1, out, 3);
}

export function dequantisePose(from: Int32Array, at: number, out: Pose): Pose {
  out.position.x = from[at] / POSITION_STEPS;
  out.position.y = from[at + 1] / POSITION_STEPS;
  out.position.z = from[at + 2] / POSITION_STEPS;
  dequantiseRotation(from, at + 3, out.rotation);
  return out;
}

function clampRound(value: number, low: number, high: number): number {
  const whole = Math.round(value);
  return whole >= low ? (whole <= high ? whole : high) : whole < low ? low : 0;
}

const scratch = new Float64Array(4);
const found = new Int32Array(4);
const rotation: Quaternion = { x: 0, y: 0, z: 0, w: 1 };
