import type { BodyId } from './ids.ts';
import type { Pose, ReadonlyVector } from './math.ts';
import { setQuaternion, setVector } from './math.ts';
import { MOTION, STRIDE } from './state.ts';

/** Functions on motions: typed arrays with STRIDE numbers for each body, laid out as MOTION. */

/** The pose of a body, in `out`, which is returned. */
export function poseIn(motion: Float32Array, body: BodyId, out: Pose): Pose {
  const at = body * STRIDE;
  const r = at + MOTION.rotation;
  setVector(out.position, motion[at], motion[at + 1], motion[at + 2]);
  setQuaternion(out.rotation, motion[r], motion[r + 1], motion[r + 2], motion[r + 3]);
  return out;
}

/** The speed of a body in m/s. */
export function speedOf(motion: Float32Array, body: BodyId): number {
  const v = body * STRIDE + MOTION.linear;
  return Math.sqrt(motion[v] ** 2 + motion[v + 1] ** 2 + motion[v + 2] ** 2);
}

/** The relative speed of two bodies in m/s. */
export function relativeSpeed(motion: Float32Array, a: BodyId, b: BodyId): number {
  const v = a * STRIDE + MOTION.linear;
  const w = b * STRIDE + MOTION.linear;
  const x = motion[v] - motion[w];
  const y = motion[v + 1] - motion[w + 1];
  const z = motion[v + 2] - motion[w + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** How fast two bodies come nearer to each other, along the line of their centres: m/s, below 0 if they part. */
export function approachSpeed(motion: Float32Array, a: BodyId, b: BodyId): number {
  const [i, k] = [a * STRIDE, b * STRIDE];
  const [v, w] = [i + MOTION.linear, k + MOTION.linear];
  const x = motion[k] - motion[i];
  const y = motion[k + 1] - motion[i + 1];
  const z = motion[k + 2] - motion[i + 2];
  const away = Math.sqrt(x * x + y * y + z * z);
  if (away === 0) return 0;
  const along =
    (motion[v] - motion[w]) * x + (motion[v + 1] - motion[w + 1]) * y + (motion[v + 2] - motion[w + 2]) * z;
  return along / away;
}

/** Writes x, y and z to `out[at]` on. */
export function putVector(v: ReadonlyVector, out: Float32Array, at: number): void {
  out[at] = v.x;
  out[at + 1] = v.y;
  out[at + 2] = v.z;
}
