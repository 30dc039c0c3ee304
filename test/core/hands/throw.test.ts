import { describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Pose, ReadonlyVector, Vector } from '../../../src/core/base/math.ts';
import { distance, fromAxisAngle, length, pose, setVector, vector } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Throw } from '../../../src/core/hands/throw.ts';
import { throwVelocity, VelocityEstimate } from '../../../src/core/hands/throw.ts';
import { hasRecordedMotion, readRecordedMotion } from '../../support/recorded-motion.ts';

/** Where a hand is at a time in seconds. */
type Path = (seconds: number, out: Pose) => void;

const NEAR = 0.4;
const FAR = 5;
const RATES = [60, 72, 90, 120];

/** The times, in seconds, at which frames of a display sample the hand, each a little off. */
function frames(rate: number, seconds: number, seed: number): number[] {
  const random = new Random(seed);
  const times: number[] = [];
  for (let i = 0; i < seconds * rate; i++) times.push((i + random.between(0, 0.15)) / rate);
  return times;
}

/** What ticks see of a path that is sampled with the frames: each takes the last sample before it, and its time. */
function sampled(path: Path, rate: number, seconds: number, seed = 1): VelocityEstimate {
  const times = frames(rate, seconds, seed);
  const estimate = new VelocityEstimate();
  const at = pose();
  for (let tick = 1; tick <= seconds * TICK_RATE; tick++) {
    const sample = times.findLast((time) => time <= tick / TICK_RATE);
    if (sample === undefined) continue;
    path(sample, at);
    estimate.add(sample * TICK_RATE, at, at);
  }
  return estimate;
}

function straight(velocity: ReadonlyVector): Path {
  return (t, out) => void setVector(out.position, velocity.x * t, 1 + velocity.y * t, velocity.z * t);
}

/** Thrown with a hand of this velocity, which holds the body at this distance. */
function thrown(velocity: ReadonlyVector, metres: number): Throw {
  return throwVelocity(sampled(straight(velocity), 72, 0.4), metres, true);
}

describe('[G3] the velocity of a hand, from time-stamped samples', () => {
  test.each(RATES)('at %i Hz is exact for an even motion', (rate) => {
    const velocity = vector(3, -1, -7);
    const estimate = sampled(straight(velocity), rate, 0.4);
    expect(distance(estimate.linear('body', vector()), velocity)).toBeLessThan(1e-6);
    expect(distance(estimate.linear('hand', vector()), velocity)).toBeLessThan(1e-6);
  });

  /** A swing of the arm: from rest, by 60 m/s², to 9 m/s. */
  const swing: Path = (t, out) => void setVector(out.position, 0, 1, -30 * t * t);

  test.each(RATES)('at %i Hz is that of the last 50 ms of a swing, within 10 %%', (rate) => {
    for (const seed of [1, 2, 3]) {
      const last = frames(rate, 0.15, seed).findLast((time) => time <= 0.15) ?? 0;
      const speed = length(sampled(swing, rate, 0.15, seed).linear('body', vector()));
      const middle = 60 * (last - 0.05 / 2);
      expect(Math.abs(speed / middle - 1), `seed ${seed}: ${speed} m/s`).toBeLessThan(0.1);
    }
  });

  test('is that of the last moment, not of what went before', () => {
    const turnsBack: Path = (t, out) =>
      void setVector(out.position, 0, 1, t < 0.3 ? -8 * t : -2.4 + 5 * (t - 0.3));
    const { z } = sampled(turnsBack, 90, 0.4).linear('body', vector());
    expect(z).toBeCloseTo(5, 1);
  });

  test('outweighs the noise of a sensor: 1 mm makes no more than 5 cm/s', () => {
    const random = new Random(4);
    const noisy: Path = (t, out) => void setVector(out.position, random.between(-1, 1) / 1000, 1, -5 * t);
    const velocity = sampled(noisy, 90, 0.4).linear('body', vector());
    expect(Math.abs(velocity.x)).toBeLessThan(0.05);
  });

  test('turns count likewise', () => {
    const turns: Path = (t, out) => void fromAxisAngle(vector(0, 0.6, 0.8), 5 * t, out.rotation);
    for (const rate of RATES) {
      const angular = sampled(turns, rate, 0.4).angular('body', vector());
      expect(distance(angular, vector(0, 3, 4)), `${rate} Hz`).toBeLessThan(1e-3);
    }
  });

  test('a sample of the same moment counts once: a frame that two ticks use', () => {
    const estimate = new VelocityEstimate();
    const at = pose();
    for (let tick = 0; tick < 20; tick++) {
      // 30 frames a second.
      const time = tick - (tick % 2);
      setVector(at.position, (time / TICK_RATE) * 4, 1, 0);
      estimate.add(time, at, at);
    }
    expect(estimate.linear('body', vector()).x).toBeCloseTo(4, 6);
    expect(estimate.meanHorizontalSpeed()).toBeCloseTo(4, 6);
  });

  test('a sample that is no newer than the last takes its place', () => {
    const estimate = new VelocityEstimate();
    const at = pose();
    for (let tick = 0; tick < 20; tick++) {
      setVector(at.position, 50, 1, 0);
      estimate.add(tick, at, at);
      setVector(at.position, (tick / TICK_RATE) * 4, 1, 0);
      estimate.add(tick, at, at);
    }
    expect(estimate.linear('body', vector()).x).toBeCloseTo(4, 6);
  });

  test('a single sample, or none, is no motion', () => {
    const estimate = new VelocityEstimate();
    expect(estimate.linear('body', vector())).toEqual(vector());
    estimate.add(5, pose(), pose());
    expect(length(estimate.linear('body', vector()))).toBe(0);
    expect(length(estimate.angular('body', vector()))).toBe(0);
    expect(estimate.meanHorizontalSpeed()).toBe(0);
  });

  test('the mean horizontal speed is of the last 16 samples, and knows no height', () => {
    expect(sampled(straight(vector(3, 9, -4)), 90, 0.6).meanHorizontalSpeed()).toBeCloseTo(5, 6);
    const stops: Path = (t, out) => void setVector(out.position, Math.min(t, 1) * 8, 1, 0);
    expect(sampled(stops, 90, 1.6).meanHorizontalSpeed()).toBe(0);
  });
});

