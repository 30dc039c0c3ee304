import { describe, expect, it } from 'vitest';
import { easeLevel, levelOf } from '../../src/sound/level.ts';

/** A sine with an RMS of `decibels` dBFS: 50 ms of 440 Hz, whole periods, at 48 kHz. */
function sine(decibels: number): Float32Array {
  const peak = Math.SQRT2 * 10 ** (decibels / 20);
  return Float32Array.from({ length: 2400 }, (_, i) => peak * Math.sin((2 * Math.PI * 440 * i) / 48_000));
}

describe('the level of samples', () => {
  it.each([
    [-15, 1],
    [-26.25, 0.75],
    [-37.5, 0.5],
    [-48.75, 0.25],
    [-60, 0],
  ])('a sine of %f dBFS is %f', (decibels, level) => {
    expect(levelOf(sine(decibels))).toBeCloseTo(level, 4);
  });

  it('is 1 for what is louder, 0 for what is quieter, for silence and for no samples at all', () => {
    expect(levelOf(sine(-3))).toBe(1);
    expect(levelOf(sine(-80))).toBe(0);
    expect(levelOf(new Float32Array(2400))).toBe(0);
    expect(levelOf(new Float32Array(0))).toBe(0);
  });
});

describe('a level that is shown', () => {
  it('rises within a syllable, and falls slowly enough to be seen', () => {
    expect(easeLevel(0, 1, 0.1)).toBeGreaterThan(0.95);
    expect(easeLevel(1, 0, 0.1)).toBeGreaterThan(0.5);
    expect(easeLevel(1, 0, 1)).toBeLessThan(0.01);
  });

  it('is the same however often it is read', () => {
    let often = 0.2;
    for (let i = 0; i < 10; i++) often = easeLevel(often, 0.8, 0.01);
    expect(often).toBeCloseTo(easeLevel(0.2, 0.8, 0.1), 10);
    expect(easeLevel(0.2, 0.8, 0)).toBeCloseTo(0.2, 10);
  });
});
