import {
  MAX_ANGULAR_SPEED,
  MAX_HOLD_DISTANCE,
  MAX_LINEAR_SPEED,
  MAX_POSITION_METRES,
} from '../../base/constants.ts';
import type { Pose, Quaternion, ReadonlyPose } from '../../base/math.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import { fillDither } from './dither.ts';

/**
 * [W2] Turns the engine's motions into whole numbers (states), and back. Both ends use the whole numbers, so that they
 * predict from the same state. A rotation is sent as its smallest three components (Fiedler, "Snapshot Compression",
 * 2015): the index of the largest, and the three others; its sign is chosen so that the largest is positive.
 * STANDARD.md gives the grids.
 */

/** Steps of position per metre. */
export const POSITION_STEPS = 4096;
/** Bits of each of the three smaller components of a rotation, which lie within ±1/√2. */
const ROTATION_BITS = 15;
/** Steps of velocity per metre a second, and per radian a second. */
export const VELOCITY_STEPS = 1024;

/** The greatest number on each grid. The least is its negative. 23, 15, 17 bits. */
export const MAX_POSITION = MAX_POSITION_METRES * POSITION_STEPS - 1;
export const MAX_ROTATION = (1 << (ROTATION_BITS - 1)) - 1;
/** The greatest offset of a held body from its hand, in steps along each axis [W7]: 18 bits. */
export const MAX_OFFSET = (MAX_HOLD_DISTANCE + 1) * POSITION_STEPS - 1;
export const MAX_LINEAR = MAX_LINEAR_SPEED * VELOCITY_STEPS - 1;
export const MAX_ANGULAR = MAX_ANGULAR_SPEED * VELOCITY_STEPS - 1;

/** [W2] Steps by which another component must exceed the largest to replace it: more than a coarse grid errs. */
const LARGEST_MARGIN = 80;
/** Steps per 1. A smaller component is at most 1/√2, or a little more because of the margin; both fit. */
const ROTATION_STEPS = Math.SQRT2 * (MAX_ROTATION - LARGEST_MARGIN);

/** The least and the greatest value of each of a state's STRIDE numbers. */
export const LEAST_STATE = Int32Array.from(ends(-1, 0));
export const MOST_STATE = Int32Array.from(ends(1, 3));

function ends(side: number, largest: number): number[] {
  const [p, r, v, w] = [MAX_POSITION, MAX_ROTATION, MAX_LINEAR, MAX_ANGULAR].map((most) => side * most);
  return [p, p, p, largest, r, r, r, v, v, v, w, w, w];
}

/**
 * [W2] The faster a body is, the coarser its grid: nobody sees a millimetre at 2 m/s. A grid has a number, 0 (fine)
 * to 3: how many of these speeds the greatest of three velocities exceeds. They are in steps, 1/8, 1/2 and 2 m/s or
 * rad/s. The linear velocities give the grid of the position, the angular velocities that of the rotation.
 */
const GRID_SPEEDS = [128, 512, 2048] as const;
export const COARSEST_GRID = GRID_SPEEDS.length;
/** The grid for each count of bits of the greatest velocity less 1; this works since the speeds are powers of 2. */
const GRID_OF_BITS = Uint8Array.from(
  { length: 33 },
  (_, bits) => GRID_SPEEDS.filter((speed) => bits >= 32 - Math.clz32(speed)).length,
);
/**
 * Grid 1 has steps of 2^(1 + shift), grid 2 of twice that, grid 3 of four times: all four quantities err about alike.
 */
const POSITION_SHIFT = 0;
const ROTATION_SHIFT = 2;
const LINEAR_SHIFT = 1;
const ANGULAR_SHIFT = 2;
/** For each grid STRIDE numbers: the binary logarithm of the step, and the least and greatest value on the grid. */
const GRID_SHIFTS = Int32Array.from([...Array(COARSEST_GRID + 1).keys()].flatMap(gridShifts));
const GRID_LEAST = GRID_SHIFTS.map((bits, i) => -((-LEAST_STATE[i % STRIDE] >> bits) << bits));
const GRID_MOST = GRID_SHIFTS.map((bits, i) => (MOST_STATE[i % STRIDE] >> bits) << bits);

