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
export const SIDE_SAMPLES = 3;
/** Samples around a moment. */
export const WINDOW_SAMPLES = 2 * SIDE_SAMPLES;
/** Metres a second that no hand moves: a hand that does was put elsewhere, and no curve leads there. */
const JUMP = 30;
/** Seconds between two samples beyond which the path is straight: the curve of a longer pause would swing out. */
const PAUSE = 0.05;

/** The samples of one pose around a moment. */
export type PoseWindow = {
  /**
   * Quantised poses: SIDE_SAMPLES from before the moment, the nearest of them last, then SIDE_SAMPLES from after it. A
   * missing sample is null; only the outer ones may be missing.
   */
  readonly poses: (Int32Array | null)[];
  /** Their times in ticks, each later than the one before; those of missing samples do not count. */
  readonly times: Float64Array;
  /** The moment in ticks. */
  moment: number;
  /** Ticks a second. */
  readonly rate: number;
};

/** @returns a window without samples. */
export function poseWindow(rate: number): PoseWindow {
  return {
    poses: new Array<Int32Array | null>(WINDOW_SAMPLES).fill(null),
    times: new Float64Array(WINDOW_SAMPLES),
    moment: 0,
    rate,
  };
}

/**
 * The pose at the moment of a window: on the polynomial through as many samples on either side (Lagrange interpolation;
 * rotations by the normalised sum of their quaternions). With one sample on either side it is a straight line, which
 * alone takes a sixth off the bends of a hand's path. With no sample after the moment it is the last sample before it.
 * @param out is left as it is if there is no sample before the moment.
 * @returns out.
 */
export function curvePose(window: PoseWindow, out: Pose): Pose {
  const { poses, times, moment } = window;
  const before = poses[SIDE_SAMPLES - 1];
  if (before === null) return out;
  const side = usableSide(window);
  if (side === 0 || moment <= times[SIDE_SAMPLES - 1]) return dequantisePose(before, 0, out);
  const first = SIDE_SAMPLES - side;
  const count = 2 * side;
  for (let i = 0; i < count; i++) usedTimes[i] = times[first + i];
  interpolationWeights(usedTimes, count, Math.min(moment, times[SIDE_SAMPLES]), usedWeights);
  return sumPoses(poses, first, count, usedWeights, before, out);
}

/** The number of samples on either side, 0 to SIDE_SAMPLES, that a curve through the moment may use. */
function usableSide(window: PoseWindow): number {
  const { poses, times, rate } = window;
  const after = SIDE_SAMPLES;
  if (poses[after] === null) return 0;
  if (times[after] - times[after - 1] > PAUSE * rate || isJump(window, after)) return 1;
  let side = 1;
  while (side < SIDE_SAMPLES && isSmooth(window, after - side) && isSmooth(window, after + side)) side++;
  return side;
}

/** True if a curve may go from the sample before an index to the one at it: there is no pause and no jump. */
function isSmooth(window: PoseWindow, index: number): boolean {
  const { poses, times, rate } = window;
  if (poses[index - 1] === null || poses[index] === null) return false;
  return times[index] - times[index - 1] <= PAUSE * rate && !isJump(window, index);
}

function isJump({ poses, times, rate }: PoseWindow, index: number): boolean {
  const from = poses[index - 1];
  const to = poses[index];
  if (from === null || to === null) return false;
  const x = to[0] - from[0];
  const y = to[1] - from[1];
  const z = to[2] - from[2];
  return (
    Math.sqrt(x * x + y * y + z * z) > (JUMP / rate) * POSITION_STEPS * (times[index] - times[index - 1])
  );
}

/**
 * The weighted sum of some poses.
 * @param near a quaternion and its negative are the same rotation: of the two, the one nearer to this pose's is added,
 * or they would cancel.
 */
function sumPoses(
  poses: PoseWindow['poses'],
  first: number,
  count: number,
  weights: Float64Array,
  near: Int32Array,
  out: Pose,
): Pose {
  const { position: p, rotation: q } = out;
  setVector(p, 0, 0, 0);
  setQuaternion(q, 0, 0, 0, 0);
  copyQuaternion(dequantisePose(near, 0, one).rotation, sign);
  for (let i = 0; i < count; i++) {
    const from = poses[first + i];
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

/** Work space of single calls; nothing in it outlives them. */
const usedTimes = new Float64Array(WINDOW_SAMPLES);
const usedWeights = new Float64Array(WINDOW_SAMPLES);
const one = pose();
const sign = quaternion();
