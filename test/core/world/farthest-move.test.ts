import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import type { Quaternion, Vector } from '../../../src/core/base/math.ts';
import { fromAxisAngle, quaternion, vector } from '../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import { movesFarther } from '../../../src/core/world/extent/farthest-move.ts';

const BODY = 1 as BodyId;
/** A plank of two metres, and a thin rod along y. */
const PLANK = vector(1, 0.03, 0.1);
const ROD = vector(0.02, 0.5, 0.02);

/** Motions in which a body has this pose. */
function motionAt({ x, y, z }: Vector, rotation: Quaternion): Float32Array {
  const motion = new Float32Array(2 * STRIDE);
  motion.set([x, y, z], BODY * STRIDE);
  motion.set([rotation.x, rotation.y, rotation.z, rotation.w], BODY * STRIDE + MOTION.rotation);
  return motion;
}

/** Metres by which a corner moves farthest when a body turns about an axis and shifts: found by asking. */
function farthest(half: Vector, axis: Vector, radians: number, shift = vector()): number {
  const before = motionAt(vector(1, 2, 3), quaternion());
  const after = motionAt(
    vector(1 + shift.x, 2 + shift.y, 3 + shift.z),
    fromAxisAngle(axis, radians, quaternion()),
  );
  let [low, high] = [0, 10];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (movesFarther(after, before, BODY, half, middle)) low = middle;
    else high = middle;
  }
  return low;
}

describe('[R1.5] the corner that moves farthest', () => {
  test('of a body that shifts moves as far as its middle', () => {
    expect(farthest(PLANK, vector(0, 1, 0), 0, vector(0.03, 0, 0.04))).toBeCloseTo(0.05, 5);
  });

  test('of a plank that turns is at its end', () => {
    expect(farthest(PLANK, vector(0, 1, 0), 0.1)).toBeCloseTo(2 * Math.hypot(1, 0.1) * Math.sin(0.05), 5);
  });

  test('of a thin rod that spins about itself hardly moves', () => {
    expect(farthest(ROD, vector(0, 1, 0), 0.5)).toBeCloseTo(2 * Math.hypot(0.02, 0.02) * Math.sin(0.25), 5);
  });

  test('of one that turns and shifts is where the two add up', () => {
    const turned = 2 * Math.hypot(1, 0.1) * Math.sin(0.05);
    expect(farthest(PLANK, vector(0, 1, 0), 0.1, vector(0, 0, 0.2))).toBeGreaterThan(turned + 0.19);
  });
});
