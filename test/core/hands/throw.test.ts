import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Pose } from '../../../src/core/base/math.ts';
import { fromAxisAngle, length, pose, setVector, vector } from '../../../src/core/base/math.ts';
import { throwVelocity, VelocityEstimate } from '../../../src/core/hands/throw.ts';

/** Feeds an estimate with a body and a hand that move as `at` says, sampled at a display's rate. */
function sampled(
  rate: number,
  seconds: number,
  at: (t: number, body: Pose, hand: Pose) => void,
): VelocityEstimate {
  const estimate = new VelocityEstimate();
  const [body, hand] = [pose(), pose()];
  for (let i = 0; i <= seconds * rate; i++) {
    at(i / rate, body, hand);
    estimate.add((i / rate) * TICK_RATE, body, hand);
  }
  return estimate;
}

describe('[G3] throwing', () => {
  it.each([60, 72, 90, 120])('gives the velocity of the hand, whatever the display rate: %i Hz', (rate) => {
    const estimate = sampled(rate, 0.5, (t, body) => setVector(body.position, 4 * t, 1 + t, -6 * t));
    const { thrown, linear } = throwVelocity(estimate, 0.4, true);
    expect(thrown).toBe(true);
    expect(linear.x).toBeCloseTo(4, 3);
    expect(linear.y).toBeCloseTo(1, 3);
    expect(linear.z).toBeCloseTo(-6, 3);
  });

  it.each([60, 90])('takes the velocity at the release of an accelerating swing: %i Hz', (rate) => {
    const estimate = sampled(rate, 0.4, (t, body) => setVector(body.position, 10 * t * t, 0, 0));
    const { linear } = throwVelocity(estimate, 0.4, true);
    // A fit over 50 ms lies half of that behind: 0.025 s × 20 m/s².
    expect(linear.x).toBeGreaterThan(8 - 0.6);
    expect(linear.x).toBeLessThanOrEqual(8);
  });

  it('gives the turn of the hand', () => {
    const estimate = sampled(72, 0.3, (t, body) => fromAxisAngle(vector(0, 1, 0), 3 * t, body.rotation));
    expect(throwVelocity(estimate, 0.4, true).angular.y).toBeCloseTo(3, 3);
  });

  it('caps the speed, and lifts hard throws a little', () => {
    const estimate = sampled(72, 0.3, (t, body) => setVector(body.position, 50 * t, 0, 0));
    const { linear } = throwVelocity(estimate, 0.4, true);
    expect(length(linear)).toBeCloseTo(20, 3);
    expect(linear.y).toBeGreaterThan(0.9);
    const gentle = sampled(72, 0.3, (t, body) => setVector(body.position, 5 * t, 0, 0));
    expect(throwVelocity(gentle, 0.4, true).linear.y).toBeCloseTo(0, 6);
  });

  it('places gently what is let go slowly and far from the hand', () => {
    const estimate = sampled(72, 0.3, (t, body, hand) => {
      setVector(body.position, 1.5 * t, 0, -4);
      setVector(hand.position, 0.2 * t, 0, 0);
    });
    const { thrown, linear } = throwVelocity(estimate, 4, true);
    expect(thrown).toBe(false);
    expect(linear.x).toBeCloseTo(0.6, 3);
  });

  it('just drops what a hand without tracking held', () => {
    const estimate = sampled(72, 0.3, (t, body) => setVector(body.position, 10 * t, 0, 0));
    expect(throwVelocity(estimate, 0.4, false)).toEqual({
      thrown: false,
      linear: vector(),
      angular: vector(),
    });
  });
});

const RECORDED = new URL('../../../../shared/data/quest2-touch-motion.f32', import.meta.url);

describe.skipIf(!existsSync(RECORDED))('[G3] throwing on recorded motion', () => {
  it('is near the hand’s velocity at the release for most fast releases', () => {
    const rows = new Float32Array(new Uint8Array(readFileSync(RECORDED)).buffer);
    const count = rows.length / 22;
    const at = (row: number, field: number): number => rows[row * 22 + field];
    const hand = pose();
    const estimate = new VelocityEstimate();
    let [fast, near] = [0, 0];
    for (let row = 0; row < count; row++) {
      setVector(hand.position, at(row, 15), at(row, 16), at(row, 17));
      estimate.add(at(row, 0) * TICK_RATE, hand, hand);
      if (row < 20) continue;
      const seconds = at(row, 0) - at(row - 4, 0);
      const truth = [15, 16, 17].map((f) => (at(row, f) - at(row - 4, f)) / seconds);
      const speed = Math.hypot(...truth);
      if (speed < 1) continue;
      fast++;
      const { x, y, z } = estimate.linear('body', vector());
      if (Math.hypot(x - truth[0], y - truth[1], z - truth[2]) < 0.2 * speed) near++;
    }
    expect(fast).toBeGreaterThan(200);
    expect(near / fast).toBeGreaterThan(0.8);
  });
});
