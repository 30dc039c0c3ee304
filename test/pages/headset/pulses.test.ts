import { describe, expect, test } from 'vitest';
import { impactPulse, PULSES } from '../../../src/pages/headset/pulses.ts';

describe('the pulse of an impact', () => {
  test('is null up to 0.05 m/s, and constant from 6 m/s on', () => {
    for (const speed of [-1, 0, 0.05, NaN]) expect(impactPulse(speed)).toBeNull();
    for (const speed of [6, 7, 64, Infinity]) expect(impactPulse(speed)).toEqual({ strength: 0.9, ms: 45 });
    const tap = impactPulse(0.051)!;
    expect(tap.strength).toBeCloseTo(0.1, 2);
    expect(tap.ms).toBeCloseTo(10, 0);
  });

  test('grows by the same amount with each doubling of the speed, in strength and in length', () => {
    const felt = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2].map((speed) => impactPulse(speed)!);
    const steps = felt
      .slice(1)
      .map(({ strength, ms }, i) => [strength - felt[i].strength, ms - felt[i].ms] as const);
    expect(steps[0][0]).toBeGreaterThan(0.1);
    expect(steps[0][1]).toBeGreaterThan(4);
    for (const [strength, ms] of steps) {
      expect(strength).toBeCloseTo(steps[0][0], 10);
      expect(ms).toBeCloseTo(steps[0][1], 10);
    }
  });
});

test("more important pulses are stronger, and no pulse exceeds the motor's limits", () => {
  const { touch, release, reach, given, grab, received, lost } = PULSES;
  const inOrder = [touch, release, reach, given, grab, received, impactPulse(100)!, lost].map(
    ({ strength }) => strength,
  );
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
  expect(new Set(inOrder).size).toBe(inOrder.length);
  for (const { strength, ms } of Object.values(PULSES)) {
    expect(strength).toBeLessThanOrEqual(1);
    expect(ms).toBeGreaterThanOrEqual(10);
  }
});
