import type { Pose } from '../core/base/math.ts';
import { setQuaternion, setVector } from '../core/base/math.ts';

/** Reads three numbers of a position, and four of a rotation. @param at the first of them. @returns out. */
export function readPose(numbers: { readonly [index: number]: number }, at: number, out: Pose): Pose {
  setVector(out.position, numbers[at], numbers[at + 1], numbers[at + 2]);
  setQuaternion(out.rotation, numbers[at + 3], numbers[at + 4], numbers[at + 5], numbers[at + 6]);
  return out;
}
