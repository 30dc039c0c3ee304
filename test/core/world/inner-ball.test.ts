import { describe, expect, test } from 'vitest';
import type { Point } from '../../../src/core/world/shape.ts';
import { ballInHull } from '../../../src/core/world/extent/inner-ball.ts';
import { Random } from '../../../src/core/base/random.ts';
import { forSeeds } from '../../support/seeds.ts';

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((i): Point => [
  (i & 1) - 0.5,
  ((i >> 1) & 1) - 0.5,
  (i >> 2) - 0.5,
]);

function scaled(x: number, y: number, z: number): Point[] {
  return CORNERS.map((corner): Point => [corner[0] * x, corner[1] * y, corner[2] * z]);
}

describe('the ball in a hull', () => {
  test('lies inside a box of any size', () => {
    forSeeds(1, 200, (seed) => {
      const random = new Random(seed);
      const size = [0, 1, 2].map(() => random.between(0.1, 3));
      const { centre, radius } = ballInHull(scaled(size[0], size[1], size[2]));
      expect(radius).toBeGreaterThan(0);
      [centre.x, centre.y, centre.z].forEach((middle, axis) => {
        expect(Math.abs(middle) + radius).toBeLessThanOrEqual(size[axis] / 2 + 1e-9);
      });
    });
  });

  test('is not much smaller than the box, also where the middle of the body is elsewhere', () => {
    expect(ballInHull(scaled(1, 1, 1)).radius).toBeGreaterThan(0.15);
    expect(ballInHull(scaled(5, 0.1, 5)).radius).toBeGreaterThan(0.02);
    const away = scaled(1, 1, 1).map(([x, y, z]): Point => [x + 7, y, z]);
    expect(ballInHull(away).radius).toBeGreaterThan(0.15);
    expect(ballInHull(away).centre.x).toBeCloseTo(7, 0);
  });

  test('has no radius in points on a plane or on a line, or in too few', () => {
    expect(ballInHull(scaled(1, 0, 2)).radius).toBe(0);
    expect(ballInHull(scaled(1, 0, 0)).radius).toBe(0);
    expect(ballInHull(scaled(0, 0, 0)).radius).toBe(0);
    expect(ballInHull([[0, 0, 0]]).radius).toBe(0);
    expect(ballInHull([]).radius).toBe(0);
    expect(ballInHull(scaled(Number.NaN, 1, 1)).radius).toBe(0);
  });
});
