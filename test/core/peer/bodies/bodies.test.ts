import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_BODY } from '../../../../src/core/base/ids.ts';
import { distance, pose, vector } from '../../../../src/core/base/math.ts';
import { poseIn } from '../../../../src/core/base/motion.ts';
import { MOTION, STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { Bodies } from '../../../../src/core/peer/bodies/bodies.ts';
import { createLevel } from '../../../../src/levels/levels.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';

import {
  A,
  B,
  FALLING,
  GUEST,
  HOST,
  NOBODY_HERE,
  OTHER,
  STILL,
  inEngine,
  poseAt,
  positionOf,
  sceneOf,
  shownAt,
  tick,
  ticks,
  update,
} from '../../../support/bodies.ts';

beforeAll(loadPhysics);

describe('[W2] the engine follows the record', () => {
  test('[W2.1] [W2.2] the engine gets the recorded state, which is not quantised anew', () => {
    const bodies = inEngine(createLevel({ id: 'pile', seed: 3 }));
    for (let i = 0; i < 240; i++) {
      tick(bodies);
      const before = bodies.records.state.slice();
      // The engine reads back exactly the numbers of a write: recording it again changes nothing.
      bodies.writeBack();
      bodies.simulation.capture(bodies.motion);
      bodies.updateRecords();
      expect(bodies.records.state.every((value, at) => value === before[at])).toBe(true);
    }
  });
  test('[W2.1] bodies of other peers are not recorded from this peer’s engine', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.received.apply(update(A, vector(0, 5, 0), 1, 'motion', FALLING), GUEST);
    const before = bodies.records.state.slice();
    ticks(bodies, 30, NOBODY_HERE);
    expect(positionOf(bodies, A).y).toBeLessThan(4.5);
    expect(bodies.records.state).toEqual(before);
  });
});

describe('[R5] a body that stands by another peer’s state', () => {
  test('[R5.2] stays where it is, though nothing carries it here', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.received.apply(update(A, vector(0, 5, 0), 1), GUEST);
    for (let i = 0; i < 120; i++) {
      tick(bodies, NOBODY_HERE);
      expect(distance(positionOf(bodies, A), vector(0, 5, 0)), `tick ${i}`).toBeLessThan(0.01);
      expect(distance(shownAt(bodies, A), vector(0, 5, 0)), `drawn, tick ${i}`).toBeLessThan(0.001);
    }
  });
  test('[R5.2] moves on when it was hit here, until its next state', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.received.apply(update(A, vector(0, 5, 0), 1), GUEST);
    ticks(bodies, 10, NOBODY_HERE);
    bodies.motion[MOTION.linear] = 2;
    bodies.simulation.write(A, bodies.motion);
    ticks(bodies, 6, NOBODY_HERE);
    expect(positionOf(bodies, A).x).toBeGreaterThan(0.15);
    bodies.received.apply(update(A, vector(0, 5, 0), 17), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(positionOf(bodies, A).x).toBeLessThan(0.01);
  });
  test('[R5.2] falls at once when this peer simulates it', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.received.apply(update(A, vector(0, 5, 0), 1), GUEST);
    ticks(bodies, 10, NOBODY_HERE);
    bodies.startSimulating(A);
    ticks(bodies, 60);
    expect(positionOf(bodies, A).y).toBeLessThan(2);
  });
});

describe('[R5] a body that stands on the peer that simulates it', () => {
  /** The engine has moved the body by so many metres, at this speed; returns its record's x and velocity, in steps. */
  function recordAfter(metres: number, speed: number): number[] {
    const scene = sceneOf(vector(0, 5, 0));
    const bodies = new Bodies(scene, floatingSimulation(scene));
    bodies.motion[0] += metres;
    bodies.motion[MOTION.linear] = speed;
    bodies.engine.updateRecord(A);
    const { state } = bodies.records;
    expect(bodies.engine.isAsRecorded(A), 'the engine is left alone').toBe(speed < 0.03);
    return [state[0], state[STATE.linear]];
  }
  test('[R5.1] keeps its record within 1 mm and under 3 cm/s, and its record has no velocity', () => {
    expect(recordAfter(0.0009, 0.029)).toEqual([0, 0]);
    expect(recordAfter(0.002, 0.029)).toEqual([8, 0]);
    const [, velocity] = recordAfter(0.0009, 0.031);
    expect(velocity).toBeGreaterThan(0);
  });
});

