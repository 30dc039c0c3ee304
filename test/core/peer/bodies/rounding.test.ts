import { beforeAll, describe, expect, test } from 'vitest';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { MOTION, STATE, STRIDE } from '../../../../src/core/base/state.ts';
import type { Bodies } from '../../../../src/core/peer/bodies/bodies.ts';
import { FlightLaws } from '../../../../src/core/wire/bodies/flight-law.ts';
import { predict } from '../../../../src/core/wire/bodies/predict.ts';
import { dequantiseMotion, MAX_POSITION } from '../../../../src/core/wire/bodies/quantise.ts';
import { faultsOfLevel } from '../../../../src/core/world/level-faults.ts';
import type { Level, Template } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { A, GUEST, inEngine, NOBODY_HERE, positionOf, tick, ticks, update } from '../../../support/bodies.ts';

beforeAll(loadPhysics);

const RADIUS = 0.25;
const BALL: Template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: RADIUS } };

function levelOf(template: Template, height: number, count = 1): Level {
  const bodies = Array.from({ length: count }, (_, i) => ({
    template,
    start: { position: vector(-20, height, 2 * i), rotation: quaternion() },
  }));
  return flatLevel('rounding', bodies);
}

/** Sets the velocity of a body along x, and its spin about z, in its record and in the engine. */
function push(bodies: Bodies, body: typeof A, speed: number, spin = 0): void {
  const at = body * STRIDE;
  bodies.motion[at + MOTION.linear] = speed;
  bodies.motion[at + MOTION.angular + 2] = spin;
  bodies.engine.quantise(body);
  bodies.engine.writeRecorded(body);
}

/** A ball that rolls on the floor. */
function rolling(speed: number): Bodies {
  const bodies = inEngine(levelOf(BALL, RADIUS));
  push(bodies, A, speed, -speed / RADIUS);
  return bodies;
}

function speedAlongX(bodies: Bodies, body: typeof A = A): number {
  return bodies.motion[body * STRIDE + MOTION.linear];
}

describe('[W2] a body that touches something', () => {
  test.each([0.5, 2, 4, 6])('[W2.5] rolls on from %f m/s as in the engine alone', (speed) => {
    const bodies = rolling(speed);
    const alone = createRapierSimulation(bodies.level);
    const motion = bodies.motion.slice();
    alone.write(A, motion);
    for (let i = 0; i < 600; i++) {
      tick(bodies);
      alone.step();
    }
    alone.capture(motion);
    alone.dispose();
    expect(Math.abs(speedAlongX(bodies) / motion[MOTION.linear] - 1)).toBeLessThan(0.005);
    expect(Math.abs(positionOf(bodies, A).x - motion[0])).toBeLessThan(0.1);
  });

  test('[W2.5] keeps an impulse between two ticks that is less than a grid step', () => {
    const bodies = rolling(3);
    ticks(bodies, 10);
    const before = bodies.motion.slice();
    before[MOTION.linear] += 4 / 1024;
    bodies.simulation.write(A, before);
    const other = rolling(3);
    ticks(other, 10);
    ticks(bodies, 30);
    ticks(other, 30);
    expect((speedAlongX(bodies) - speedAlongX(other)) * 1024).toBeGreaterThan(2);
  });

  test('[W2.5] has a record that is the rounding of its motion', () => {
    const bodies = rolling(3);
    const recorded = new Float32Array(STRIDE);
    for (let i = 0; i < 60; i++) {
      tick(bodies);
      dequantiseMotion(bodies.records.state, 0, recorded, 0);
      expect(recorded[MOTION.linear]).not.toBe(speedAlongX(bodies));
      expect(Math.abs(recorded[MOTION.linear] - speedAlongX(bodies)) * 1024).toBeLessThanOrEqual(8);
    }
  });
});

