import { describe, expect, test } from 'vitest';
import { steadyRate } from '../../../src/view/headset/display.ts';

describe('the rate of a headset', () => {
  test.each([
    [[72, 80, 90, 120], 90],
    [[120, 72], 72],
    [[60], 60],
    [[144, 120], 120],
    [[], null],
  ])('of %j is %s', (rates, chosen) => {
    expect(steadyRate(new Float32Array(rates))).toBe(chosen);
  });

  test('is unchanged if there is no choice', () => {
    expect(steadyRate(undefined)).toBeNull();
  });
});
