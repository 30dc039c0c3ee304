import {
  ANGULAR_DAMPING,
  GRAVITY,
  LINEAR_DAMPING,
  SOLVER_SUBSTEPS,
  TICK_RATE,
  TICK_SECONDS,
} from '../../base/constants.ts';
import type { Quaternion } from '../../base/math.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import { dequantiseMotion, dequantiseRotation, quantiseMotion, VELOCITY_STEPS } from './quantise.ts';

/**
 * What a body's state will be some ticks on. Writer and reader run this on the same numbers and must come to
 * the same result: nothing here but + - * / and square roots, rounded to 32-bit floats where the engine's are.
 */

/** Steps of velocity that a falling body gains in a tick, damping apart; STANDARD.md has it: 167. */
export const FALL = Math.round((GRAVITY * VELOCITY_STEPS) / TICK_RATE);

/** Ticks beyond which a baseline says nothing of the present: it is taken as it stands. */
export const MAX_PREDICTED_TICKS = 63;

const { fround } = Math;
const SUBSTEP = fround(TICK_SECONDS / SOLVER_SUBSTEPS);
const HALF_SUBSTEP = fround(SUBSTEP / 2);
const GRAVITY_STEP = fround(fround(-GRAVITY) * SUBSTEP);
const LINEAR_KEPT = fround(1 / fround(1 + fround(TICK_SECONDS) * fround(LINEAR_DAMPING)));
const ANGULAR_KEPT = fround(1 / fround(1 + fround(TICK_SECONDS) * fround(ANGULAR_DAMPING)));

/**
 * Free flight, exactly as the engine integrates it and the peer quantises it, tick by tick [W2]: the state
 * `ticks` after `from` (STRIDE numbers at 0), written to `out`.
 */
export function predict(from: Int32Array, ticks: number, out: Int32Array): void {
  out.set(from);
  if (ticks > MAX_PREDICTED_TICKS) return;
  for (let tick = 0; tick < ticks; tick++) fly(out);
}

/** Free flight of one tick, in place. */
export function fly(state: Int32Array): void {
  dequantiseMotion(state, 0, motion, 0);
  for (let i = 0; i < SOLVER_SUBSTEPS; i++) integrate(motion);
  for (let i = 0; i < 3; i++) {
    motion[MOTION.linear + i] *= LINEAR_KEPT;
    motion[MOTION.angular + i] *= ANGULAR_KEPT;
  }
  quantiseMotion(motion, 0, state);
}

/** Turns the rotation of a state for some ticks with a velocity in steps. */
export function turn(from: Int32Array, angular: Float64Array, ticks: number, out: Quaternion): void {
  dequantiseRotation(from, STATE.largest, out);
  const half = ticks / TICK_RATE / VELOCITY_STEPS / 2;
  let x = angular[0] * half;
  let y = angular[1] * half;
  let z = angular[2] * half;
  const squares = x * x + y * y + z * z;
  const parts = squares < SMALL_TURN ? 1 : TURN_PARTS;
  // At once it takes the tangent of the half.
  const each = parts === 1 ? 1 + squares / 3 : 1 / TURN_PARTS;
  x *= each;
  y *= each;
  z *= each;
  for (let i = 0; i < parts; i++) {
    const nx = out.x + x * out.w + y * out.z - z * out.y;
    const ny = out.y - x * out.z + y * out.w + z * out.x;
    const nz = out.z + x * out.y - y * out.x + z * out.w;
    const nw = out.w - x * out.x - y * out.y - z * out.z;
    out.x = nx;
    out.y = ny;
    out.z = nz;
    out.w = nw;
  }
  const size = Math.sqrt(out.x * out.x + out.y * out.y + out.z * out.z + out.w * out.w);
  out.x /= size;
  out.y /= size;
  out.z /= size;
  out.w /= size;
}

/** Parts of a great turn: 90 degrees, turned at once, are off by 3. */
const TURN_PARTS = 6;
/** The square of half of a turn, in radians, below which it is turned at once: 23 degrees, off by less than 0.01. */
const SMALL_TURN = 0.04;

function integrate(m: Float32Array): void {
  m[MOTION.linear + 1] += GRAVITY_STEP;
  for (let i = 0; i < 3; i++) m[i] += fround(m[MOTION.linear + i] * SUBSTEP);
  const x = fround(m[MOTION.angular] * HALF_SUBSTEP);
  const y = fround(m[MOTION.angular + 1] * HALF_SUBSTEP);
  const z = fround(m[MOTION.angular + 2] * HALF_SUBSTEP);
  const r = MOTION.rotation;
  const [qx, qy, qz, qw] = [m[r], m[r + 1], m[r + 2], m[r + 3]];
  const nx = qx + x * qw + y * qz - z * qy;
  const ny = qy - x * qz + y * qw + z * qx;
  const nz = qz + x * qy - y * qx + z * qw;
  const nw = qw - x * qx - y * qy - z * qz;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  m[r] = nx / size;
  m[r + 1] = ny / size;
  m[r + 2] = nz / size;
  m[r + 3] = nw / size;
}

const motion = new Float32Array(STRIDE);
// The state's layout keeps the velocities where the motion's does; `predict` relies on it.
if ((STATE.linear as number) !== MOTION.linear) throw new Error('state and motion differ in layout');
