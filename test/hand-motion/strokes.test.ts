import { describe, expect, test } from 'vitest';
import { Channel, moved, PEAK_SPEED } from '../../src/hand-motion/strokes.ts';

const EVEN = { start: 1, rise: 0.2, fall: 0.2, amount: 3 };
const SUDDEN = { start: 1, rise: 0.3, fall: 0.1, amount: 3 };
const STEP = 1e-4;

/** The first and the second derivative of a stroke at a time. */
function derivatives(stroke: typeof EVEN, at: number): [speed: number, acceleration: number] {
  const [a, b, c] = [-STEP, 0, STEP].map((step) => moved(stroke, at + step));
  return [(c - a) / (2 * STEP), (a - 2 * b + c) / STEP ** 2];
}

describe.each([
  ['even', EVEN],
  ['that stops suddenly', SUDDEN],
])('a stroke %s', (_, stroke) => {
  test('goes from rest to rest, all of its way, and never back', () => {
    expect(moved(stroke, 1)).toBe(0);
    expect(moved(stroke, 1.4)).toBe(3);
    expect(moved(stroke, 9)).toBe(3);
    for (const end of [1, 1.4]) {
      const [speed, acceleration] = derivatives(stroke, end);
      expect(Math.abs(speed)).toBeLessThan(0.01);
      expect(Math.abs(acceleration)).toBeLessThan(4);
    }
    for (let at = 1; at < 1.4; at += 0.01)
      expect(moved(stroke, at + 0.01)).toBeGreaterThan(moved(stroke, at));
  });

  test('is fastest at the end of its rise, and smooth there', () => {
    const peak = 1 + stroke.rise;
    const [speed, acceleration] = derivatives(stroke, peak);
    expect(speed).toBeCloseTo((PEAK_SPEED * 3) / 0.4, 3);
    expect(Math.abs(acceleration)).toBeLessThan(0.5);
    for (const at of [1.05, 1.15, 1.25, 1.35]) expect(derivatives(stroke, at)[0]).toBeLessThan(speed);
  });
});

test('an even stroke is the minimum-jerk polynomial', () => {
  for (const share of [0.1, 0.3, 0.5, 0.8]) {
    const way = 10 * share ** 3 - 15 * share ** 4 + 6 * share ** 5;
    expect(moved(EVEN, 1 + 0.4 * share)).toBeCloseTo(3 * way, 12);
  }
});

test('a channel adds strokes that overlap, and keeps those that have ended', () => {
  const channel = new Channel(5);
  channel.add(EVEN);
  channel.add({ ...SUDDEN, start: 1.2, amount: -1 });
  expect(channel.target).toBe(7);
  expect(channel.at(0.5)).toBe(5);
  expect(channel.at(1.3)).toBeCloseTo(
    5 + moved(EVEN, 1.3) + moved({ ...SUDDEN, start: 1.2, amount: -1 }, 1.3),
    12,
  );
  expect(channel.at(1.5)).toBeGreaterThan(7);
  expect(channel.at(2)).toBe(7);
  expect(channel.at(3)).toBe(7);
});
