import type { BodyId } from '../../base/ids.ts';
import type { ReadonlyVector, Vector } from '../../base/math.ts';
import { addScaled, pose, rotate, setVector, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';

/**
 * True if some corner of a body's box is farther than so many metres from where it is by another pose. A corner stands for
 * the body's farthest point: a spin counts for as much as it shows.
 * @param a motions, with the body's pose at `body * STRIDE`. @param b the same, with the other pose.
 * @param half half the size of the box, as `halfSize` has it.
 */
export function movesFarther(
  a: Float32Array,
  b: Float32Array,
  body: BodyId,
  half: ReadonlyVector,
  metres: number,
): boolean {
  poseIn(a, body, one);
  poseIn(b, body, other);
  addScaled(one.position, other.position, -1, shift);
  setVector(axis, half.x, 0, 0);
  turn(alongX);
  setVector(axis, 0, half.y, 0);
  turn(alongY);
  setVector(axis, 0, 0, half.z);
  turn(alongZ);
  for (let corner = 0; corner < 8; corner++) {
    addScaled(shift, alongX, (corner & 1) === 0 ? 1 : -1, moved);
    addScaled(moved, alongY, (corner & 2) === 0 ? 1 : -1, moved);
    addScaled(moved, alongZ, (corner & 4) === 0 ? 1 : -1, moved);
    if (moved.x * moved.x + moved.y * moved.y + moved.z * moved.z > metres * metres) return true;
  }
  return false;
}

/** By how much the two rotations put the end of `axis` apart. Its numbers are no parameters, since those may be garbage. */
function turn(out: Vector): void {
  rotate(one.rotation, axis, out);
  addScaled(out, rotate(other.rotation, axis, axis), -1, out);
}

/** Work space of single calls. */
const one = pose();
const other = pose();
const shift = vector();
const alongX = vector();
const alongY = vector();
const alongZ = vector();
const moved = vector();
const axis = vector();
