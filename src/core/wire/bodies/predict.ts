import { SOLVER_SUBSTEPS } from '../../base/constants.ts';
import type { Quaternion } from '../../base/math.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import type { FlightLaw } from './flight-law.ts';
import { dequantiseMotion, dequantiseRotation, quantiseFlight, VELOCITY_STEPS } from './quantise.ts';

/**
 * Predicts a body's state some ticks later. Writer and reader run this on the same numbers and must get the same result
 * to the last bit. So it uses only + - * / and square roots, which IEEE 754 defines exactly, and rounds to 32-bit
 * floats where the engine does. The method is the engine's: semi-implicit Euler in four substeps, then damping.
 */

const { fround } = Math;

/**
 * Free flight, exactly as the engine integrates it and the peer quantises it, tick by tick [W2]. For a body that turns
 * and is not even about its origin, it is a guess: STANDARD.md says why.
 * @param law of the body.
 * @param from STRIDE numbers of a state.
 * @param ticks more than `mostPredictedTicks` leave the state unchanged.
 * @param out gets the state `ticks` later.
 */
export function predict(law: FlightLaw, from: Int32Array, ticks: number, out: Int32Array): void {
  out.set(from);
  if (ticks >= law.kept.length) return;
  for (let tick = 0; tick < ticks; tick++) fly(law, out);
}

/** Advances a state (STRIDE numbers) by one tick of free flight, in place. */
export function fly(law: FlightLaw, state: Int32Array): void {
  dequantiseMotion(state, 0, motion, 0);
  for (let i = 0; i < SOLVER_SUBSTEPS; i++) integrate(motion, law);
  for (let i = 0; i < 3; i++) {
    motion[MOTION.linear + i] *= law.linearKept;
    motion[MOTION.angular + i] *= law.angularKept;
  }
  quantiseFlight(motion, 0, state);
}

/**
 * Turns the rotation of a state with a constant angular velocity: first-order quaternion integration, in several parts
 * for a great turn, normalised at the end.
 * @param from STRIDE numbers, of which the rotation counts.
 * @param angular three angular velocities, in steps of 1/VELOCITY_STEPS rad/s.
 * @param rate ticks a second.
 * @param out gets the unit rotation.
 */
export function turn(
  from: Int32Array,
  angular: Float64Array,
  ticks: number,
  rate: number,
  out: Quaternion,
): void {
  dequantiseRotation(from, STATE.largest, out);
  const half = ticks / rate / VELOCITY_STEPS / 2;
  let x = angular[0] * half;
  let y = angular[1] * half;
  let z = angular[2] * half;
  const squares = x * x + y * y + z * z;
  const parts = squares < SMALL_TURN ? 1 : TURN_PARTS;
  // A turn in one part uses the tangent of half the angle: tan(a) is about a (1 + a a / 3).
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

/** Parts of a great turn. 90 degrees in one part would err by 3 degrees. */
const TURN_PARTS = 6;
/**
 * The square of half the angle in radians, below which a turn takes one part: 23 degrees; it errs by less than 0.01
 * degrees.
 */
const SMALL_TURN = 0.04;

/** Advances a motion by a substep of the engine. */
function integrate(m: Float32Array, { substep, halfSubstep, gravityStep }: FlightLaw): void {
  m[MOTION.linear + 1] += gravityStep;
  for (let i = 0; i < 3; i++) m[i] += fround(m[MOTION.linear + i] * substep);
  const x = fround(m[MOTION.angular] * halfSubstep);
  const y = fround(m[MOTION.angular + 1] * halfSubstep);
  const z = fround(m[MOTION.angular + 2] * halfSubstep);
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
// A state has its velocities at the same offsets as a motion; other code relies on this.
if ((STATE.linear as number) !== MOTION.linear) throw new Error('state and motion differ in layout');