describe('received states', () => {
  let bodies: Bodies;
  beforeEach(() => {
    const scene = sceneOf(vector(0, 1, 0), vector(5, 1, 0));
    bodies = new Bodies(scene, floatingSimulation(scene));
  });
  test('that are due are dropped with a body that this peer takes: it wakes, and its record is where it is', () => {
    ticks(bodies, 60);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
    bodies.received.apply({ ...update(A, vector(1, 1, 0), 1), kind: 'rest' }, GUEST);
    bodies.startSimulating(A);
    ticks(bodies, 60);
    expect(positionOf(bodies, A).x).toBeCloseTo(0, 3);
    expect(shownAt(bodies, A).x).toBeCloseTo(0, 3);
  });
  test('are shown just as they came', () => {
    for (let of = 1; of < 60; of++) {
      const at = vector(of / 10, 1, 0);
      bodies.received.apply(update(A, at, of), GUEST);
      tick(bodies, NOBODY_HERE);
      expect(distance(shownAt(bodies, A), at), `tick ${of}`).toBeLessThan(of === 1 ? 0.2 : 0.0003);
    }
  });
  test('[T6.1] older than the last of their author are ignored; those of a new author are not', () => {
    bodies.received.apply(update(A, vector(1, 1, 0), 50), GUEST);
    bodies.received.apply(update(A, vector(2, 1, 0), 49), GUEST);
    bodies.received.apply(update(A, vector(2, 1, 0), 50), GUEST);
    expect(bodies.records.state[A * STRIDE]).toBe(4096);
    bodies.received.apply(update(A, vector(3, 1, 0), 10), OTHER);
    expect(bodies.records.state[A * STRIDE]).toBe(3 * 4096);
    expect([bodies.following.isOf(A, GUEST), bodies.following.isOf(A, OTHER)]).toEqual([false, true]);
  });
  test('that jump are eased: the drawn body starts from where it was', () => {
    for (let of = 1; of < 20; of++) {
      bodies.received.apply(update(A, vector(1, 1, 0), of), GUEST);
      tick(bodies, NOBODY_HERE);
    }
    bodies.received.apply(update(A, vector(1.5, 1, 0), 60), GUEST);
    const steps: number[] = [];
    for (let i = 0, x = 1; i < 40; i++) {
      tick(bodies, NOBODY_HERE);
      steps.push(shownAt(bodies, A).x - x);
      x = shownAt(bodies, A).x;
    }
    // It is drawn where it was in the tick of the jump, and then follows, ever slower.
    expect(steps[0]).toBeCloseTo(0, 3);
    for (let i = 2; i < steps.length; i++) expect(steps[i]).toBeLessThan(steps[i - 1] + 1e-4);
    expect(shownAt(bodies, A).x).toBeCloseTo(1.5, 3);
  });
  test('[A7.5] [R2.4] the rest pose of a returned body shows at once and stays', () => {
    bodies.received.applyReturned(update(A, vector(2, 1, 0), 5, 'rest'));
    tick(bodies);
    expect([bodies.records.resting[A], bodies.records.state[A * STRIDE]]).toEqual([1, 2 * 4096]);
    ticks(bodies, 60);
    expect(bodies.records.state[A * STRIDE]).toBe(2 * 4096);
    expect(shownAt(bodies, A).x).toBeCloseTo(2, 3);
  });
});

