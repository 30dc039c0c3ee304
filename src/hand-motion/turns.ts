import type { Quaternion } from '../core/base/math.ts';
import { multiply, normalize, setQuaternion } from '../core/base/math.ts';

/** Times that a small turn is doubled for the whole one. */
const DOUBLINGS = 4;

/**
 * Fills in the rotation by an angle in radians, -2π to 2π, about one of the three axes, and returns it: a turn by a
 * sixteenth of the angle, doubled four times. It uses only + − × ÷ and the square root, which give the same bits in all
 * engines. Off by less than 0.001 rad.
 */
export function turnAbout(axis: 'x' | 'y' | 'z', angle: number, out: Quaternion): Quaternion {
  setQuaternion(out, 0, 0, 0, 1);
  out[axis] = tangentOf(angle / 2 / 2 ** DOUBLINGS);
  normalize(out, out);
  for (let i = 0; i < DOUBLINGS; i++) multiply(out, out, out);
  return out;
}

/** The tangent of a small angle in radians, by the first terms of its series: off by less than 0.0002 up to 0.4. */
export function tangentOf(angle: number): number {
  const square = angle * angle;
  return angle * (1 + square * (1 / 3 + (square * 2) / 15));
}
