import { describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES } from '../../../src/core/base/constants.ts';
import { normalize, quaternion } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { MOTION, STATE, STRIDE } from '../../../src/core/base/state.ts';
import type { NumberKind } from '../../../src/core/wire/coder/contexts.ts';
import { ANGULAR_GRID, LINEAR_GRID } from '../../../src/core/wire/coder/contexts.ts';
import { dequantiseMotion, isOnGrid, quantiseMotion } from '../../../src/core/wire/bodies/quantise.ts';
import { RangeWriter } from '../../../src/core/wire/coder/range-writer.ts';
import type { PlainPacket, PlainUpdate } from '../../support/packets.ts';
import { code, encode, snapped, plainHeader } from '../../support/packets.ts';
import { decodeAlike } from './standard/both-decoders.ts';
import { author, circumstances, FAST, MOVING, SLOW, update } from './plain.ts';
import { stepsOf } from './standard/grids.ts';

/** The greatest speed of each grid but the coarsest, with the steps that STANDARD.md has there and above. */
const EDGES = [
  { speed: 128, linear: [1, 4], position: [1, 2], angular: [1, 8], rotation: [1, 8] },
  { speed: 512, linear: [4, 8], position: [2, 4], angular: [8, 16], rotation: [8, 16] },
  { speed: 2048, linear: [8, 16], position: [4, 8], angular: [16, 32], rotation: [16, 32] },
];
/** A state without velocities; all its numbers are on every grid. */
const STILL = FAST.slice().fill(0, STATE.linear);

/** A velocity at the edge between two grids, and the number of the pose that has the same grid. */
type Case = {
  readonly velocity: number;
  readonly place: number;
  readonly speed: number;
  /** The steps at the edge, and above it. */
  readonly speedSteps: readonly number[];
  readonly placeSteps: readonly number[];
};

/** All cases of an edge: each velocity, in both directions. */
function casesOf({ speed, linear, position, angular, rotation }: (typeof EDGES)[number]): Case[] {
  return [0, 1, 2].flatMap((axis) =>
    [speed, -speed].flatMap((way) => [
      { speed: way, velocity: STATE.linear + axis, place: axis, speedSteps: linear, placeSteps: position },
      {
        speed: way,
        velocity: STATE.angular + axis,
        place: STATE.rotation + axis,
        speedSteps: angular,
        placeSteps: rotation,
      },
    ]),
  );
}

/** A state at an edge, on its finest numbers, and one a step of the coarser grid above it. */
function sidesOf({ velocity, place, speed, speedSteps, placeSteps }: Case): {
  at: number[];
  above: number[];
} {
  const at = STILL.with(velocity, speed).with(place, 64 + placeSteps[0]);
  const faster = STILL.with(velocity, speed + Math.sign(speed) * speedSteps[1]);
  return { at, above: faster.with(place, 64 + placeSteps[1]) };
}

function packetOf(sent: PlainUpdate): PlainPacket {
  return { header: plainHeader(), authors: [author(100)], base: sent.baselineAge, updates: [sent] };
}

/** The result of both decoders for a state without a baseline. */
function plainly(state: readonly number[]): ReturnType<typeof decodeAlike> {
  return decodeAlike(circumstances({}), encode(circumstances({}), packetOf(update({ state }))));
}

const REFUSED = 'truncated or out of range';

describe('[W2] a state is on the grid of its velocities', () => {
  test.each(EDGES)('[W2.4] which is coarser above $speed', (edge) => {
    for (const one of casesOf(edge)) {
      const { at, above } = sidesOf(one);
      const what = JSON.stringify(one);
      for (const state of [at, above]) expect(plainly(state), what).toEqual(packetOf(update({ state })));
      expect(plainly(above.with(one.place, at[one.place])), what).toBe(REFUSED);
      // The speed a step of 1 above the edge is on no grid: it belongs to the coarser.
      expect(plainly(STILL.with(one.velocity, one.speed + Math.sign(one.speed))), what).toBe(REFUSED);
    }
  });

  test.each([
    ['fast', FAST],
    ['on grids 1 and 2', MOVING],
    ['pushed', snapped(SLOW.with(STATE.linear, 200))],
    ['spun', snapped(SLOW.with(STATE.angular, 3000))],
  ])('[W2.4] [W6.1] or refused, wherever it is off: %s', (_, state) => {
    expect(plainly(state)).toBeTypeOf('object');
    const coarse = [...stepsOf(state).entries()].filter(([, step]) => step > 1);
    expect(coarse.length).toBeGreaterThan(5);
    for (const [i, step] of coarse) {
      for (const by of [1, -1, step / 2])
        expect(plainly(state.with(i, state[i] + by)), `${i}: ${state[i] + by}`).toBe(REFUSED);
    }
  });

  test('and is never coded against a baseline if it is not', () => {
    const before = update({ state: MOVING, tick: 97 });
    const known = circumstances({ before: [{ packet: 17, updates: [before] }] });
    const off = update({ state: MOVING.with(0, 1001).with(7, 120), baselineAge: 3 });
    expect(() => code(new RangeWriter(MAX_PACKET_BYTES), known, packetOf(off))).toThrow('no small number');
  });
});

