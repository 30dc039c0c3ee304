import { describe, expect, it } from 'vitest';
import { cubesTouch } from '../../../src/lab/judge/boxes.ts';

/** A cube of one metre, turned about the vertical and about the x axis. */
function cube(x: number, y: number, z: number, yaw = 0, pitch = 0): Float32Array {
  const [a, b] = [(yaw * Math.PI) / 360, (pitch * Math.PI) / 360];
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return Float32Array.of(x, y, z, ca * sb, sa * cb, -sa * sb, ca * cb);
}
const HALF = 0.5;
const touch = (a: Float32Array, b: Float32Array, margin = 0): boolean =>
  cubesTouch(a, 0, HALF, b, 0, HALF, margin);

describe('two cubes', () => {
  it('side by side touch at one metre, and within a margin beyond it', () => {
    expect(touch(cube(0, 0, 0), cube(0.99, 0, 0))).toBe(true);
    expect(touch(cube(0, 0, 0), cube(1.01, 0, 0))).toBe(false);
    expect(touch(cube(0, 0, 0), cube(1.01, 0, 0), 0.02)).toBe(true);
    expect(touch(cube(0, 0, 0), cube(0.99, 0, 0), -0.02)).toBe(false);
  });

  it('edge to side touch at half a diagonal more', () => {
    const reach = HALF + HALF * Math.SQRT2;
    expect(touch(cube(0, 0, 0), cube(reach - 0.01, 0, 0, 45))).toBe(true);
    expect(touch(cube(0, 0, 0), cube(reach + 0.01, 0, 0, 45))).toBe(false);
    // Corners that pass each other: no side separates them along x or z alone.
    expect(touch(cube(0, 0, 0), cube(0.95, 0, 0.95, 45))).toBe(false);
  });

  it('edge across edge are apart where only the cross product of two edges shows it', () => {
    const reach = Math.SQRT2;
    // One stands on an edge along x, the other hangs from an edge along z.
    const lower = cube(0, 0, 0, 0, 45);
    const upper = (y: number): Float32Array => cube(0, y, 0, 90, 45);
    expect(touch(lower, upper(reach - 0.01))).toBe(true);
    expect(touch(lower, upper(reach + 0.01))).toBe(false);
  });
});