describe('[W2] a body in free flight', () => {
  test('[W2.6] is written back from its second step off the ground on, and flies as predicted', () => {
    const bodies = rolling(3);
    ticks(bodies, 10);
    // It leaves the floor with a velocity that is on no grid.
    const thrown = bodies.motion.slice();
    thrown[MOTION.linear + 1] = 5.0003;
    thrown[1] += 0.01;
    bodies.motion.set(thrown);
    bodies.simulation.write(A, thrown);
    bodies.engine.quantise(A);
    ticks(bodies, 2);
    const law = new FlightLaws(bodies.level).of(A, 0);
    const from = bodies.records.state.slice();
    const expected = new Int32Array(STRIDE);
    for (let flown = 1; flown <= 20; flown++) {
      tick(bodies);
      predict(law, from, flown, expected);
      for (const at of [0, 1, 2, 7, 8, 9])
        expect(bodies.records.state[at], `${at}, ${flown}`).toBe(expected[at]);
    }
  });

  test('[W2.7] loses as much speed by drag as in the engine alone, in the mean of many bodies', () => {
    const count = 64;
    const bounds = { across: 300, low: -300, high: 300 };
    const level = { ...levelOf(BALL, 50, count), bounds, statics: [] };
    const [bodies, alone] = [inEngine(level), createRapierSimulation(level)];
    for (let body = 0; body < count; body++) push(bodies, body as typeof A, 4 + body / 1000);
    const motion = bodies.motion.slice();
    for (let body = 0; body < count; body++) alone.write(body as typeof A, motion);
    for (let i = 0; i < 60; i++) {
      tick(bodies);
      alone.step();
    }
    alone.capture(motion);
    alone.dispose();
    const mean = (of: Float32Array, at: number): number =>
      Array.from({ length: count }, (_, body) => of[body * STRIDE + at]).reduce((a, b) => a + b, 0) / count;
    for (const at of [MOTION.linear, MOTION.linear + 1]) {
      const expected = mean(motion, at);
      expect(Math.abs(mean(bodies.motion, at) / expected - 1), `${at}`).toBeLessThan(0.008);
    }
  });

  test.each([
    [1.62, 0.1, 0.05],
    [0, 0, 0],
    [20, 1.5, 3],
  ])('[W2.8] falls by a gravity of %f, with drags of %f and %f', (gravity, linearDamping, angularDamping) => {
    const template = { ...BALL, linearDamping, angularDamping };
    const bodies = inEngine({ ...levelOf(template, 50), gravity, statics: [] });
    push(bodies, A, 6, 9);
    const law = new FlightLaws(bodies.level).of(A, 0);
    const from = bodies.records.state.slice();
    const expected = new Int32Array(STRIDE);
    for (let flown = 1; flown <= 63; flown++) {
      tick(bodies);
      predict(law, from, flown, expected);
      expect([...bodies.records.state], `after ${flown} ticks`).toEqual([...expected]);
    }
  });
});

describe('[W2] the range of positions', () => {
  test('[W2.9] is 1,024 m in every level, and a wider level is refused', () => {
    const level = levelOf(BALL, 900);
    const wide = (high: number): Level => ({ ...level, bounds: { across: 1000, low: -1000, high } });
    const bodies = inEngine({ ...wide(1000), statics: [] });
    ticks(bodies, 5);
    expect(bodies.records.state[1] / 4096).toBeCloseTo(positionOf(bodies, A).y, 2);
    expect(MAX_POSITION).toBe(1024 * 4096 - 1);
    expect(faultsOfLevel(wide(1022.6))).toEqual([expect.stringMatching(/^The upper bound is 1022.6/)]);
  });

  test('[R4.2] a received state outside of the level is not shown', () => {
    const bodies = inEngine(levelOf(BALL, 5));
    const send = (x: number, of: number): number => {
      bodies.received.apply(update(A, vector(x, 5, 0), of), GUEST);
      tick(bodies, NOBODY_HERE);
      return bodies.records.state[STATE.position] / 4096;
    };
    expect(send(64, 1)).toBe(64);
    expect(send(65, 2)).toBe(64);
    expect(send(900, 3)).toBe(64);
    bodies.received.applyReturned(update(A, vector(65, 5, 0), 4, 'rest'));
    expect(bodies.records.resting[A]).toBe(0);
    expect(send(-60, 5)).toBe(-60);
  });
});
