import { describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Pose, ReadonlyVector } from '../../../src/core/base/math.ts';
import { distance, fromAxisAngle, length, pose, setVector, vector } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Throw } from '../../../src/core/hands/throw.ts';
import { throwVelocity, VelocityEstimate } from '../../../src/core/hands/throw.ts';
import { forSeeds } from '../../support/seeds.ts';

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

/** The path is sampled with the frames. Each tick gets the last sample before it, and the time of that sample. */
function sampled(path: Path, rate: number, seconds: number, seed = 1, ticks = TICK_RATE): VelocityEstimate {
  const times = frames(rate, seconds, seed);
  const estimate = new VelocityEstimate(ticks);
  const at = pose();
  for (let tick = 1; tick <= seconds * ticks; tick++) {
    const sample = times.findLast((time) => time <= tick / ticks);
    if (sample === undefined) continue;
    path(sample, at);
    estimate.add(sample * ticks, at, at);
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
  test.each(RATES)('[G3.1] at %i Hz is exact for an even motion', (rate) => {
    const velocity = vector(3, -1, -7);
    const estimate = sampled(straight(velocity), rate, 0.4);
    expect(distance(estimate.linear('body', vector()), velocity)).toBeLessThan(1e-6);
    expect(distance(estimate.linear('hand', vector()), velocity)).toBeLessThan(1e-6);
  });

  test.each([30, 45, 90, 120])('[G3.1] [B2.2] at %i ticks a second it is the same', (ticks) => {
    const velocity = vector(3, -1, -7);
    const estimate = sampled(straight(velocity), 72, 0.4, 1, ticks);
    expect(distance(estimate.linear('body', vector()), velocity)).toBeLessThan(1e-6);
    expect(estimate.meanHorizontalSpeed()).toBeCloseTo(Math.hypot(3, 7), 6);
  });

  /** A swing of the arm: from rest, by 60 m/s², to 9 m/s. */
  const swing: Path = (t, out) => void setVector(out.position, 0, 1, -30 * t * t);

  test.each(RATES)('[G3.1] at %i Hz is exactly that of the last 50 ms of a swing', (rate) => {
    forSeeds(1, 3, (seed) => {
      const last = frames(rate, 0.15, seed).findLast((time) => time <= 0.15) ?? 0;
      const speed = length(sampled(swing, rate, 0.15, seed).linear('body', vector()));
      const middle = 60 * (last - 0.05 / 2);
      expect(speed).toBeCloseTo(middle, 6);
    });
  });

  test('[G3.1] is that of the last moment, not of the motion before', () => {
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
    const estimate = new VelocityEstimate(TICK_RATE);
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
    const estimate = new VelocityEstimate(TICK_RATE);
    const at = pose();
    for (let tick = 0; tick < 20; tick++) {
      setVector(at.position, 50, 1, 0);
      estimate.add(tick, at, at);
      setVector(at.position, (tick / TICK_RATE) * 4, 1, 0);
      estimate.add(tick, at, at);
    }
    expect(estimate.linear('body', vector()).x).toBeCloseTo(4, 6);
  });

  test('a body that moves in a hand counts by its newest place in a frame, though the stamps are rounded', () => {
    const estimate = new VelocityEstimate(TICK_RATE);
    const at = pose();
    for (let tick = 0; tick < 20; tick++) {
      setVector(at.position, (tick / TICK_RATE) * 4, 1, 0);
      // 30 frames a second: two ticks use each, the second with another rounding.
      estimate.add(tick - (tick % 2) + (tick % 2) * 1e-9, at, at);
    }
    expect(estimate.linear('body', vector()).x).toBeCloseTo(4, 6);
  });

  test('begins anew where time goes back', () => {
    const estimate = sampled(straight(vector(9, 0, 0)), 90, 0.4);
    const at = pose();
    for (let tick = 5; tick < 8; tick++) {
      setVector(at.position, 0, (tick / TICK_RATE) * 2, 0);
      estimate.add(tick, at, at);
    }
    expect(distance(estimate.linear('body', vector()), vector(0, 2, 0))).toBeLessThan(1e-6);
  });

  test('after a pause between frames is the mean over the pause', () => {
    const estimate = new VelocityEstimate(TICK_RATE);
    const at = pose();
    const x = (tick: number): number => (tick < 20 ? tick ** 2 / 400 : 5);
    for (const tick of [...Array.from({ length: 20 }, (_, i) => i), 32, 33]) {
      setVector(at.position, x(tick), 1, 0);
      estimate.add(tick, at, at);
    }
    const start = x(19) + ((x(32) - x(19)) * (30 - 19)) / (32 - 19);
    expect(estimate.linear('body', vector()).x).toBeCloseTo((5 - start) / 0.05, 4);
  });

  test('a single sample, or none, is no motion', () => {
    const estimate = new VelocityEstimate(TICK_RATE);
    expect(estimate.linear('body', vector())).toEqual(vector());
    estimate.add(5, pose(), pose());
    expect(length(estimate.linear('body', vector()))).toBe(0);
    expect(length(estimate.angular('body', vector()))).toBe(0);
    expect(estimate.meanHorizontalSpeed()).toBe(0);
  });

  test('the mean horizontal speed is of the last 16 ticks, and knows no height', () => {
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

  test('[G3.2] slow and far from the hand places: three times the hand’s velocity, twice its turn, 3 m/s at most', () => {
    const slow = thrown(vector(0.5, 0.2, 0), FAR);
    expect(slow.thrown).toBe(false);
    expect(distance(slow.linear, vector(1.5, 0.6, 0))).toBeLessThan(1e-6);
    expect(length(thrown(vector(2.5, 0, 0), FAR).linear)).toBeCloseTo(3, 6);
    const turns: Path = (t, out) => void fromAxisAngle(vector(0, 1, 0), 0.5 * t, out.rotation);
    expect(throwVelocity(sampled(turns, 90, 0.4), FAR, true).angular.y).toBeCloseTo(1, 3);
  });

  test('[G3.2] thrown hard gets at least 2.5 m/s upwards, and keeps more', () => {
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
