import {
  ANGULAR_DAMPING,
  GRAVITY,
  LINEAR_DAMPING,
  SOLVER_SUBSTEPS,
  TICK_SECONDS,
} from '../base/constants.ts';
import { MOTION, STATE, STRIDE } from '../base/state.ts';
import { dequantiseMotion, quantiseMotion } from './quantise.ts';

/**
 * What a body's state will be some ticks on. Writer and reader run this on the same numbers and must come to
 * the same result: nothing here but + - * / and square roots, rounded to 32-bit floats as the engine's are.
 */
export type Predictor =
  /** Free flight, exactly as the engine integrates it and the peer quantises it, tick by tick [W2]. */
  | 'ballistic'
  /** The same without gravity: a body that something carries. */
  | 'carried';

/** Ticks beyond which a baseline says nothing of the present: it is taken as it stands. */
export const MAX_PREDICTED_TICKS = 63;

const { fround } = Math;
const SUBSTEP = fround(TICK_SECONDS / SOLVER_SUBSTEPS);
const HALF_SUBSTEP = fround(SUBSTEP / 2);
const GRAVITY_STEP = fround(fround(-GRAVITY) * SUBSTEP);
const LINEAR_KEPT = fround(1 / fround(1 + fround(TICK_SECONDS) * fround(LINEAR_DAMPING)));
const ANGULAR_KEPT = fround(1 / fround(1 + fround(TICK_SECONDS) * fround(ANGULAR_DAMPING)));

/** The state `ticks` after `from` (STRIDE numbers at 0), written to `out`. */
export function predict(from: Int32Array, ticks: number, predictor: Predictor, out: Int32Array): void {
  out.set(from);
  if (ticks > MAX_PREDICTED_TICKS) return;
  const gravity = predictor === 'ballistic' ? GRAVITY_STEP : 0;
  for (let tick = 0; tick < ticks; tick++) {
    dequantiseMotion(out, 0, motion, 0);
    for (let i = 0; i < SOLVER_SUBSTEPS; i++) integrate(motion, gravity);
    for (let i = 0; i < 3; i++) {
      motion[MOTION.linear + i] *= LINEAR_KEPT;
      motion[MOTION.angular + i] *= ANGULAR_KEPT;
    }
    quantiseMotion(motion, 0, out);
  }
}

function integrate(m: Float32Array, gravity: number): void {
  m[MOTION.linear + 1] += gravity;
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
