import { describe, expect, it } from 'vitest';
import { contactStrength } from '../../src/sound/effects.ts';

describe('the strength of a contact', () => {
  it('is 0 below 0.4 m/s, 1 from 8 m/s on', () => {
    for (const speed of [-1, 0, 0.1, 0.4]) expect(contactStrength(speed)).toBe(0);
    for (const speed of [8, 9, 64, Infinity]) expect(contactStrength(speed)).toBe(1);
    expect(contactStrength(0.41)).toBeGreaterThan(0);
    expect(contactStrength(7.9)).toBeLessThan(1);
  });

  it('grows by as much with each doubling of the speed, as what is heard does', () => {
    const steps = [0.5, 1, 2, 4].map((speed) => contactStrength(speed * 2) - contactStrength(speed));
    expect(steps.at(0)).toBeGreaterThan(0.2);
    for (const step of steps) expect(step).toBeCloseTo(steps[0], 10);
  });

  it('of a speed that is no number is 0', () => {
    expect(contactStrength(NaN)).toBe(0);
  });
});
