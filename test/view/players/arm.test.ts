import { describe, expect, test } from 'vitest';
import { distance, vector } from '../../../src/core/base/math.ts';
import { FOREARM, MOST_STRETCH, reachWith, UPPER_ARM } from '../../../src/view/players/arm.ts';

const SHOULDER = vector(0.2, 1.3, 0);
const DOWN_AND_OUT = vector(0.5, -1, 0.3);
const arm = (x: number, y: number, z: number, pole = DOWN_AND_OUT) =>
  reachWith(SHOULDER, { x, y, z }, pole, { elbow: vector(), wrist: vector(), stretch: 1 });

describe('an arm', () => {
  test.each([
    [0.3, 1.2, -0.3],
    [0.2, 1.7, -0.2],
    [-0.1, 1.3, -0.35],
    [0.25, 0.85, 0.05],
  ])('meets a hand within reach at %f, %f, %f, with bones of their length', (x, y, z) => {
    const { elbow, wrist, stretch } = arm(x, y, z);
    expect(stretch).toBe(1);
    expect(distance(wrist, { x, y, z })).toBeLessThan(1e-9);
    expect(distance(SHOULDER, elbow)).toBeCloseTo(UPPER_ARM, 6);
    expect(distance(elbow, wrist)).toBeCloseTo(FOREARM, 6);
  });

  test('has its elbow down and outwards', () => {
    const { elbow } = arm(0.1, 1.4, -0.35);
    expect(elbow.x).toBeGreaterThan(0.2);
    expect(elbow.y).toBeLessThan(1.3);
  });

  test('becomes a little longer for a hand a little too far away, and no longer', () => {
    const near = arm(0.2, 1.3, -0.7);
    expect(distance(near.wrist, { x: 0.2, y: 1.3, z: -0.7 })).toBeLessThan(1e-9);
    expect(near.stretch).toBeCloseTo(0.7 / (UPPER_ARM + FOREARM), 6);
    const far = arm(0.2, 1.3, -5);
    expect(far.stretch).toBe(MOST_STRETCH);
    expect(distance(far.wrist, SHOULDER)).toBeCloseTo((UPPER_ARM + FOREARM) * MOST_STRETCH, 6);
  });

  test.each([
    ['in the shoulder', 0.2, 1.3, 0, DOWN_AND_OUT],
    ['along the pole', 0.2, 0.9, 0, vector(0, -1, 0)],
  ])('is finite for a hand %s', (_, x, y, z, pole) => {
    const { elbow, wrist } = arm(x, y, z, pole);
    for (const value of [elbow.x, elbow.y, elbow.z, wrist.x, wrist.y, wrist.z])
      expect(Number.isFinite(value)).toBe(true);
  });
});
