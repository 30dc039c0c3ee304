import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import type { EffectKind } from '../../src/sound/effect-kinds.ts';
import { EFFECTS } from '../../src/sound/effect-kinds.ts';
import { lengthOf, renderKnock } from '../../src/sound/knock.ts';

const RATE = 48_000;
const KINDS = Object.keys(EFFECTS) as EffectKind[];

function take(kind: EffectKind, seed = 1): Float32Array {
  return renderKnock(EFFECTS[kind].knock, RATE, new Random(seed));
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns the amplitude of one frequency: one bin of a Fourier transform. */
function amountOf(hertz: number, samples: Float32Array): number {
  let [re, im] = [0, 0];
  samples.forEach((sample, i) => {
    re += sample * Math.cos((2 * Math.PI * hertz * i) / RATE);
    im += sample * Math.sin((2 * Math.PI * hertz * i) / RATE);
  });
  return Math.hypot(re, im);
}

describe.each(KINDS)('the sound of "%s"', (kind) => {
  it('peaks at 1, has no step at either end, and is finite', () => {
    const samples = take(kind);
    expect(samples.every(Number.isFinite)).toBe(true);
    expect(samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)).toBeCloseTo(1, 6);
    expect(Math.abs(samples[0])).toBeLessThan(0.01);
    expect(Math.abs(samples[samples.length - 1])).toBeLessThan(1e-5);
  });

  it('is over within a quarter of a second, however slow it plays', () => {
    expect(lengthOf(EFFECTS[kind].knock) / (1 - EFFECTS[kind].spread)).toBeLessThan(0.25);
  });

  it('dies away: the last third is 20 dB below the rest', () => {
    const samples = take(kind);
    const third = Math.floor((samples.length * 2) / 3);
    expect(rms(samples.subarray(third))).toBeLessThan(rms(samples.subarray(0, third)) / 10);
  });

  it('differs from take to take, and is the same for the same seed', () => {
    expect(take(kind, 2)).not.toEqual(take(kind, 1));
    expect(take(kind, 1)).toEqual(take(kind, 1));
  });
});

describe('a knock', () => {
  it('rings in its modes', () => {
    const samples = renderKnock(
      { modes: [[1000, 1, 0.1]], noise: 0, noiseSeconds: 0.01, attack: 0.001 },
      RATE,
      new Random(1),
    );
    const around = Math.max(...[970, 985, 1000, 1015, 1030].map((hertz) => amountOf(hertz, samples)));
    expect(around).toBeGreaterThan(10 * amountOf(500, samples));
    expect(around).toBeGreaterThan(10 * amountOf(2000, samples));
  });

  it('falls by 60 dB in the time that its mode has', () => {
    const samples = renderKnock(
      { modes: [[1000, 1, 0.1]], noise: 0, noiseSeconds: 0.2, attack: 0.0001 },
      RATE,
      new Random(1),
    );
    const [early, late] = [0, 0.05].map((at) => rms(samples.subarray(at * RATE, (at + 0.02) * RATE)));
    expect(20 * Math.log10(early / late)).toBeCloseTo(30, 0);
  });
});
