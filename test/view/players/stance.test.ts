import { describe, expect, test } from 'vitest';
import { fromAxisAngle, multiply, pose, quaternion, vector } from '../../../src/core/base/math.ts';
import { Stance } from '../../../src/view/players/stance.ts';

const UP = vector(0, 1, 0);
const ACROSS = vector(1, 0, 0);

function head(height: number, yaw = 0, pitch = 0) {
  const head = pose();
  head.position.y = height;
  multiply(fromAxisAngle(UP, yaw, quaternion()), fromAxisAngle(ACROSS, pitch, quaternion()), head.rotation);
  return head;
}

describe('a body', () => {
  test('stands on the floor below its head, and hovers when the head is higher than people are', () => {
    const stance = new Stance();
    stance.update(head(1.6), 0.1);
    expect(stance.floor).toBe(0);
    expect(stance.neck.y).toBeCloseTo(1.5);
    expect(stance.neck.z).toBeGreaterThan(0);
    stance.update(head(4), 0.1);
    expect(stance.floor).toBeGreaterThan(2);
    expect(4 - stance.floor).toBeLessThan(2);
  });

  test('faces where the head looks at first, then follows it, and lets the neck turn before', () => {
    const stance = new Stance();
    stance.update(head(1.6, 2), 0.1);
    expect(stance.yaw).toBeCloseTo(2);
    stance.update(head(1.6, 2.5), 1 / 90);
    expect(stance.yaw).toBeGreaterThan(2);
    expect(stance.yaw).toBeLessThan(2.1);
    for (let i = 0; i < 270; i++) stance.update(head(1.6, 2.5), 1 / 90);
    expect(stance.yaw).toBeCloseTo(2.5, 2);
    stance.update(head(1.6, -2.5), 1 / 90);
    // The shorter way round: by at most 0.7 rad the head is turned against the shoulders.
    const turn = Math.atan2(Math.sin(-2.5 - stance.yaw), Math.cos(-2.5 - stance.yaw));
    expect(Math.abs(turn)).toBeLessThan(0.7 + 1e-9);
  });

  test.each([
    ['down', -Math.PI / 2],
    ['up', Math.PI / 2],
  ])('faces where it did when the head looks straight %s', (_, pitch) => {
    const stance = new Stance();
    stance.update(head(1.6, 1), 0.1);
    for (let i = 0; i < 90; i++) stance.update(head(1.6, 1, pitch), 1 / 90);
    expect(stance.yaw).toBeCloseTo(1, 2);
  });
});
