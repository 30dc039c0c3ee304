import { describe, expect, test } from 'vitest';
import { decimalsOf, formatValue, roundStep, stepsTo } from '../../../src/view/graph/graph-scale.ts';

describe('the scale of a graph', () => {
  test.each([
    [100, 4, 50],
    [100, 5, 20],
    [101, 5, 50],
    [7, 4, 2],
    // A little more than 0.3, because of floating point.
    [0.1 + 0.2, 3, 0.1],
    [0.031, 4, 0.01],
    [1_200_000, 3, 500_000],
    [1, 1, 1],
    [9.9, 1, 10],
  ])('steps to %d in at most %d intervals are %d', (max, intervals, step) => {
    expect(roundStep(max, intervals)).toBeCloseTo(step, 9);
  });

  test('is 1, 2 or 5 times a power of ten, reaches the highest value, and never takes more steps than asked', () => {
    for (let i = 1; i <= 4000; i++) {
      const max = 10 ** ((i % 80) / 10 - 4) * (1 + (i % 7));
      const intervals = 1 + (i % 6);
      const step = roundStep(max, intervals);
      const lead = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
      expect([1, 2, 5].some((round) => Math.abs(lead - round) < 1e-6)).toBe(true);
      const steps = stepsTo(max, step);
      expect(steps).toBeLessThanOrEqual(intervals);
      expect(steps * step).toBeGreaterThanOrEqual(max * (1 - 1e-6));
      // One step less would not reach the maximum.
      expect((steps - 1) * step).toBeLessThan(max);
    }
  });

  test.each([0, -3, NaN, Infinity])('has one step of 1 for %d', (max) => {
    expect(roundStep(max, 4)).toBe(1);
    expect(stepsTo(max, 1)).toBe(1);
  });

  test.each([
    [1, 0],
    [20, 0],
    [0.5, 1],
    [0.1, 1],
    [0.02, 2],
    [0.001, 3],
  ])('a step of %d is written with %d decimals', (step, decimals) => {
    expect(decimalsOf(step)).toBe(decimals);
    expect(Number(step.toFixed(decimals))).toBe(step);
  });
});

test.each([
  [0, '0'],
  [0.1234, '0.12'],
  [9.876, '9.88'],
  [12.34, '12.3'],
  [256.7, '257'],
  [-12.34, '-12.3'],
  [NaN, '–'],
  [Infinity, '–'],
])('the value %d reads %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});
