import type { Vector } from '../../core/base/math.ts';
import { quaternion, rotate, setVector, vector } from '../../core/base/math.ts';
import { rotationAt } from '../game/poses.ts';

/** Below this length, two edges are parallel, and their cross product is no axis. */
const PARALLEL = 1e-6;

/**
 * True if two cubes overlap, or are closer than `margin`: the separating axis test for boxes (Stefan Gottschalk and
 * others, "OBBTree", 1996), with the margin added on each axis.
 * @param halfA, halfB metres from the middle to a side.
 */
export function cubesTouch(
  a: Float32Array,
  atA: number,
  halfA: number,
  b: Float32Array,
  atB: number,
  halfB: number,
  margin = 0,
): boolean {
  const x = b[atB] - a[atA];
  const y = b[atB + 1] - a[atA + 1];
  const z = b[atB + 2] - a[atA + 2];
  const reach = (halfA + halfB) * Math.sqrt(3) + margin;
  if (x * x + y * y + z * z > reach * reach) return false;
  axesOf(a, atA, axesA);
  axesOf(b, atB, axesB);
  const isApartAlong = (axis: Readonly<Vector>): boolean => {
    const size = Math.hypot(axis.x, axis.y, axis.z);
    if (size < PARALLEL) return false;
    const gap = Math.abs(x * axis.x + y * axis.y + z * axis.z) / size;
    return gap > (halfA * shadow(axesA, axis) + halfB * shadow(axesB, axis)) / size + margin;
  };
  if (axesA.some(isApartAlong) || axesB.some(isApartAlong)) return false;
  for (const p of axesA) {
    for (const q of axesB) {
      setVector(cross, p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
      if (isApartAlong(cross)) return false;
    }
  }
  return true;
}

function axesOf(poses: Float32Array, at: number, out: readonly Vector[]): void {
  rotationAt(poses, at + 3, turn);
  rotate(turn, setVector(out[0], 1, 0, 0), out[0]);
  rotate(turn, setVector(out[1], 0, 1, 0), out[1]);
  rotate(turn, setVector(out[2], 0, 0, 1), out[2]);
}

/** The sum of three unit axes' lengths along a direction. */
function shadow(axes: readonly Vector[], along: Readonly<Vector>): number {
  let sum = 0;
  for (const axis of axes) sum += Math.abs(axis.x * along.x + axis.y * along.y + axis.z * along.z);
  return sum;
}

/** Reused. */
const axesA = [vector(), vector(), vector()];
const axesB = [vector(), vector(), vector()];
const cross = vector();
const turn = quaternion();
