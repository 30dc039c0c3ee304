import type { BodyId } from '../../base/ids.ts';
import type { ReadonlyVector, Vector } from '../../base/math.ts';
import { addScaled, pose, rotate, setVector, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';

/**
 * Metres by which two poses of a body differ at that corner of its box where they differ most. The corner stands for its
 * farthest point: a spin that moves no point far counts for as little as it shows.
 * @param a motions, with the body's pose at `body * STRIDE`. @param b the same, of the other pose.
 * @param half half the size of the box, as `halfSize` has it.
 */
export function farthestMove(a: Float32Array, b: Float32Array, body: BodyId, half: ReadonlyVector): number {
  poseIn(a, body, one);
  poseIn(b, body, other);
  addScaled(one.position, other.position, -1, shift);
  turnOf(half.x, 0, 0, alongX);
  turnOf(0, half.y, 0, alongY);
  turnOf(0, 0, half.z, alongZ);
  let most = 0;
  for (let corner = 0; corner < 8; corner++) {
    addScaled(shift, alongX, (corner & 1) === 0 ? 1 : -1, moved);
    addScaled(moved, alongY, (corner & 2) === 0 ? 1 : -1, moved);
    addScaled(moved, alongZ, (corner & 4) === 0 ? 1 : -1, moved);
    most = Math.max(most, moved.x * moved.x + moved.y * moved.y + moved.z * moved.z);
  }
  return Math.sqrt(most);
}

/** By how much the two rotations put a point of the body's frame apart. */
function turnOf(x: number, y: number, z: number, out: Vector): void {
  setVector(point, x, y, z);
  rotate(one.rotation, point, out);
  addScaled(out, rotate(other.rotation, point, point), -1, out);
}

/** Work space of single calls. */
const one = pose();
const other = pose();
const shift = vector();
const alongX = vector();
const alongY = vector();
const alongZ = vector();
const moved = vector();
const point = vector();
