import { describe, expect, test } from 'vitest';
import { MAX_HOLD_DISTANCE } from '../../../src/core/base/constants.ts';
import type { Pose, Quaternion } from '../../../src/core/base/math.ts';
import {
  angleBetween,
  composePose,
  distance,
  fromAxisAngle,
  multiply,
  normalize,
  pose,
  quaternion,
  relativePose,
} from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { MOTION, STATE, STRIDE } from '../../../src/core/base/state.ts';
import {
  dequantiseMotion,
  dequantisePose,
  dequantiseRotation,
  MAX_POSITION,
  MAX_LINEAR,
  MAX_OFFSET,
  MAX_ROTATION,
  POSE_NUMBERS,
  quantiseMotion,
  quantiseOffset,
  quantisePose,
  quantiseRotation,
} from '../../../src/core/wire/bodies/quantise.ts';
import { snapped } from '../../support/packets.ts';
import { stepsOf } from './standard/grids.ts';

/** Steps per 1 of a rotation, as STANDARD.md has it. */
const ROTATION_STEPS = Math.SQRT2 * 16303;
const LOW = [-MAX_POSITION, -MAX_POSITION, -MAX_POSITION];
const HIGH = [MAX_POSITION, MAX_POSITION, MAX_POSITION];
/** The greatest speed of each grid, in steps. */
const SPEEDS = [128, 512, 2048, MAX_LINEAR];

function anyRotation(random: Random): Quaternion {
  const part = (): number => random.between(-1, 1);
  return normalize(quaternion(part(), part(), part(), part()), quaternion());
}

/** A rotation with two to four components that are nearly equal, so that any of them may be the largest. */
function tiedRotation(random: Random): Quaternion {
  const tied = 2 + random.below(3);
  const parts = [0, 1, 2, 3].map((i) => (i < tied ? 1 + random.between(-5e-4, 5e-4) : random.between(-1, 1)));
  for (let i = 3; i > 0; i--) {
    const j = random.below(i + 1);
    [parts[i], parts[j]] = [parts[j], parts[i]];
  }
  const [x, y, z, w] = parts.map((part) => (random.chance(0.5) ? part : -part));
  return normalize(quaternion(x, y, z, w), quaternion());
}

function quantised(q: Readonly<Quaternion>, largest: number): number[] {
  const out = new Int32Array(4);
  quantiseRotation(q, largest, out, 0);
  return [...out];
}

/** Rounded to 32 bits, as in the engine. */
function dequantised(numbers: readonly number[]): Quaternion {
  const { x, y, z, w } = dequantiseRotation(Int32Array.from(numbers), 0, quaternion());
  return quaternion(...[x, y, z, w].map(Math.fround));
}

function parts({ x, y, z, w }: Readonly<Quaternion>): number[] {
  return [x, y, z, w];
}