describe('[G3] a release', () => {
  test('near the hand throws, however slow', () => {
    const { thrown: isThrown, linear } = thrown(vector(0, 0, -1.5), NEAR);
    expect(isThrown).toBe(true);
    expect(distance(linear, vector(0, 0, -1.5))).toBeLessThan(1e-6);
  });

  test('near a hand that stands still drops: that is no throw', () => {
    const { thrown: isThrown, linear } = thrown(vector(), NEAR);
    expect(isThrown).toBe(false);
    expect(length(linear)).toBe(0);
  });

  test('far from the hand throws if it moved fast', () => {
    expect(thrown(vector(3.5, 0, 0), FAR)).toMatchObject({ thrown: true });
    expect(distance(thrown(vector(3.5, 0, 0), FAR).linear, vector(3.5, 0, 0))).toBeLessThan(1e-6);
  });

  test('slow and far from the hand places: three times the hand’s velocity, twice its turn, 3 m/s at most', () => {
    const slow = thrown(vector(0.5, 0.2, 0), FAR);
    expect(slow.thrown).toBe(false);
    expect(distance(slow.linear, vector(1.5, 0.6, 0))).toBeLessThan(1e-6);
    expect(length(thrown(vector(2.5, 0, 0), FAR).linear)).toBeCloseTo(3, 6);
    const turns: Path = (t, out) => void fromAxisAngle(vector(0, 1, 0), 0.5 * t, out.rotation);
    expect(throwVelocity(sampled(turns, 90, 0.4), FAR, true).angular.y).toBeCloseTo(1, 3);
  });

  test('thrown hard gets at least 2.5 m/s upwards, and keeps more', () => {
    expect(thrown(vector(0, 0, -11), NEAR).linear.y).toBeCloseTo(2.5, 6);
    expect(thrown(vector(0, -2, -11), NEAR).linear.y).toBeCloseTo(2.5, 6);
    expect(thrown(vector(0, 4, -11), NEAR).linear.y).toBeCloseTo(4, 6);
    expect(thrown(vector(0, 0, -9.5), NEAR).linear.y).toBeCloseTo(0, 6);
  });

  test('never exceeds 20 m/s', () => {
    const { linear } = thrown(vector(0, 10, -40), NEAR);
    expect(length(linear)).toBeCloseTo(20, 6);
    expect(linear.z / linear.y).toBeCloseTo(-4, 6);
  });

  test('of a hand that lost tracking lets the body fall', () => {
    const lost = throwVelocity(sampled(straight(vector(0, 0, -12)), 90, 0.4), NEAR, false);
    expect(lost).toEqual({ thrown: false, linear: vector(), angular: vector() });
  });
});

describe('[G3] throwing on recorded motion', () => {
  /** The velocities at the fastest moments of a hand's swings, and what was estimated just after them. */
  function releases(part: 'left' | 'right'): { true: Vector; estimated: Vector }[] {
    const { times, frame, frameBefore } = readRecordedMotion();
    const [before, after] = [pose(), pose()];
    const velocities = times.map((_, i) => {
      if (i === 0 || i === times.length - 1) return vector();
      frame(i - 1, part, before);
      frame(i + 1, part, after);
      const seconds = times[i + 1] - times[i - 1];
      const { x, y, z } = before.position;
      const to = after.position;
      return vector((to.x - x) / seconds, (to.y - y) / seconds, (to.z - z) / seconds);
    });
    const speeds = velocities.map(length);
    const isPeak = (i: number): boolean =>
      speeds[i] > 3 && speeds[i] === Math.max(...speeds.slice(i - 8, i + 9));
    const found: { true: Vector; estimated: Vector }[] = [];
    const estimate = new VelocityEstimate();
    for (let tick = 1; tick / TICK_RATE < times[times.length - 1] - 1; tick++) {
      const sample = frameBefore(tick / TICK_RATE);
      estimate.add(times[sample] * TICK_RATE, pose(), frame(sample, part, after));
      const peak = [sample, sample - 1, sample - 2].find((i) => i > 8 && isPeak(i));
      if (peak === undefined) continue;
      found.push({ true: velocities[peak], estimated: estimate.linear('hand', vector()) });
    }
    return found;
  }

  test.skipIf(!hasRecordedMotion)('is near the hand’s velocity at the release for most fast releases', () => {
    for (const part of ['left', 'right'] as const) {
      const found = releases(part);
      expect(found.length).toBeGreaterThan(100);
      const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];
      const share = median(found.map((r) => length(r.estimated) / length(r.true)));
      const off = median(found.map((r) => distance(r.estimated, r.true) / length(r.true)));
      expect(share, `${part}: share of the speed`).toBeGreaterThan(0.85);
      expect(share, `${part}: share of the speed`).toBeLessThan(1.02);
      expect(off, `${part}: off the velocity`).toBeLessThan(0.3);
    }
  });
});
