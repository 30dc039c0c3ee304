import { interpolationWeights } from '../../base/interpolate.ts';
import type { Pose } from '../../base/math.ts';
import {
  copyQuaternion,
  dot,
  normalize,
  pose,
  quaternion,
  setQuaternion,
  setVector,
} from '../../base/math.ts';
import { dequantisePose, POSITION_STEPS } from '../../wire/bodies/quantise.ts';

/** Samples before a moment that a curve goes through, and as many after it. */
export const REACH = 3;
/** Metres a tick that no hand moves, 30 m/s: one that does was put elsewhere, and no curve leads there. */
const JUMP = 0.5;
/** Ticks between two samples past which the way is straight: the curve of a longer pause would swing out. */
const PAUSE = 3;

/** Quantised poses, REACH before a moment and REACH after it; null where there is none that counts. */
export type SampleWindow = readonly (Int32Array | null)[];

/**
 * The pose at a moment on the curve through the samples around it, as many on either side. With one on either
 * side that is a straight line, which alone takes a sixth off the bends of a hand's path; with none after it, the
 * last one. Without any before it `out` stays as it is.
 * @param times of the samples, in ticks, each later than the one before; those of missing ones don't count.
 */
export function curvePose(row: SampleWindow, times: Float64Array, moment: number, out: Pose): Pose {
  const before = row[REACH - 1];
  if (before === null) return out;
  const first = REACH - reach(row, times);
  if (first === REACH || moment <= times[REACH - 1]) return dequantisePose(before, 0, out);
  const count = 2 * (REACH - first);
  for (let i = 0; i < count; i++) around[i] = times[first + i];
  interpolationWeights(around, count, Math.min(moment, times[REACH]), weights);
  return weightedSum(row, first, count, before, out);
}

/** How many samples on either side count. */
function reach(row: SampleWindow, times: Float64Array): number {
  if (row[REACH] === null) return 0;
  if (times[REACH] - times[REACH - 1] > PAUSE || jumps(row, times, REACH)) return 1;
  let n = 1;
  while (n < REACH && leads(row, times, REACH - n) && leads(row, times, REACH + n)) n++;
  return n;
}

/** True if the curve goes on from the sample before an index to the one at it: not through a pause, nor a jump. */
function leads(row: SampleWindow, times: Float64Array, index: number): boolean {
  if (row[index - 1] === null || row[index] === null) return false;
  return times[index] - times[index - 1] <= PAUSE && !jumps(row, times, index);
}

function jumps(row: SampleWindow, times: Float64Array, index: number): boolean {
  const from = row[index - 1];
  const to = row[index];
  if (from === null || to === null) return false;
  const x = to[0] - from[0];
  const y = to[1] - from[1];
  const z = to[2] - from[2];
  return Math.sqrt(x * x + y * y + z * z) > JUMP * POSITION_STEPS * (times[index] - times[index - 1]);
}

/** @param near of the two signs of each rotation that counts which is nearer to this one's: they must not cancel. */
function weightedSum(row: SampleWindow, first: number, count: number, near: Int32Array, out: Pose): Pose {
  const { position: p, rotation: q } = out;
  setVector(p, 0, 0, 0);
  setQuaternion(q, 0, 0, 0, 0);
  copyQuaternion(dequantisePose(near, 0, one).rotation, sign);
  for (let i = 0; i < count; i++) {
    const from = row[first + i];
    if (from === null) continue;
    const { position, rotation: r } = dequantisePose(from, 0, one);
    const weight = weights[i];
    p.x += position.x * weight;
    p.y += position.y * weight;
    p.z += position.z * weight;
    const w = dot(r, sign) < 0 ? -weight : weight;
    q.x += r.x * w;
    q.y += r.y * w;
    q.z += r.z * w;
    q.w += r.w * w;
  }
  normalize(q, q);
  return out;
}

const around = new Float64Array(2 * REACH);
const weights = new Float64Array(2 * REACH);
const one = pose();
const sign = quaternion();
