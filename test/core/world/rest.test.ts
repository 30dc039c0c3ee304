import { describe, expect, test } from 'vitest';
import { BodySet } from '../../../src/core/base/body-set.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import {
  REST_ANGLE_DEGREES,
  REST_DISTANCE,
  REST_SECONDS,
  REST_TOLERANCE,
  TICK_RATE,
  ticksIn,
} from '../../../src/core/base/constants.ts';
import { fromAxisAngle, quaternion, vector } from '../../../src/core/base/math.ts';
import { putVector } from '../../../src/core/base/motion.ts';
import { Random } from '../../../src/core/base/random.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import { ContactGraph } from '../../../src/core/world/contacts.ts';
import type { RestLimits } from '../../../src/core/world/level.ts';
import { STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { RestDetector, withinRestTolerance } from '../../../src/core/world/rest.ts';

const REST_TICKS = ticksIn(REST_SECONDS, TICK_RATE);

const AXIS = vector(0, 0.6, 0.8);

/** Motions of bodies two metres apart, unturned. */
function motions(count: number): Float32Array {
  const motion = new Float32Array(count * STRIDE);
  for (let body = 0; body < count; body++) place(motion, body, 2 * body, 0);
  return motion;
}

/** Puts a body at `x` metres, turned by so many degrees. */
function place(motion: Float32Array, body: number, x: number, degrees: number): void {
  const q = fromAxisAngle(AXIS, (degrees * Math.PI) / 180, quaternion());
  putVector(vector(x, 0.25, 0), motion, body * STRIDE);
  putVector(q, motion, body * STRIDE + MOTION.rotation);
  motion[body * STRIDE + MOTION.rotation + 3] = q.w;
}

/** [R1] True if a pose keeps another one still. */
function isNearTo(a: Float32Array, b: Float32Array): boolean {
  const turned = Math.hypot(...[3, 4, 5, 6].map((i) => a[i] - b[i]));
  const most = 2 * Math.sin((REST_ANGLE_DEGREES / 4) * (Math.PI / 180));
  return Math.abs(a[0] - b[0]) <= REST_DISTANCE && turned <= most;
}

/** Some bodies and their detector, which has seen them stand still for so many ticks. */
function watched(count: number, ticks: number, ...pairs: readonly (readonly [number, number])[]) {
  const contacts = new ContactGraph(count);
  for (const [a, b] of pairs) contacts.add(a as BodyId, b as BodyId);
  const detector = new RestDetector(Array<RestLimits>(count).fill(STANDARD_MATERIAL.rest), TICK_RATE);
  const motion = motions(count);
  const awake = new BodySet(count);
  awake.fill();
  const tick = (times = 1): number[] => {
    for (let i = 0; i < times; i++) detector.update(motion, { contacts, awake });
    return [...detector.island].map((island) => detector.islandStill[island]);
  };
  tick(ticks);
  return { detector, motion, contacts, awake, tick };
}

describe('[R1] rest', () => {
  test('[R1.2] is measured by the limits of each body', () => {
    const limits = [STANDARD_MATERIAL.rest, { distance: 0.1, angleDegrees: 10 }];
    const detector = new RestDetector(limits, TICK_RATE);
    const motion = motions(2);
    const simulation = { contacts: new ContactGraph(2), awake: new BodySet(2) };
    simulation.awake.fill();
    for (let tick = 0; tick < REST_TICKS * 2; tick++) {
      for (const body of [0, 1]) place(motion, body, (tick % 2) * 0.05, 0);
      detector.update(motion, simulation);
    }
    expect([...detector.islandStill]).toEqual([0, 1]);
  });

  test('[R1.2] is measured over 16 ticks: before them, nothing is still', () => {
    expect(REST_TICKS).toBe(16);
    const { tick } = watched(1, REST_TICKS - 2);
    expect(tick()).toEqual([0]);
    expect(tick()).toEqual([1]);
  });

  test('[R1.2] ends with more than 1 cm away from any of the last 16 ticks, and comes 16 ticks later', () => {
    const { motion, tick } = watched(1, REST_TICKS);
    place(motion, 0, REST_DISTANCE + 0.001, 0);
    expect(tick()).toEqual([0]);
    expect(tick(REST_TICKS - 2)).toEqual([0]);
    expect(tick()).toEqual([1]);
  });

  test('of a sleeping body lasts: the body is not looked at until it wakes', () => {
    const { motion, awake, tick } = watched(1, 2 * REST_TICKS);
    awake.delete(0);
    place(motion, 0, 1, 0);
    expect(tick()).toEqual([1]);
    awake.fill();
    expect(tick()).toEqual([0]);
  });

  test('of a sleeping body that has moved within 16 ticks is measured', () => {
    const { motion, awake, tick } = watched(1, 2 * REST_TICKS);
    place(motion, 0, REST_DISTANCE - 0.001, 0);
    tick();
    awake.delete(0);
    place(motion, 0, 1, 0);
    expect(tick()).toEqual([0]);
  });

  test('[R1.2] lasts through less than 1 cm', () => {
    const { motion, tick } = watched(1, REST_TICKS);
    place(motion, 0, REST_DISTANCE - 0.001, 0);
    expect(tick()).toEqual([1]);
  });

  test('[R1.2] does not come to a body that creeps: 1 mm a tick is 1.5 cm in 16 ticks', () => {
    const { motion, tick } = watched(1, REST_TICKS);
    for (let i = 1; i <= 40; i++) {
      place(motion, 0, i * 0.001, 0);
      expect(tick()).toEqual([i <= 10 ? 1 : 0]);
    }
  });

  test.each([
    [0.7, 1],
    [0.9, 0],
  ])('[R1.2] lasts through a turn of less than 0.8°: %f° gives %i', (degrees, still) => {
    const { motion, tick } = watched(1, REST_TICKS);
    place(motion, 0, 0, degrees);
    expect(tick()).toEqual([still]);
  });

  test('of a trembling body is the same as by a search through all of its last 16 ticks', () => {
    const random = new Random(1);
    const { motion, tick } = watched(1, 0);
    const past: Float32Array[] = [];
    const found = [0, 0];
    for (let i = 0, x = 0, degrees = 0; i < 20_000; i++) {
      // Long spells of trembling, by more or less, that drifts; now and then a jolt.
      const size = (1 + Math.floor(i / 500)) % 9;
      x += (random.next() - 0.5) * 0.0009 * size + (random.next() < 0.002 ? 0.011 : 0);
      degrees += (random.next() - 0.5) * 0.07 * size;
      place(motion, 0, x, degrees);
      past.unshift(motion.slice());
      const last = past.slice(0, REST_TICKS);
      const isStill = last.length === REST_TICKS && last.every((was) => isNearTo(was, motion));
      found[isStill ? 1 : 0]++;
      expect(tick(), `tick ${i}`).toEqual([isStill ? 1 : 0]);
    }
    expect(Math.min(...found), 'both are found').toBeGreaterThan(2000);
  });

  test('has to come anew to a body that was stirred, though it has not moved yet', () => {
    const { detector, tick } = watched(2, REST_TICKS);
    detector.restart(0 as BodyId);
    expect(tick()).toEqual([0, 1]);
    expect(tick(REST_TICKS - 2)).toEqual([0, 1]);
    expect(tick()).toEqual([1, 1]);
  });

  test('knows a rotation by either of its two quaternions', () => {
    const { motion, tick } = watched(1, REST_TICKS);
    for (let i = 0; i < 4; i++) motion[MOTION.rotation + i] *= -1;
    expect(tick()).toEqual([1]);
  });
});

describe('[R2] contact islands', () => {
  test('[R2.1] are still only if every body of them is', () => {
    const { motion, tick } = watched(5, REST_TICKS, [0, 1], [1, 2], [3, 4]);
    expect(tick()).toEqual([1, 1, 1, 1, 1]);
    place(motion, 2, 9, 0);
    expect(tick()).toEqual([0, 0, 0, 1, 1]);
  });

  test('[R2.1] are the bodies that contacts join, through any number of bodies', () => {
    const { detector } = watched(6, 1, [5, 3], [3, 1], [4, 2]);
    const [a, b, c] = [detector.island[1], detector.island[2], detector.island[0]];
    expect([...detector.island]).toEqual([c, a, b, a, b, a]);
    expect(new Set([a, b, c]).size).toBe(3);
  });

  test('lead from each of their bodies to all others and back', () => {
    const { detector, contacts, tick } = watched(6, 1, [5, 3], [3, 1], [4, 2]);
    const around = (body: number): number[] => {
      const found = [body];
      for (let at = detector.nextInIsland[body]; at !== body; at = detector.nextInIsland[at]) found.push(at);
      return found.sort();
    };
    expect([0, 1, 2, 3].map(around)).toEqual([[0], [1, 3, 5], [2, 4], [1, 3, 5]]);
    contacts.remove(3 as BodyId, 1 as BodyId);
    tick();
    expect([1, 3, 5].map(around)).toEqual([[1], [3, 5], [3, 5]]);
  });

  test('part when a contact ends', () => {
    const { motion, contacts, tick } = watched(2, REST_TICKS, [0, 1]);
    place(motion, 1, 9, 0);
    expect(tick()).toEqual([0, 0]);
    contacts.remove(0 as BodyId, 1 as BodyId);
    expect(tick()).toEqual([1, 0]);
  });
});

describe('[R2.2] a rest record that the engine is close to stays unwritten', () => {
  test.each([
    ['3 mm', REST_TOLERANCE - 0.001, 0, true],
    ['5 mm', REST_TOLERANCE + 0.001, 0, false],
    ['a turn of 0.5°', 0, 0.5, true],
    ['a turn of 0.6°', 0, 0.6, false],
  ])('%s', (_, x, degrees, close) => {
    const [a, b] = [motions(2), motions(2)];
    place(b, 1, 2 + x, degrees);
    expect(withinRestTolerance(a, b, 1 as BodyId, false)).toBe(close);
    expect(withinRestTolerance(a, b, 0 as BodyId, false)).toBe(true);
  });

  test('a ball that has turned', () => {
    const [a, b] = [motions(2), motions(2)];
    place(b, 1, 2, 170);
    expect(withinRestTolerance(a, b, 1 as BodyId, true)).toBe(true);
    place(b, 1, 2 + REST_TOLERANCE + 0.001, 170);
    expect(withinRestTolerance(a, b, 1 as BodyId, true)).toBe(false);
  });
});