describe('[W2] positions and velocities', () => {
  test('err by at most half a step of their grid, anywhere', () => {
    const random = new Random(1);
    const motion = new Float32Array(STRIDE);
    const state = new Int32Array(STRIDE);
    const back = new Float32Array(STRIDE);
    // They are rounded to a step of 1 first, then to the grid, which may end a little before the range.
    const most = (step: number): number => (step === 1 ? 0.5 : (step + 1) / 2);
    let worst = 0;
    for (let run = 0; run < 5000; run++) {
      const speed = Math.min(SPEEDS[run % SPEEDS.length], MAX_LINEAR - 32);
      for (let i = 0; i < 3; i++) {
        motion[MOTION.position + i] = random.between(LOW[i] + 8, HIGH[i] - 8) / 4096;
        motion[MOTION.linear + i] = random.between(-speed, speed) / 1024;
        motion[MOTION.angular + i] = random.between(-speed, speed) / 1024;
      }
      quantiseMotion(motion, 0, state);
      dequantiseMotion(state, 0, back, 0);
      const whole = [...motion].map((n, i) => (i < MOTION.linear ? 0 : Math.round(n * 1024)));
      const steps = stepsOf(whole);
      for (let i = 0; i < 3; i++) {
        worst = Math.max(worst, (Math.abs(back[i] - motion[i]) * 4096) / most(steps[i]));
        for (const at of [MOTION.linear + i, MOTION.angular + i]) {
          worst = Math.max(worst, (Math.abs(back[at] - motion[at]) * 1024) / most(steps[at]));
        }
      }
    }
    expect(worst, 'the greatest error, in half steps').toBeLessThanOrEqual(1);
    expect(worst).toBeGreaterThan(0.99);
  });

  test('on the grid come back bit for bit, at both ends and between', () => {
    const random = new Random(2);
    const motion = new Float32Array(STRIDE);
    const again = new Int32Array(STRIDE);
    for (let run = 0; run < 5000; run++) {
      const state = new Int32Array(STRIDE);
      const speed = SPEEDS[run % SPEEDS.length];
      const pick = (low: number, high: number): number =>
        [low, high, low + random.below(high - low + 1)][random.below(3)];
      for (let i = 0; i < 3; i++) {
        state[STATE.position + i] = pick(LOW[i], HIGH[i]);
        state[STATE.linear + i] = pick(-speed, speed);
        state[STATE.angular + i] = pick(-speed, speed);
      }
      state.set(quantised(anyRotation(random), -1), STATE.largest);
      state.set(snapped([...state]));
      dequantiseMotion(state, 0, motion, 0);
      again.set(state);
      quantiseMotion(motion, 0, again);
      expect([...again]).toEqual([...state]);
    }
  });

  test.each([
    ['beyond the world', [1024, 1024.5, -1024.5], [MAX_POSITION, MAX_POSITION, -MAX_POSITION]],
    ['far beyond it', [1e9, -1e9, -1e38], [MAX_POSITION, -MAX_POSITION, -MAX_POSITION]],
    ['at infinity', [Infinity, -Infinity, -Infinity], [MAX_POSITION, -MAX_POSITION, -MAX_POSITION]],
    ['not a number', [NaN, NaN, NaN], [0, 0, 0]],
  ])('%s, they become the nearest end of the range, or 0', (_, metres, steps) => {
    const motion = new Float32Array(STRIDE);
    motion.set(metres, MOTION.position);
    const state = new Int32Array(STRIDE);
    quantiseMotion(motion, 0, state);
    expect([...state.subarray(0, 3)]).toEqual(steps);
    motion.set(metres, MOTION.linear);
    motion.set(metres, MOTION.angular);
    quantiseMotion(motion, 0, state);
    const fastest = metres.map((v) => (Math.abs(v) >= 64 ? Math.sign(v) * MAX_LINEAR : v * 1024 || 0));
    const last = (numbers: readonly number[], step: number): number[] =>
      numbers.map((n) => Math.trunc(n / step) * step);
    expect([...state.subarray(0, 3)]).toEqual(last(steps, 8));
    expect([...state.subarray(STATE.linear)]).toEqual([...last(fastest, 16), ...last(fastest, 32)]);
  });

  test('halves are rounded up', () => {
    const motion = new Float32Array(STRIDE);
    motion.set([0.5 / 4096, 1.5 / 4096, -0.5 / 4096], 0);
    const state = new Int32Array(STRIDE);
    quantiseMotion(motion, 0, state);
    expect([...state.subarray(0, 3)]).toEqual([1, 2, 0]);
  });

  test('of a body do not change its neighbours', () => {
    const motion = new Float32Array(3 * STRIDE).fill(0.5);
    const state = new Int32Array(3 * STRIDE).fill(-1);
    quantiseMotion(motion, STRIDE, state);
    expect([...state.subarray(0, STRIDE), ...state.subarray(2 * STRIDE)]).toEqual(Array(2 * STRIDE).fill(-1));
    expect([...state.subarray(STRIDE, STRIDE + 4)]).toEqual([2048, 2048, 2048, 3]);
  });
});