function gridShifts(grid: number): number[] {
  const bits = (shift: number): number => (grid === 0 ? 0 : grid + shift);
  const [p, r, v, w] = [POSITION_SHIFT, ROTATION_SHIFT, LINEAR_SHIFT, ANGULAR_SHIFT].map(bits);
  return [p, p, p, 0, r, r, r, v, v, v, w, w, w];
}

/** The grid, 0 to COARSEST_GRID, that belongs to the three velocities from `state[at]` on. */
export function gridOf(state: Int32Array, at: number): number {
  const most = Math.max(Math.abs(state[at]), Math.abs(state[at + 1]), Math.abs(state[at + 2]));
  return GRID_OF_BITS[32 - Math.clz32(Math.max(0, most - 1))];
}

/** The binary logarithm of the step of the state's number `at`, 0 to STRIDE - 1, on a grid. */
export function gridShift(at: number, grid: number): number {
  return GRID_SHIFTS[grid * STRIDE + at];
}

/** The step of the linear velocities of the state at `state[at]` on, in steps of the fine grid. */
export function linearStep(state: Int32Array, at: number): number {
  return 1 << gridShift(STATE.linear, gridOf(state, at + STATE.linear));
}

/** The value on a grid that is nearest to a whole number; `at` is the number's place in a state. */
export function snapToGrid(value: number, at: number, grid: number): number {
  const of = grid * STRIDE + at;
  const bits = GRID_SHIFTS[of];
  const near = ((value + ((1 << bits) >> 1)) >> bits) << bits;
  return Math.max(GRID_LEAST[of], Math.min(GRID_MOST[of], near));
}

/** True if every number of a state is on the grid that its velocities give. */
export function isOnGrid(state: Int32Array): boolean {
  const moving = gridOf(state, STATE.linear);
  const turning = gridOf(state, STATE.angular);
  for (let i = 0; i < STRIDE; i++) {
    const grid = i < STATE.largest || (i >= STATE.linear && i < STATE.angular) ? moving : turning;
    if (state[i] !== snapToGrid(state[i], i, grid)) return false;
  }
  return true;
}

/**
 * Writes the four numbers of a rotation from `out[at]` on: the index of the largest component, and the three others.
 * @param largest the component that counted as the largest before, or -1: it stays while none exceeds it clearly.
 * @param grid the grid of its angular velocities.
 * @param offsets as in putOnGrid.
 */
export function quantiseRotation(
  q: Readonly<Quaternion>,
  largest: number,
  out: Int32Array,
  at: number,
  grid = 0,
  offsets: Float64Array = NEAREST,
): void {
  const xyzw = toArray(q, scratch);
  const index = largestIn(xyzw);
  if (largest >= 0 && largest !== index) {
    // The test uses the quantised numbers, so that quantising a dequantised rotation gives the same numbers again.
    quantiseOthers(xyzw, largest, out, at, grid, offsets);
    if (withinMargin(out, at)) return;
  }
  quantiseOthers(xyzw, index, out, at, grid, offsets);
}

function toArray({ x, y, z, w }: Readonly<Quaternion>, out: Float64Array): Float64Array {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
  return out;
}

/** The index of the largest component; w before x before y before z, so that four zeros give the identity. */
function largestIn(xyzw: Float64Array): number {
  let index = 3;
  for (let i = 0; i < 3; i++) if (Math.abs(xyzw[i]) > Math.abs(xyzw[index])) index = i;
  return index;
}

