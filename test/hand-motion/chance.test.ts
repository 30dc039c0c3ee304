import { describe, expect, test } from 'vitest';
import { angleBetween, fromAxisAngle, quaternion, vector } from '../../src/core/base/math.ts';
import { Random } from '../../src/core/base/random.ts';
import { gaussian, StratifiedSampler, valueAt } from '../../src/hand-motion/chance.ts';
import { FrameClock } from '../../src/hand-motion/frame-clock.ts';
import { Tremor } from '../../src/hand-motion/tremor.ts';
import { tangentOf, turnAbout } from '../../src/hand-motion/turns.ts';

const SEED = 5;

function draws(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw);
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

describe('chance', () => {
  test('a normal number has mean 0, deviation 1, and 4.5 % of its draws beyond two of them', () => {
    const random = new Random(SEED);
    const values = draws(20_000, () => gaussian(random));
    expect(Math.abs(values.reduce((a, b) => a + b) / values.length)).toBeLessThan(0.03);
    expect(rootMeanSquare(values)).toBeCloseTo(1, 1);
    const beyond = values.filter((value) => Math.abs(value) > 2).length / values.length;
    expect(Math.abs(beyond - 0.045)).toBeLessThan(0.01);
  });

  test('a distribution is even between two of its quantiles', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map((share) => valueAt([2, 4, 10], share))).toEqual([2, 3, 4, 7, 10]);
  });

  test('a stratified sampler draws from each part of its range once before any twice', () => {
    const sampler = new StratifiedSampler([0, 24], new Random(SEED));
    for (let round = 0; round < 5; round++) {
      const parts = draws(24, () => Math.floor(sampler.next())).sort((a, b) => a - b);
      expect(parts).toEqual(Array.from({ length: 24 }, (_, i) => i));
    }
  });
});

describe('turns without sine and cosine', () => {
  test.each(['x', 'y', 'z'] as const)('about %s are within a thousandth of a radian', (axis) => {
    const unit = { ...vector(), [axis]: 1 };
    for (let angle = -6.2; angle <= 6.2; angle += 0.31) {
      const exact = fromAxisAngle(unit, angle, quaternion());
      expect(angleBetween(turnAbout(axis, angle, quaternion()), exact), `${angle}`).toBeLessThan(0.001);
    }
  });

  test('the tangent of a small angle is within 0.0002', () => {
    for (let angle = -0.4; angle <= 0.4; angle += 0.05)
      expect(Math.abs(tangentOf(angle) - Math.tan(angle))).toBeLessThan(0.0002);
  });
});

test.each([8, 12])('tremor of %i Hz swings as often, with a root mean square of 1', (rate) => {
  const PERIOD = 12;
  const tremor = new Tremor(rate, new Random(SEED));
  const values = draws(100_000, () => tremor.next(1 / rate / PERIOD));
  expect(Math.abs(rootMeanSquare(values) - 1)).toBeLessThan(0.05);
  const alike = (steps: number): number =>
    values.slice(steps).reduce((sum, value, i) => sum + value * values[i], 0) / values.length;
  expect(alike(PERIOD / 2)).toBeLessThan(-0.6);
  expect(alike(PERIOD)).toBeGreaterThan(0.4);
});

describe('frame times', () => {
  const clock = new FrameClock(new Random(SEED));
  const frames = Array.from({ length: 90 * 600 }, () => clock.next());
  const steps = frames.slice(1).map(({ stamp }, i) => stamp - frames[i].stamp);

  test('run on, at 90 a second, and never far from the moment of their poses', () => {
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(frames[frames.length - 1].stamp / frames.length).toBeCloseTo(1 / 90, 4);
    expect(Math.max(...frames.map(({ moment, stamp }) => Math.abs(stamp - moment)))).toBeLessThan(0.03);
  });

  test('are uneven by a quarter of a millisecond, and hitch a few times a minute', () => {
    const usual = steps.filter((step) => Math.abs(step - 1 / 90) < 0.001);
    expect(rootMeanSquare(usual.map((step) => step - 1 / 90))).toBeCloseTo(0.00025, 4);
    const [long, short] = [steps.filter((step) => step > 0.0125), steps.filter((step) => step < 0.0095)];
    // In ten minutes; the recorded minute has 20 and 14.
    expect(long.length).toBeGreaterThan(80);
    expect(long.length).toBeLessThan(400);
    expect(short.length).toBeGreaterThan(40);
    expect(Math.max(...steps)).toBeLessThan(0.04);
  });

  test('drop frames: some poses are two frames on', () => {
    const dropped = frames.filter(({ moment }, i) => i > 0 && moment - frames[i - 1].moment > 0.02);
    expect(dropped.length).toBeGreaterThan(10);
  });
});
