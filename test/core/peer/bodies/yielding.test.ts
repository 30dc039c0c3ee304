import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { MOTION, STRIDE } from '../../../../src/core/base/state.ts';
import { Bodies } from '../../../../src/core/peer/bodies/bodies.ts';
import { Yielding } from '../../../../src/core/peer/bodies/yielding.ts';
import { vector } from '../../../../src/core/base/math.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';
import { A, B, sceneOf } from '../../../support/bodies.ts';

const QUARTER_SECOND = 15;
const [LOWER, HIGHER] = [1, 2] as Slot[];

let bodies: Bodies;
let yielding: Yielding;

beforeEach(() => {
  const scene = sceneOf(vector(0, 1, 0), vector(0.5, 1, 0));
  bodies = new Bodies(scene, floatingSimulation(scene));
  bodies.records.resting.fill(0);
  bodies.simulation.contacts.add(A, B);
  yielding = new Yielding(2, TICK_RATE);
});

/** True if, on the peer of `self`, body B of the other player does not push body A of `self` after so many ticks. */
function stands(self: Slot, ticks = QUARTER_SECOND): boolean {
  bodies.records.authority.set([self, self === LOWER ? HIGHER : LOWER]);
  let ignores = yielding.before(self, bodies);
  for (let tick = 1; tick < ticks; tick++) ignores = yielding.before(self, bodies);
  return ignores(A, B) && ignores(B, A);
}

/** Places B relative to A, and gives A a speed along x in m/s. */
function place(x: number, y: number, speed: number): void {
  bodies.motion.set([x, 1 + y, 0], B * STRIDE);
  bodies.motion.set([0, 1, 0], A * STRIDE);
  bodies.motion[A * STRIDE + MOTION.linear] = speed;
}

describe('[A10] a body stands on the peer of its player', () => {
  test('[A10.1] after a quarter of a second of touch, until the two part', () => {
    place(0.5, 0, 1);
    expect(stands(LOWER, QUARTER_SECOND - 1)).toBe(false);
    expect(stands(LOWER, 1)).toBe(true);
    bodies.simulation.contacts.remove(A, B);
    expect(stands(LOWER, 1)).toBe(false);
  });

  test('[A10.1] not beside a body that rests, is held, or is of the same player', () => {
    place(0.5, 0, 1);
    bodies.records.resting[B] = 1;
    expect(stands(LOWER)).toBe(false);
    bodies.records.resting[B] = 0;
    bodies.records.hold[B] = 1;
    expect(stands(LOWER)).toBe(false);
    bodies.records.hold[B] = 0;
    expect(stands(LOWER)).toBe(true);
  });

  test.each([LOWER, HIGHER])('[A10.2] if it is the lower of two in a steep line, also in slot %i', (self) => {
    place(0.3, 0.4, 0);
    expect(stands(self)).toBe(true);
    place(0.3, -0.4, 1);
    expect(stands(self)).toBe(false);
  });

  test('[A10.3] if it is beside a body of a higher slot, as long as it moves faster than 0.25 m/s', () => {
    for (const height of [0, 0.3, -0.3]) {
      place(0.4, height, 0.3);
      expect(stands(LOWER), `B is ${height} m higher`).toBe(true);
      expect(stands(HIGHER), `B is ${height} m higher`).toBe(false);
      place(0.4, height, 0.2);
      expect(stands(LOWER), `B is ${height} m higher`).toBe(false);
    }
  });
});