/** Writes the numbers of a rotation without the component `index`. If that is negative, the others change sign. */
function quantiseOthers(
  xyzw: Float64Array,
  index: number,
  out: Int32Array,
  at: number,
  grid: number,
  offsets: Float64Array,
): void {
  const bits = gridShift(STATE.rotation, grid);
  const scale = (xyzw[index] < 0 ? -ROTATION_STEPS : ROTATION_STEPS) / (1 << bits);
  const most = MAX_ROTATION >> bits;
  out[at] = index;
  for (let i = 0, k = 1; i < 4; i++) {
    if (i === index) continue;
    const whole = Math.floor(xyzw[i] * scale + offsets[STATE.largest + k]);
    // NaN becomes 0.
    out[at + k++] = (whole >= -most ? Math.min(whole, most) : whole < -most ? -most : 0) << bits;
  }
}

/**
 * The component that quantiseRotation leaves out of a rotation, 0 to 3; `last` is the one it left out before, or -1.
 */
export function largestOf(q: Readonly<Quaternion>, last: number): number {
  if (largestIn(toArray(q, scratch)) === last) return last;
  quantiseRotation(q, last, found, 0);
  return found[0];
}

/** Writes to `out` the three numbers of a rotation without the component `index`, on the fine grid. */
export function componentsOf(q: Readonly<Quaternion>, index: number, out: Int32Array): void {
  quantiseOthers(toArray(q, scratch), index, found, 0, 0, NEAREST);
  for (let i = 0; i < 3; i++) out[i] = found[i + 1];
}

/** True if none of the three numbers from `from[at + 1]` on exceeds the largest component by more than the margin. */
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

/** The unit rotation of the four numbers from `from[at]` on, in `out`, which is returned. */
export function dequantiseRotation(from: Int32Array, at: number, out: Quaternion): Quaternion {
  const index = from[at];
  let squares = 0;
  for (let i = 0, k = 1; i < 4; i++) {
    if (i === index) continue;
    const value = from[at + k++] / ROTATION_STEPS;
    scratch[i] = value;
    squares += value * value;
  }
  // Three great numbers may be longer than a unit rotation: then the largest is 0, and all are scaled down.
  scratch[index] = Math.sqrt(Math.max(0, 1 - squares));
  const scale = squares > 1 ? 1 / Math.sqrt(squares) : 1;
  out.x = scratch[0] * scale;
  out.y = scratch[1] * scale;
  out.z = scratch[2] * scale;
  out.w = scratch[3] * scale;
  return out;
}

/**
 * Quantises STRIDE numbers of a motion, from `motion[at]` on, to `out[at]` on, each to the nearest number on its grid. A
 * value beyond a grid becomes the grid's end, NaN becomes 0. `out` must hold the body's last state there, or -1 as its
 * largest component, since a rotation keeps its largest component until another clearly exceeds it.
 */
export function quantiseMotion(motion: Float32Array, at: number, out: Int32Array): void {
  quantiseWith(motion, at, out, NEAREST);
}

/**
 * [W2] The same after a tick of free flight, dithered: a number becomes one of its two neighbours on the grid, each the
 * more often the nearer it is. So drag that is smaller than half a step counts on average. The choice follows from the
 * state before the tick, which `out` must hold; all who know that state choose alike.
 */
export function quantiseFlight(motion: Float32Array, at: number, out: Int32Array): void {
  fillDither(out, at, dither);
  quantiseWith(motion, at, out, dither);
}

function quantiseWith(motion: Float32Array, at: number, out: Int32Array, offsets: Float64Array): void {
  putOnGrid(motion, at, STATE.linear, STRIDE, 0, out, offsets);
  const moving = gridOf(out, at + STATE.linear);
  const turning = gridOf(out, at + STATE.angular);
  // Where this gives a velocity of the next finer grid, that grid has it, too.
  if (moving > 0) putOnGrid(motion, at, STATE.linear, STATE.angular, moving, out, offsets);
  if (turning > 0) putOnGrid(motion, at, STATE.angular, STRIDE, turning, out, offsets);
  putOnGrid(motion, at, 0, STATE.largest, moving, out, offsets);
  const r = at + MOTION.rotation;
  rotation.x = motion[r];
  rotation.y = motion[r + 1];
  rotation.z = motion[r + 2];
  rotation.w = motion[r + 3];
  quantiseRotation(rotation, out[at + STATE.largest], out, at + STATE.largest, turning, offsets);
}

