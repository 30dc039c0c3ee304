import { describe, expect, test } from 'vitest';
import { deflection } from '../../src/input/thumb-stick.ts';

const RADIUS = 40;
const size = (x: number, y: number): number => {
  const { right, forward } = deflection(x, y, RADIUS);
  return Math.hypot(right, forward);
};

describe('a thumb on the stick', () => {
  test.each([
    [RADIUS, 0, 1, 0],
    [0, -RADIUS, 0, 1],
    [-RADIUS, 0, -1, 0],
    [0, RADIUS, 0, -1],
    [3 * RADIUS, -4 * RADIUS, 0.6, 0.8],
  ])('at (%d, %d) pushes it fully to (%d, %d)', (x, y, right, forward) => {
    const pushed = deflection(x, y, RADIUS);
    expect(pushed.right).toBeCloseTo(right, 9);
    expect(pushed.forward).toBeCloseTo(forward, 9);
  });

  test('that rests moves nothing', () => {
    expect(deflection(0, 0, RADIUS)).toEqual({ right: 0, forward: 0 });
    expect(size(3, -3)).toBe(0);
  });

  test('pushes more the farther it is, continuously, and at most fully', () => {
    const sizes = Array.from({ length: 80 }, (_, pixels) => size(pixels * 0.8, pixels * 0.6));
    sizes.slice(1).forEach((now, i) => {
      expect(now).toBeGreaterThanOrEqual(sizes[i] - 1e-12);
      expect(now - sizes[i]).toBeLessThan(0.05);
      expect(now).toBeLessThanOrEqual(1 + 1e-12);
    });
    expect(sizes[30]).toBeGreaterThan(0.6);
    expect(sizes[79]).toBeCloseTo(1, 9);
  });
});
