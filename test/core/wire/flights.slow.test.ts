import { TICK_RATE } from '../../../src/core/base/constants.ts';
import { CUBE_LAW, cubeLaws } from '../../support/laws.ts';
import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { normalize, quaternion } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { STATE, STRIDE } from '../../../src/core/base/state.ts';
import { BallisticCache, couldBeBallistic } from '../../../src/core/wire/bodies/flights.ts';
import { mostPredictedTicks } from '../../../src/core/wire/bodies/flight-law.ts';
import { predict } from '../../../src/core/wire/bodies/predict.ts';
import { quantiseMotion } from '../../../src/core/wire/bodies/quantise.ts';
import { HIGH, LOW, snapped } from '../../support/packets.ts';
import { claim } from '../../../src/core/world/record.ts';

const MOST_TICKS = mostPredictedTicks(TICK_RATE);

const BODIES = 3;

/** A state high above the floor, or one with any numbers, many at an end of their range. */
function takeoff(random: Random): Int32Array {
  if (random.chance(0.5)) {
    const any = LOW.map((low, i) =>
      random.chance(0.3) ? [low, HIGH[i]][random.below(2)] : low + random.below(HIGH[i] - low + 1),
    );
    return Int32Array.from(snapped(any));
  }
  const part = (reach: number): number => random.between(-reach, reach);
  const { x, y, z, w } = normalize(quaternion(part(1), part(1), part(1), part(1)), quaternion());
  const state = new Int32Array(STRIDE);
  state[STATE.largest] = -1;
  const speed = [0.05, 0.5, 5, 60][random.below(4)];
  const velocities = [0, 1, 2, 3, 4, 5].map(() => part(speed));
  quantiseMotion(Float32Array.from([part(50), 30, part(50), x, y, z, w, ...velocities]), 0, state);
  return state;
}

function predicted(state: Int32Array, ticks: number): Int32Array {
  const out = new Int32Array(STRIDE);
  predict(CUBE_LAW, state, ticks, out);
  return out;
}

describe('[W2] BallisticCache', () => {
  test('gives the same as predict, in any order of requests', () => {
    const random = new Random(1);
    const flights = new BallisticCache(cubeLaws(BODIES));
    const out = new Int32Array(STRIDE);
    // Each body has a flight, which sometimes begins again; requests are for states on it, or just beside it.
    const begun = Array.from({ length: BODIES }, () => ({ tick: 0, state: takeoff(random) }));
    for (let run = 0; run < 20_000; run++) {
      const body = random.below(BODIES);
      if (random.chance(0.02)) begun[body] = { tick: random.below(0x20000) - 63, state: takeoff(random) };
      const later = random.below(100);
      let state = begun[body].state;
      for (let left = later; left > 0; left -= MOST_TICKS)
        state = predicted(state, Math.min(left, MOST_TICKS));
      if (random.chance(0.1)) state[random.below(3)] += state[0] > 0 ? -1 : 1;
      const ticks = random.below(MOST_TICKS + 1);
      flights.predict(
        { body: body as BodyId, tick: begun[body].tick + later, state, claim: claim() },
        ticks,
        out,
      );
      expect(out, `run ${run}`).toEqual(predicted(state, ticks));
    }
  });

  test('begins a new flight if the same tick has another state', () => {
    const random = new Random(2);
    const flights = new BallisticCache(cubeLaws(1));
    const out = new Int32Array(STRIDE);
    for (let run = 0; run < 50; run++) {
      const state = takeoff(random);
      flights.predict({ body: 0 as BodyId, tick: 7, state, claim: claim() }, 12, out);
      expect(out).toEqual(predicted(state, 12));
    }
  });
});

describe('[W2] couldBeBallistic', () => {
  test('is true of every free flight', () => {
    const random = new Random(3);
    for (let run = 0; run < 5000; run++) {
      const from = takeoff(random);
      const ticks = random.below(MOST_TICKS + 1);
      expect(
        couldBeBallistic(CUBE_LAW, predicted(from, ticks), from, ticks),
        `run ${run}, ${ticks} ticks`,
      ).toBe(true);
    }
  });

  test('is false of a body that lies or slides, even for one tick', () => {
    for (let ticks = 1; ticks <= MOST_TICKS; ticks++) {
      const still = new Int32Array(STRIDE);
      const slides = still.slice();
      slides[STATE.linear] = 2000;
      expect([
        couldBeBallistic(CUBE_LAW, still, still, ticks),
        couldBeBallistic(CUBE_LAW, slides, slides, ticks),
      ]).toEqual([false, false]);
    }
  });
});
