import { describe, expect, test } from 'vitest';
import { edgePlace } from '../../../src/view/players/edge-place.ts';

const TANGENT = Math.tan(Math.PI / 6);
const at = (x: number, y: number, z: number) => edgePlace({ x, y, z }, TANGENT, 2);

describe('the place at the edge of the picture towards a friend', () => {
  test('does not exist for a friend in the picture', () => {
    expect(at(0, 0, -3)).toBeNull();
    expect(at(3.4, 0, -3)).toBeNull();
    expect(at(-3.4, 1.7, -3)).toBeNull();
  });

  test('is at the side to which the player must turn', () => {
    expect(at(3.6, 0, -3)).toEqual({ x: 1, y: 0 });
    expect(at(-9, 0, -3)).toEqual({ x: -1, y: 0 });
    expect(at(0, 4, -3)).toEqual({ x: 0, y: 1 });
    expect(at(-20, -5, -3)?.x).toBe(-1);
    expect(at(-20, -5, -3)?.y).toBeCloseTo(-0.5);
  });

  test('is at a side for a friend behind, however high', () => {
    expect(at(0.1, 5, 3)).toEqual({ x: 1, y: 0.45 });
    expect(at(-0.1, -5, 3)).toEqual({ x: -1, y: 0.45 });
    expect(at(0, 0, 0)).toEqual({ x: 1, y: 0.45 });
  });
});
