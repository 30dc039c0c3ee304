import type { Quaternion } from '../../core/base/math.ts';
import { nlerp, normalize, quaternion, setQuaternion } from '../../core/base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../core/base/state.ts';

/**
 * Copies a body's pose of POSE_STRIDE numbers; the first POSE_STRIDE numbers of a motion have the same layout.
 */
export function posesOf(motion: Float32Array, out: Float32Array): void {
  for (let body = 0; body * POSE_STRIDE < out.length; body++) {
    for (let i = 0; i < POSE_STRIDE; i++) out[body * POSE_STRIDE + i] = motion[body * STRIDE + i];
  }
}

/** Interpolates two poses, `a` at `a[atA]` and `b` at `b[atB]`, into `out[to]`. `out` may be either. */
export function blendPose(
  a: Float32Array,
  atA: number,
  b: Float32Array,
  atB: number,
  t: number,
  out: Float32Array,
  to: number,
): void {
  for (let i = 0; i < 3; i++) out[to + i] = a[atA + i] + (b[atB + i] - a[atA + i]) * t;
  nlerp(rotationAt(a, atA + 3, before), rotationAt(b, atB + 3, after), t, between);
  putRotation(between, out, to + 3);
}

/** Extrapolates the motion at `m[at]` by some seconds at its velocities, into `out[to]`. */
export function extrapolatePose(
  m: Float32Array,
  at: number,
  seconds: number,
  out: Float32Array,
  to: number,
): void {
  for (let i = 0; i < 3; i++) out[to + i] = m[at + i] + m[at + MOTION.linear + i] * seconds;
  const q = rotationAt(m, at + MOTION.rotation, before);
  const [x, y, z] = [0, 1, 2].map((i) => m[at + MOTION.angular + i] * seconds * 0.5);
  setQuaternion(
    after,
    q.x + x * q.w + y * q.z - z * q.y,
    q.y - x * q.z + y * q.w + z * q.x,
    q.z + x * q.y - y * q.x + z * q.w,
    q.w - x * q.x - y * q.y - z * q.z,
  );
  putRotation(normalize(after, after), out, to + 3);
}

/** Reads the rotation of a pose. @returns `out`. */
export function rotationAt(from: Float32Array, at: number, out: Quaternion): Quaternion {
  return setQuaternion(out, from[at], from[at + 1], from[at + 2], from[at + 3]);
}

/** Writes a rotation into a pose: four numbers from `at` on. */
export function putRotation(q: Quaternion, out: Float32Array, at: number): void {
  out[at] = q.x;
  out[at + 1] = q.y;
  out[at + 2] = q.z;
  out[at + 3] = q.w;
}

/** Metres between two positions. */
export function apart(a: Float32Array, atA: number, b: Float32Array, atB: number): number {
  return Math.hypot(a[atA] - b[atB], a[atA + 1] - b[atB + 1], a[atA + 2] - b[atB + 2]);
}

const before = quaternion();
const after = quaternion();
const between = quaternion();