describe('[W2] against a baseline', () => {
  /** How a baseline may have been coded. */
  const MODES = [0, 1, 2] as const;

  test.each(EDGES)('speeds pass $speed and come back', (edge) => {
    for (const one of casesOf(edge)) {
      const { at, above } = sidesOf(one);
      for (const [from, to] of [
        [at, above],
        [above, at],
        [STILL, above],
        [above, STILL],
      ]) {
        for (const mode of MODES) {
          const before = update({ state: from, tick: 97, course: mode });
          const known = circumstances({ before: [{ packet: 17, updates: [before] }] });
          const packet = packetOf(update({ state: to, baselineAge: 3 }));
          expect(decodeAlike(known, encode(known, packet)), JSON.stringify(one)).toEqual(packet);
        }
      }
    }
  });

  test.each([
    ['linear', LINEAR_GRID, STATE.angular],
    ['angular', ANGULAR_GRID, STATE.linear],
  ])('a %s grid that the velocities after it do not have is refused', (_, kind, other) => {
    // FAST is on every grid, so that its numbers fit the wrong grid. Grids are coded, since the other one was 0.
    const isOther = (i: number): boolean => i >= other && i < other + 3;
    const state = FAST.map((n, i) => (i < STATE.linear ? n : isOther(i) ? 0 : 2 * n));
    const before = update({ state, tick: 100 });
    for (const mode of MODES) {
      const known = circumstances({ before: [{ packet: 17, updates: [{ ...before, course: mode }] }] });
      const packet = packetOf(update({ state: FAST, baselineAge: 3 }));
      expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
      for (const lie of [-4, -3, -2, -1, 1]) {
        const liar = new GridLiar(kind, lie);
        code(liar, known, packet);
        expect(decodeAlike(known, liar.finish()), `${lie}`).toBe(REFUSED);
      }
    }
  });

  test('a wrong angular grid of a body in free flight is refused, too', () => {
    const before = update({ state: FAST, tick: 100 });
    const known = circumstances({ before: [{ packet: 17, updates: [before] }] });
    const packet = packetOf(update({ state: FAST.with(0, 1032), baselineAge: 3 }));
    expect(decodeAlike(known, encode(known, packet))).toEqual(packet);
    for (const lie of [-4, -3, -2, -1, 1]) {
      const liar = new GridLiar(ANGULAR_GRID, lie);
      code(liar, known, packet);
      expect(decodeAlike(known, liar.finish()), `${lie}`).toBe(REFUSED);
    }
  });
});

describe('[W2] a state that was quantised once', () => {
  /** A speed near an edge, or anywhere up to it, in m/s or rad/s. */
  function anySpeed(random: Random): number {
    const edge = [0, ...EDGES.map(({ speed }) => speed), 65_535][random.below(5)];
    const off = random.chance(0.7) ? random.between(-20, 20) : random.between(-edge, edge);
    return (edge + off) / 1024;
  }

  /** Any rotation, or one with two largest components that differ by no more than a coarse grid errs. */
  function anyRotation(random: Random): number[] {
    const tied = random.chance(0.5);
    const parts = [0, 1, 2, 3].map((i) =>
      tied && i < 2 ? 1 + random.between(-5e-3, 5e-3) : random.between(-1, 1),
    );
    const first = random.below(4);
    const [a, b, c, d] = parts.map((_, i) => parts[(first + i) % 4] * (random.chance(0.5) ? 1 : -1));
    const { x, y, z, w } = normalize(quaternion(a, b, c, d), quaternion());
    return [x, y, z, w];
  }

  function anyMotion(random: Random): Float32Array {
    const [moves, spins] = [anySpeed(random), anySpeed(random)];
    const velocities = [moves, spins].flatMap((speed) => {
      const axis = random.below(3);
      return [0, 1, 2].map((i) => (i === axis ? speed : random.between(-speed, speed)));
    });
    const place = [random.between(-64, 64), random.between(-2, 62), random.between(-64, 64)];
    return Float32Array.from([...place, ...anyRotation(random), ...velocities]);
  }

  test('[W2.2] [W2.4] is on its grid, and quantising it again gives the same, at every edge', () => {
    const random = new Random(1);
    const back = new Float32Array(STRIDE);
    const seen = new Set<string>();
    for (let run = 0; run < 40_000; run++) {
      const once = new Int32Array(STRIDE).fill(-1);
      once[STATE.largest] = random.below(5) - 1;
      quantiseMotion(anyMotion(random), 0, once);
      expect(isOnGrid(once), `run ${run}`).toBe(true);
      dequantiseMotion(once, 0, back, 0);
      const twice = once.slice();
      quantiseMotion(back, 0, twice);
      expect(twice.join(), `run ${run}`).toBe(once.join());
      seen.add(stepsOf([...once]).join());
    }
    // Four linear grids, four angular ones.
    expect(seen.size).toBe(16);
  });

  test.each(EDGES)('is rounded down to $speed where it is nearer to it, and fine again', (edge) => {
    for (const [i, step] of [edge.linear[1], edge.angular[1]].entries()) {
      const quantised = (speed: number): Int32Array => {
        const motion = new Float32Array(STRIDE);
        motion[MOTION.rotation + 3] = 1;
        motion[[MOTION.linear, MOTION.angular][i]] = speed / 1024;
        const state = new Int32Array(STRIDE).fill(-1);
        quantiseMotion(motion, 0, state);
        return state;
      };
      const at = [STATE.linear, STATE.angular][i];
      expect(quantised(edge.speed + 0.4)[at]).toBe(edge.speed);
      expect(quantised(edge.speed + 1)[at]).toBe(edge.speed);
      expect(quantised(edge.speed + step / 2)[at]).toBe(edge.speed + step);
    }
  });
});

/** Writes a grid that the velocities do not have, and everything after it on that grid. */
class GridLiar extends RangeWriter {
  readonly #kind: NumberKind;
  readonly #lie: number;

  constructor(kind: NumberKind, lie: number) {
    super(2000);
    this.#kind = kind;
    this.#lie = lie;
  }

  override fail(): void {
    // The reader has to notice it.
  }

  override number(kind: NumberKind, block: number, sign: number, value: number): number {
    return super.number(kind, block, sign, kind === this.#kind ? value + this.#lie : value);
  }
}
