import { describe, expect, test } from 'vitest';
import { nearestIndex, SLIDER_VALUES } from '../../../src/pages/panel/slider-values.ts';
import { numberIn } from '../../../src/pages/fields.ts';
import { NETWORK_PRESETS, RANGES } from '../../../src/pages/settings.ts';

const NAMES = ['latency', 'jitter', 'loss', 'duplicate'] as const;

describe.each(NAMES)('the values of the %s slider', (name) => {
  const stops = SLIDER_VALUES[name];
  const range = RANGES[name];

  test('rise from one end of its range to the other', () => {
    expect(stops[0]).toBe(range.low);
    expect(stops[stops.length - 1]).toBe(range.high);
    expect([...stops].sort((a, b) => a - b)).toEqual(stops);
    expect(new Set(stops).size).toBe(stops.length);
  });

  test('are allowed values of the setting', () => {
    for (const stop of stops) expect(numberIn(range, stop)).toBe(stop);
  });

  test("are near every preset's value", () => {
    for (const { conditions } of NETWORK_PRESETS) {
      const nearest = stops[nearestIndex(stops, conditions[name])];
      expect(Math.abs(nearest - conditions[name])).toBeLessThanOrEqual(0.2 * conditions[name]);
    }
  });
});

test('a value between two slider values is shown at the nearer one', () => {
  expect(nearestIndex([0, 10, 100], 4)).toBe(0);
  expect(nearestIndex([0, 10, 100], 6)).toBe(1);
  expect(nearestIndex([0, 10, 100], 1000)).toBe(2);
});