/**
 * Quantises the numbers `from` to `to` - 1 of a motion, which have the same offsets in a state, to a grid.
 * @param offsets for each number of a state what is added, in steps, before it is rounded down.
 */
function putOnGrid(
  motion: Float32Array,
  at: number,
  from: number,
  to: number,
  grid: number,
  out: Int32Array,
  offsets: Float64Array,
): void {
  const steps = from < STATE.largest ? POSITION_STEPS : VELOCITY_STEPS;
  // Not by a function of one number: a fraction that is handed to a function may be allocated.
  for (let i = from; i < to; i++) {
    const of = grid * STRIDE + i;
    const step = 1 << GRID_SHIFTS[of];
    const whole = Math.floor((motion[at + i] * steps) / step + offsets[i]) * step;
    const least = GRID_LEAST[of];
    out[at + i] = whole >= least ? Math.min(whole, GRID_MOST[of]) : whole < least ? least : 0;
  }
}

/**
 * Writes the motion of the state at `state[from]` on to `out[to]` on: STRIDE numbers, in metres, seconds and radians.
 */
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

/** Numbers of a quantised pose: three of the position, four of the rotation. */
export const POSE_NUMBERS = 7;

/** True if two quantised poses (POSE_NUMBERS at index 0, or states) are the same. */
export function sameQuantised(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < POSE_NUMBERS; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Copies a quantised pose. A loop, since TypedArray.set takes longer for so few numbers. */
export function copyQuantised(from: Int32Array, out: Int32Array): void {
  for (let i = 0; i < POSE_NUMBERS; i++) out[i] = from[i];
}

/**
 * The grid of an avatar: its step in steps of a body's position and rotation, as a binary logarithm and as a number.
 * These are 1 mm and 0.1 degrees, which nobody sees.
 */
export const POSE_BITS = 2;
export const TURN_BITS = 4;
export const POSE_STEP = 1 << POSE_BITS;
export const TURN_STEP = 1 << TURN_BITS;

/** Quantises the pose of a head or a hand to `out[at]` on: POSE_NUMBERS on the avatar's grid. */
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

/**
 * [W7] Quantises a pose in the frame of a hand: POSE_NUMBERS on a body's fine grid, the position within ±MAX_OFFSET.
 */
export function quantiseOffset(from: ReadonlyPose, out: Int32Array): void {
  out[0] = clampRound(from.position.x * POSITION_STEPS, -MAX_OFFSET, MAX_OFFSET);
  out[1] = clampRound(from.position.y * POSITION_STEPS, -MAX_OFFSET, MAX_OFFSET);
  out[2] = clampRound(from.position.z * POSITION_STEPS, -MAX_OFFSET, MAX_OFFSET);
  quantiseRotation(from.rotation, -1, out, 3);
}

/** The pose of the POSE_NUMBERS from `from[at]` on, in `out`, which is returned. */
export function dequantisePose(from: Int32Array, at: number, out: Pose): Pose {
  out.position.x = from[at] / POSITION_STEPS;
  out.position.y = from[at + 1] / POSITION_STEPS;
  out.position.z = from[at + 2] / POSITION_STEPS;
  dequantiseRotation(from, at + 3, out.rotation);
  return out;
}

/** The nearest whole number within `low` to `high`; 0 for NaN. */
function clampRound(value: number, low: number, high: number): number {
  const whole = Math.round(value);
  return whole >= low ? (whole <= high ? whole : high) : whole < low ? low : 0;
}

/** The offset that rounds each number of a state to the nearest. */
const NEAREST = new Float64Array(STRIDE).fill(0.5);
const dither = new Float64Array(STRIDE);
const scratch = new Float64Array(4);
const found = new Int32Array(4);
const rotation: Quaternion = { x: 0, y: 0, z: 0, w: 1 };