describe('held bodies', () => {
  test('a carried body is drawn in the hand that carries it; its way there is eased', () => {
    const scene = sceneOf(vector(0, 1, 0));
    const bodies = new Bodies(scene, floatingSimulation(scene));
    bodies.following.setCanEase(A, true);
    tick(bodies, NOBODY_HERE);
    bodies.kinematic.carry(A, poseAt(vector(0.5, 1, 0)), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(shownAt(bodies, A).x).toBeLessThan(0.25);
    for (let i = 0; i < 60; i++) {
      bodies.kinematic.carry(A, poseAt(vector(0.5 + i / 50, 1, 0)), GUEST);
      tick(bodies, NOBODY_HERE);
    }
    expect(shownAt(bodies, A).x).toBeCloseTo(0.5 + 59 / 50, 3);
    expect([bodies.kinematic.has(A), bodies.following.isOf(A, GUEST)]).toEqual([true, true]);
  });

  test('[G5.2] a carried body pushes nothing', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(3, 0.25, 0)));
    ticks(bodies, 40);
    for (let i = 0; i <= 60; i++) {
      bodies.kinematic.carry(B, poseAt(vector(3 - i / 10, 0.25, 0)), GUEST);
      tick(bodies, (body) => body === A);
    }
    expect(Math.abs(positionOf(bodies, A).x)).toBeLessThan(0.001);
    expect(positionOf(bodies, B).x).toBeCloseTo(-3, 3);
  });

  test('a body that is let go flies with the velocities that it is given', () => {
    const bodies = inEngine(sceneOf(vector(0, 3, 0)));
    bodies.kinematic.hold(A);
    tick(bodies);
    bodies.kinematic.makeDynamic(A, vector(6, 0, 0), vector(0, 2, 0));
    ticks(bodies, 30);
    expect(positionOf(bodies, A).x).toBeGreaterThan(2.8);
    expect(bodies.motion[A * STRIDE + MOTION.angular + 1]).toBeGreaterThan(1.8);
    expect(bodies.kinematic.has(A)).toBe(false);
  });

  test('states of it that are due meanwhile do not move it', () => {
    const scene = sceneOf(vector(0, 1, 0));
    const bodies = new Bodies(scene, floatingSimulation(scene));
    bodies.kinematic.hold(A);
    bodies.received.apply(update(A, vector(9, 1, 0), 5), GUEST);
    bodies.kinematic.move(A, poseAt(vector(2, 1, 0)));
    tick(bodies);
    expect(positionOf(bodies, A).x).toBe(2);
  });
});

describe('collisions', () => {
  test('are reported with the speed that the two had before they met', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(-3, 0.75, 0)));
    bodies.kinematic.hold(B);
    tick(bodies);
    bodies.kinematic.makeDynamic(B, vector(9, 0, 0), STILL);
    const [speeds, falls]: number[][] = [[], []];
    for (let i = 0; i < 40; i++) {
      bodies.writeBack();
      bodies.step((a, b, speed) => {
        (b === NO_BODY ? falls : speeds).push(speed);
        if (b !== NO_BODY) expect([a, b].sort()).toEqual([A, B]);
      });
      bodies.updateRecords();
    }
    expect(speeds[0]).toBeGreaterThan(8);
    expect(speeds[0]).toBeLessThan(10);
    expect(Math.max(...falls)).toBeGreaterThan(1);
    expect(Math.max(...falls)).toBeLessThan(4);
  });
});

describe('putting back', () => {
  test('[H8.6] all bodies at their start: as at the beginning, under nobody', () => {
    const bodies = inEngine(createLevel({ id: 'pile', seed: 1 }));
    const [motion, state] = [bodies.motion.slice(), bodies.records.state.slice()];
    bodies.records.authority.fill(HOST);
    bodies.kinematic.hold(A);
    ticks(bodies, 100);
    bodies.putAll(null);
    expect(bodies.motion).toEqual(motion);
    expect(bodies.records.state).toEqual(state);
    expect([...bodies.records.authority].every((slot) => slot === -1)).toBe(true);
    expect(bodies.kinematic.has(A)).toBe(false);
    expect(bodies.drawn.poses).toEqual(bodies.drawn.before);
    tick(bodies);
    expect(distance(positionOf(bodies, A), poseIn(motion, A, pose()).position)).toBeLessThan(0.01);
  });

  test('[R4.1] one body at its start: it no longer rests', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(4, 2, 0)));
    ticks(bodies, 120);
    expect(positionOf(bodies, B).y).toBeCloseTo(0.25, 2);
    bodies.putBackToStart(B);
    tick(bodies);
    expect(positionOf(bodies, B).y).toBeCloseTo(2, 1);
    expect([...bodies.records.resting]).toEqual([1, 0]);
    ticks(bodies, 120);
    expect(positionOf(bodies, B).y).toBeCloseTo(0.25, 2);
  });

  test('a body of another peer to its last known place, standing still', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.received.apply(update(A, vector(2, 5, 0), 5, 'motion', FALLING), GUEST);
    ticks(bodies, 40, NOBODY_HERE);
    expect(positionOf(bodies, A).y).toBeLessThan(4);
    bodies.putBackToRecord(A);
    expect(distance(positionOf(bodies, A), vector(2, 5, 0))).toBeLessThan(0.001);
    expect([...bodies.motion.subarray(MOTION.linear, STRIDE)]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
