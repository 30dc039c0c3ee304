import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { REST_TOLERANCE } from '../../../../src/core/base/constants.ts';
import { distance, vector } from '../../../../src/core/base/math.ts';
import { STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { CUBE_SIZE } from '../../../../src/levels/arrangements.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';

import {
  A,
  B,
  C,
  GUEST,
  HOST,
  NOBODY_HERE,
  STILL,
  inEngine,
  poseAt,
  positionOf,
  sceneOf,
  shownAt,
  tick,
  ticks,
  tower,
  update,
} from '../../../support/bodies.ts';

beforeAll(loadPhysics);

describe('[R2] rest', () => {
  test('[R2.1] [R2.4] a cube that lies still is frozen, sleeps, and is drawn where its record says', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    expect([bodies.records.resting[A], bodies.simulation.isAsleep(A)]).toEqual([1, true]);
    const state = bodies.records.state.slice();
    ticks(bodies, 600);
    expect(bodies.records.state).toEqual(state);
    expect(shownAt(bodies, A).y).toBeCloseTo(state[1] / 4096, 6);
    expect([...state.subarray(STATE.linear)]).toEqual([0, 0, 0, 0, 0, 0]);
  });
  test('[R2.2] [R2.4] a rest record that the engine is close to leaves the engine alone; the record is drawn', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    const before = positionOf(bodies, A);
    const near = vector(before.x + REST_TOLERANCE * 0.9, before.y, 0);
    bodies.received.apply(update(A, near, 100, 'rest'), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(positionOf(bodies, A)).toEqual(before);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
    expect(distance(shownAt(bodies, A), near)).toBeLessThan(0.0003);
  });
  test.each([3, 4, 5, 6])(
    'a tower that is said to rest again after %i ticks is drawn where it rests, though its engine lets it sink',
    (apart) => {
      // A newcomer's engine sets a high tower on new contacts: it sinks by millimetres before it sleeps.
      const HEIGHT = 20;
      const host = inEngine(tower(HEIGHT));
      ticks(host, 240);
      const cubes = Array.from({ length: HEIGHT }, (_, body) => body as BodyId);
      const places = cubes.map((body) => shownAt(host, body));
      const newcomer = inEngine(tower(HEIGHT));
      let sunk = 0;
      // The host says it until it knows that it was heard.
      for (let heard = 0; heard < 60; heard++) {
        if (heard % apart === 0)
          for (const body of cubes)
            newcomer.received.apply(update(body, places[body], heard + 1, 'rest'), HOST);
        tick(newcomer, NOBODY_HERE);
        for (const body of cubes) {
          sunk = Math.max(sunk, distance(positionOf(newcomer, body), places[body]));
          const off = distance(shownAt(newcomer, body), places[body]);
          expect(off, `cube ${body}, tick ${heard}`).toBeLessThan(0.0003);
        }
      }
      expect(sunk).toBeGreaterThan(REST_TOLERANCE);
    },
  );
  test('a cube that has rested, moved and come to rest within a tick rests at another place', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    const places = bodies.records.restPlaces[A];
    bodies.received.apply(update(A, positionOf(bodies, A), 100), GUEST);
    expect(bodies.records.resting[A]).toBe(0);
    tick(bodies);
    expect([bodies.records.resting[A], bodies.records.restPlaces[A]]).toEqual([1, places + 1]);
  });
  test('a cube that falls asleep while it is eased is eased to its end', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    bodies.received.apply(update(A, vector(0, 0.25, 0), 100, 'rest'), GUEST);
    ticks(bodies, 60, NOBODY_HERE);
    const far = vector(0.9, 0.25, 0);
    bodies.received.apply(update(A, far, 200, 'rest'), GUEST);
    ticks(bodies, 20, NOBODY_HERE);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
    expect(distance(shownAt(bodies, A), far), 'it is under way').toBeGreaterThan(0.0003);
    ticks(bodies, 60, NOBODY_HERE);
    expect(distance(shownAt(bodies, A), far)).toBeLessThan(0.0002);
  });
  test('[R2.2] [R2.3] a rest record that the engine is not close to is written, and the cube sleeps again later', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    bodies.received.apply(update(A, vector(0.5, 0.25, 0), 100, 'rest'), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(positionOf(bodies, A).x).toBeCloseTo(0.5, 3);
    expect(bodies.simulation.isAsleep(A), 'in the tick in which it was written').toBe(false);
    ticks(bodies, 30, NOBODY_HERE);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
  });
  test('[R2.3] a cube that is moved a little is not put to sleep in the same tick: the step would undo it', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    const { x, y } = positionOf(bodies, A);
    const sleep = vi.spyOn(bodies.simulation, 'sleep');
    bodies.received.apply(update(A, vector(x + 0.006, y, 0), 100, 'rest'), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(sleep).not.toHaveBeenCalled();
    ticks(bodies, 3, NOBODY_HERE);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
    expect(positionOf(bodies, A).x).toBeCloseTo(x + 0.006, 3);
  });
  test('[R2.3] an island sleeps as a whole: while one of its cubes has no rest record, none does', () => {
    const bodies = inEngine(tower(3));
    const mine = (body: BodyId): boolean => body !== C;
    ticks(bodies, 120, mine);
    expect([...bodies.records.resting]).toEqual([1, 1, 0]);
    expect([A, B, C].map((body) => bodies.simulation.isAsleep(body))).toEqual([false, false, false]);
    bodies.received.apply(update(C, positionOf(bodies, C), 500, 'rest'), GUEST);
    ticks(bodies, 2, mine);
    expect([A, B, C].map((body) => bodies.simulation.isAsleep(body))).toEqual([true, true, true]);
  });
  test('[R2.4] a cube that moves wakes: its record goes on from the engine’s state', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(0, 3, 0)));
    bodies.kinematic.hold(B);
    for (let i = 0; i < 60; i++) {
      bodies.kinematic.move(B, poseAt(vector(0, 3 + i / 1000, 0)));
      tick(bodies);
    }
    expect(bodies.records.resting[A]).toBe(1);
    bodies.kinematic.makeDynamic(B, vector(0.8, -6, 0), STILL);
    ticks(bodies, 40);
    expect(bodies.records.resting[A]).toBe(0);
    expect(bodies.records.state[A * STRIDE] / 4096).toBeCloseTo(positionOf(bodies, A).x, 2);
  });
  test('a cube that touches one in a hand of this peer does not sleep: the engine would let it fall through the floor', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(0, 2, 0)));
    bodies.kinematic.hold(B);
    for (let i = 0; i < 60; i++) {
      bodies.kinematic.move(B, poseAt(vector(0, Math.max(0.7527, 2 - i * 0.06), 0)));
      tick(bodies);
    }
    expect(bodies.simulation.contacts.touching(A, B)).toBe(true);
    expect(bodies.simulation.isAsleep(A)).toBe(false);
    bodies.kinematic.makeDynamic(B, STILL, STILL);
    for (let i = 0; i < 60; i++) {
      tick(bodies);
      expect(positionOf(bodies, A).y).toBeGreaterThan(0.24);
    }
  });
  test('a body let go in the air by a hand that stands still falls', () => {
    const bodies = inEngine(sceneOf(vector(0, 3, 0)));
    bodies.kinematic.hold(A);
    for (let i = 0; i < 60; i++) {
      bodies.kinematic.move(A, poseAt(vector(0, 3, 0)));
      tick(bodies);
    }
    bodies.kinematic.makeDynamic(A, STILL, STILL);
    ticks(bodies, 120);
    expect(positionOf(bodies, A).y).toBeCloseTo(0.25, 2);
    expect(bodies.records.resting[A]).toBe(1);
  });

  test.each([
    [0.05, 0],
    [0.2, 0],
    [1, 0],
    [3, 0],
    [0.5, 60],
    [3, 60],
  ])(
    'a cube on another that is taken away by %f m a tick, after %i ticks in the hand, falls',
    (step, still) => {
      const bodies = inEngine(tower(3));
      ticks(bodies, 60);
      expect(bodies.simulation.isAsleep(C)).toBe(true);
      bodies.kinematic.hold(B);
      const { y: height } = positionOf(bodies, B);
      for (let i = -still; i <= 60; i++) {
        bodies.kinematic.move(B, poseAt(vector(Math.min(6, Math.max(0, i) * step), height, 0)));
        tick(bodies);
      }
      ticks(bodies, 120);
      const { y } = positionOf(bodies, C);
      expect(y).toBeLessThan(CUBE_SIZE * 1.5 + 0.01);
      expect(bodies.records.resting[C]).toBe(1);
    },
  );
});