describe('[W2] rotations', () => {
  test.each([
    ['any', anyRotation],
    ['nearly tied', tiedRotation],
  ])('[W2.2] %s, quantised twice are the same as quantised once', (_, make) => {
    const random = new Random(3);
    const wrong: Quaternion[] = [];
    for (let run = 0; run < 20_000; run++) {
      const q = make(random);
      const once = quantised(q, random.below(5) - 1);
      const twice = quantised(dequantised(once), once[0]);
      if (twice.some((number, i) => number !== once[i])) wrong.push(q);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ['any', anyRotation],
    ['nearly tied', tiedRotation],
  ])('%s, are off by half a step in each number, whichever component is left out', (_, make) => {
    const random = new Random(4);
    let [kept, worst] = [0, 0];
    for (let run = 0; run < 20_000; run++) {
      const q = make(random);
      const before = random.below(4);
      const [largest, ...others] = quantised(q, before);
      const sign = parts(q)[largest] < 0 ? -1 : 1;
      const exact = parts(q).filter((_part, i) => i !== largest);
      worst = Math.max(worst, ...exact.map((part, i) => Math.abs(part * sign * ROTATION_STEPS - others[i])));
      if (largest === before && Math.max(...exact.map(Math.abs)) > Math.abs(parts(q)[largest])) kept++;
    }
    expect(worst).toBeLessThanOrEqual(0.5 + 1e-9);
    // The rare case occurs: a component that is not the largest any more, and stays.
    if (make === tiedRotation) expect(kept).toBeGreaterThan(1000);
  });

  test('come back within 0.01° of what they were', () => {
    const random = new Random(5);
    let worst = 0;
    for (let run = 0; run < 5000; run++) {
      const q = run % 2 === 0 ? anyRotation(random) : tiedRotation(random);
      const angle = angleBetween(q, dequantiseRotation(Int32Array.from(quantised(q, -1)), 0, quaternion()));
      // Through the arc cosine, angles under 1e-8 are all alike.
      worst = Math.max(worst, angle * (180 / Math.PI));
    }
    expect(worst).toBeLessThan(0.01);
  });

  test('a rotation and its negative are the same numbers', () => {
    const random = new Random(6);
    for (let run = 0; run < 2000; run++) {
      const q = anyRotation(random);
      const { x, y, z, w } = q;
      expect(quantised(quaternion(-x, -y, -z, -w), -1)).toEqual(quantised(q, -1));
    }
  });

  test('[W2.3] the largest component stays until another exceeds it by more than 80 steps', () => {
    const exceeding = (steps: number): Quaternion => {
      const [half, more] = [Math.SQRT1_2, steps / 2 / ROTATION_STEPS];
      return normalize(quaternion(half - more, half + more, 0, 0), quaternion());
    };
    const largestOf = (q: Quaternion, before: number): number => quantised(q, before)[0];
    expect(largestOf(exceeding(79), 0)).toBe(0);
    expect(largestOf(exceeding(82), 0)).toBe(1);
    expect(largestOf(exceeding(-79), 1)).toBe(1);
    expect(largestOf(exceeding(-82), 1)).toBe(0);
    expect([largestOf(exceeding(1), -1), largestOf(exceeding(-1), -1)]).toEqual([1, 0]);
    // A component that is far from the largest does not stay.
    expect([largestOf(exceeding(0.5), 3), largestOf(exceeding(-0.5), 2)]).toEqual([1, 0]);
  });

  test('[W2.3] a body keeps its largest component by its last state, and one without a state has the largest', () => {
    const [half, more] = [Math.SQRT1_2, 1 / ROTATION_STEPS];
    const motion = new Float32Array(STRIDE);
    motion.set([half - more, half + more, 0, 0], MOTION.rotation);
    const largestAfter = (before: number): number => {
      const state = new Int32Array(STRIDE);
      state[STATE.largest] = before;
      quantiseMotion(motion, 0, state);
      return state[STATE.largest];
    };
    expect([largestAfter(0), largestAfter(1), largestAfter(2), largestAfter(-1)]).toEqual([0, 1, 1, 1]);
  });

  test('[W2.3] the largest component of a spinning body changes once at each tie', () => {
    const random = new Random(7);
    const turn = fromAxisAngle({ x: 0.6, y: 0, z: 0.8 }, 1e-4, quaternion());
    const q = anyRotation(random);
    let numbers = quantised(q, -1);
    let changes = 0;
    for (let step = 0; step < 60_000; step++) {
      normalize(multiply(turn, q, q), q);
      const next = quantised(q, numbers[0]);
      if (next[0] !== numbers[0]) changes++;
      numbers = next;
    }
    // A turn by 6 rad is 3 rad for the quaternion; it passes a few ties, each once.
    expect(changes).toBeLessThan(9);
    expect(changes).toBeGreaterThan(1);
  });

  test.each([
    ['not numbers', quaternion(NaN, NaN, NaN, NaN)],
    ['zeros', quaternion(0, 0, 0, 0)],
    ['partly not numbers', quaternion(0.5, NaN, 0.5, 0.5)],
    ['infinite', quaternion(Infinity, -Infinity, 0, 1)],
    ['far too long', quaternion(1e30, 1e30, -1e30, 1e30)],
    ['nearly zeros', quaternion(1e-30, 0, 0, 0)],
  ])('%s become some rotation', (_, q) => {
    for (let before = -1; before < 4; before++) {
      const numbers = quantised(q, before);
      expect(Math.max(...numbers.slice(1).map(Math.abs))).toBeLessThanOrEqual(MAX_ROTATION);
      expect(Math.hypot(...parts(dequantised(numbers)))).toBeCloseTo(1, 6);
    }
  });

  test('zeros and NaN become the identity', () => {
    expect(quantised(quaternion(0, 0, 0, 0), -1)).toEqual([3, 0, 0, 0]);
    expect(quantised(quaternion(NaN, NaN, NaN, NaN), -1)).toEqual([3, 0, 0, 0]);
  });

  test('[W6.1] any numbers of a packet give a unit rotation', () => {
    const random = new Random(8);
    let worst = 0;
    for (let run = 0; run < 5000; run++) {
      const number = (): number =>
        [-MAX_ROTATION, MAX_ROTATION, random.below(2 * MAX_ROTATION + 1) - MAX_ROTATION][random.below(3)];
      const q = dequantised([random.below(4), number(), number(), number()]);
      worst = Math.max(worst, Math.abs(Math.hypot(...parts(q)) - 1));
    }
    expect(worst).toBeLessThan(1e-6);
  });
});

describe('poses in avatars', () => {
  function anyPose(random: Random, reach: number): Pose {
    const p = pose();
    Object.assign(p.position, {
      x: random.between(-reach, reach),
      y: random.between(0, 3),
      z: random.between(-reach, reach),
    });
    Object.assign(p.rotation, anyRotation(random));
    return p;
  }

  test.each([0.1, 1, 5, 20, MAX_HOLD_DISTANCE])(
    '[W7.2] a body held %s m away is shown within 2 mm of its place, in the frame of the rounded hand',
    (away) => {
      const random = new Random(9);
      const [hand, offset] = [new Int32Array(POSE_NUMBERS), new Int32Array(POSE_NUMBERS)];
      const [seen, inHand, shown] = [pose(), pose(), pose()];
      let greatest = 0;
      let [greatestTurn, greatestByExactHand] = [0, 0];
      for (let run = 0; run < 3000; run++) {
        const exact = anyPose(random, 30);
        const body = composePose(exact, pointAt(away, anyRotation(random)), pose());
        quantisePose(exact, hand, 0);
        dequantisePose(hand, 0, seen);
        quantiseOffset(relativePose(seen, body, inHand), offset);
        composePose(seen, dequantisePose(offset, 0, inHand), shown);
        greatest = Math.max(greatest, distance(shown.position, body.position));
        greatestTurn = Math.max(greatestTurn, angleBetween(shown.rotation, body.rotation));

        quantiseOffset(relativePose(exact, body, inHand), offset);
        composePose(seen, dequantisePose(offset, 0, inHand), shown);
        greatestByExactHand = Math.max(greatestByExactHand, distance(shown.position, body.position));
      }
      expect(greatest).toBeLessThan(0.002);
      expect(greatestTurn).toBeLessThan(3e-4);
      // Relative to the hand before rounding, the hand's rounding would grow with the distance.
      if (away === MAX_HOLD_DISTANCE) expect(greatestByExactHand).toBeGreaterThan(0.002);
    },
  );

  /** Straight ahead. */
  function pointAt(away: number, rotation: Quaternion): Pose {
    const p = pose();
    p.position.z = -away;
    Object.assign(p.rotation, rotation);
    return p;
  }

  test('an offset beyond its range becomes the end of the range, NaN becomes 0', () => {
    const numbers = new Int32Array(POSE_NUMBERS);
    const far = pose();
    Object.assign(far.position, { x: 32, y: -1e9, z: NaN });
    quantiseOffset(far, numbers);
    expect([...numbers]).toEqual([MAX_OFFSET, -MAX_OFFSET, 0, 3, 0, 0, 0]);
  });

  test('a pose is written from the given index on', () => {
    const numbers = new Int32Array(3 * POSE_NUMBERS).fill(9);
    quantisePose(pose(), numbers, POSE_NUMBERS);
    expect([...numbers]).toEqual([
      ...Array<number>(7).fill(9),
      0,
      0,
      0,
      3,
      0,
      0,
      0,
      ...Array<number>(7).fill(9),
    ]);
    expect(dequantisePose(numbers, POSE_NUMBERS, pose())).toEqual(pose());
  });
});
