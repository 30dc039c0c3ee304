import { TICK_RATE } from '../../../src/core/base/constants.ts';
import { CUBE_LAW, cubeLaws } from '../../support/laws.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { angleBetween, normalize, quaternion } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { STATE, STRIDE } from '../../../src/core/base/state.ts';
import { mostPredictedTicks } from '../../../src/core/wire/bodies/flight-law.ts';
import { predict } from '../../../src/core/wire/bodies/predict.ts';
import {
  dequantiseMotion,
  dequantiseRotation,
  quantiseFlight,
  quantiseMotion,
} from '../../../src/core/wire/bodies/quantise.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import type { Simulation } from '../../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { HIGH, LOW } from '../../support/packets.ts';
import { stepsOf } from './standard/grids.ts';

const MOST_TICKS = mostPredictedTicks(TICK_RATE);

const CUBE = 0 as BodyId;
const TICKS = 30;

function stateOf(position: number[], linear: number[], angular: number[], random: Random): Int32Array {
  const part = (): number => random.between(-1, 1);
  const { x, y, z, w } = normalize(quaternion(part(), part(), part(), part()), quaternion());
  const state = new Int32Array(STRIDE);
  state[STATE.largest] = -1;
  quantiseMotion(Float32Array.from([...position, x, y, z, w, ...linear, ...angular]), 0, state);
  return state;
}

/** A state high above the floor, with any velocity, and any spin up to `spin` rad/s. */
function flying(random: Random, spin: number): Int32Array {
  const vector = (reach: number): number[] => [0, 1, 2].map(() => random.between(-reach, reach));
  return stateOf(
    [random.between(-40, 40), random.between(30, 50), random.between(-40, 40)],
    vector(20),
    vector(spin),
    random,
  );
}

function after(from: Int32Array, ticks: number, law = CUBE_LAW): Int32Array {
  const out = new Int32Array(STRIDE).fill(12345);
  predict(law, from, ticks, out);
  return out;
}

/** Radians between the rotations of two states. */
function angle(a: Int32Array, b: Int32Array): number {
  const [p, q] = [a, b].map((state) => dequantiseRotation(state, STATE.largest, quaternion()));
  return angleBetween(p, q);
}

/** The greatest difference of `count` numbers, in steps. */
function off(a: Int32Array, b: Int32Array, from: number, count: number): number {
  let most = 0;
  for (let i = from; i < from + count; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

describe.each([30, 60, 90, 120])(
  '[W2] at %i ticks a second the engine moves a cube in free flight as predicted',
  (rate) => {
    const law = cubeLaws(1, rate).of(CUBE, 0);
    let simulation: Simulation;
    beforeAll(async () => {
      await loadPhysics();
      simulation = createRapierSimulation({ ...createLevel({ id: 'grid', seed: 1, count: 1 }), rate });
      return () => simulation.dispose();
    });

    /** The states of the following ticks, made as a peer makes them: write back, step, capture, quantise. */
    function* flight(start: Int32Array): Generator<Int32Array> {
      const state = start.slice();
      const motion = new Float32Array(STRIDE);
      for (let tick = 0; tick < TICKS; tick++) {
        dequantiseMotion(state, 0, motion, 0);
        simulation.write(CUBE, motion);
        simulation.step();
        simulation.capture(motion);
        quantiseFlight(motion, 0, state);
        yield state;
      }
    }

    test('[B2.2] position and linear velocity are exact for 1 to 30 ticks', () => {
      const random = new Random(1);
      for (let run = 0; run < 60; run++) {
        const start = flying(random, 25);
        let ticks = 0;
        for (const state of flight(start)) {
          const foretold = after(start, ++ticks, law);
          expect(off(foretold, state, STATE.position, 3), `position, run ${run}, ${ticks} ticks`).toBe(0);
          expect(off(foretold, state, STATE.linear, 3), `velocity, run ${run}, ${ticks} ticks`).toBe(0);
        }
      }
    });

    test('rotation and angular velocity are nearly always exact, and never far off', () => {
      const random = new Random(2);
      const soon = { exact: 0, all: 0 };
      for (let run = 0; run < 100; run++) {
        // The engine turns no body by more than 45 degrees in a step.
        const start = flying(random, Math.min([2, 10, 25][run % 3], 0.43 * rate));
        let ticks = 0;
        for (const state of flight(start)) {
          // Half a second: errors grow with time.
          if (ticks >= rate / 2) break;
          const foretold = after(start, ++ticks, law);
          const spin = off(foretold, state, STATE.angular, 3);
          const turn = angle(foretold, state);
          // The engine's gyroscopic term rounds: the spin sometimes errs by a step. From then on it is dithered otherwise.
          const step = stepsOf([...state])[STATE.angular];
          expect(spin, `spin, run ${run}, ${ticks} ticks`).toBeLessThanOrEqual(4 * step);
          expect(turn, `rotation, run ${run}, ${ticks} ticks`).toBeLessThan(rate === TICK_RATE ? 0.01 : 0.03);
          if (ticks > 6) continue;
          soon.all++;
          if (off(foretold, state, 0, STRIDE) === 0) soon.exact++;
        }
      }
      expect(soon.exact / soon.all).toBeGreaterThan(0.98);
    });
  },
);

describe('a prediction', () => {
  test('of 0 ticks, and of more than MOST_TICKS, is the unchanged state', () => {
    const start = flying(new Random(3), 20);
    for (const ticks of [0, MOST_TICKS + 1, 65535]) expect(after(start, ticks)).toEqual(start);
    expect(after(start, MOST_TICKS)).not.toEqual(start);
  });

  test('is the same at once as tick by tick, and does not change its start', () => {
    const random = new Random(4);
    for (let run = 0; run < 50; run++) {
      const start = flying(random, 47);
      const untouched = start.slice();
      let state = start;
      for (let tick = 0; tick < MOST_TICKS; tick++) state = after(state, 1);
      expect(after(start, MOST_TICKS)).toEqual(state);
      expect(start).toEqual(untouched);
    }
  });

  test('[W6.1] of any state in a packet stays within its ranges', () => {
    const random = new Random(6);
    for (let run = 0; run < 500; run++) {
      const wild = Int32Array.from(LOW, (low, i) =>
        random.chance(0.5) ? [low, HIGH[i]][random.below(2)] : low + random.below(HIGH[i] - low + 1),
      );
      for (const ticks of [1, 7, 63]) {
        const state = after(wild, ticks);
        state.forEach((n, i) => {
          expect(n).toBeGreaterThanOrEqual(LOW[i]);
          expect(n).toBeLessThanOrEqual(HIGH[i]);
        });
      }
    }
  });
});
