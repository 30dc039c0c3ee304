import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import { REST_TOLERANCE } from '../../../src/core/base/constants.ts';
import type { Pose, ReadonlyVector } from '../../../src/core/base/math.ts';
import { distance, fromAxisAngle, pose, quaternion, setVector, vector } from '../../../src/core/base/math.ts';
import { poseIn } from '../../../src/core/base/motion.ts';
import { MOTION, POSE_STRIDE, STATE, STRIDE } from '../../../src/core/base/state.ts';
import { Bodies } from '../../../src/core/peer/bodies.ts';
import { quantiseMotion } from '../../../src/core/wire/quantise.ts';
import type { BodyUpdate } from '../../../src/core/wire/update.ts';
import { bodyUpdate } from '../../../src/core/wire/update.ts';
import type { Scene } from '../../../src/core/world/scene.ts';
import { CUBE_SIZE, createScene } from '../../../src/core/world/scene.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { BodilessSimulation } from '../../support/bodiless.ts';

const [A, B, C] = [0, 1, 2] as BodyId[];
const [HOST, GUEST, OTHER] = [0, 1, 2] as Slot[];
const STILL = vector();
const FALLING = vector(0, -0.1, 0);
const NOT_BACK = (): void => {};

beforeAll(loadPhysics);

function sceneOf(...places: readonly ReadonlyVector[]): Scene {
  const [cube] = createScene({ name: 'grid', seed: 1, count: 1 }).bodies;
  const bodies = places.map((position) => ({ ...cube, start: { position, rotation: quaternion() } }));
  return { name: 'grid', bodies };
}

/** Cubes on top of each other. */
function tower(count: number): Scene {
  return sceneOf(...Array.from({ length: count }, (_, i) => vector(0, CUBE_SIZE / 2 + i * CUBE_SIZE, 0)));
}

/** Bodies in Rapier, of which this peer simulates all, or none. */
function inEngine(scene: Scene): Bodies {
  const bodies = new Bodies(scene, createRapierSimulation(scene));
  onTestFinished(() => bodies.simulation.dispose());
  return bodies;
}

/** One tick, in the order of Peer.tick. */
function tick(bodies: Bodies, simulates: (body: BodyId) => boolean = () => true): void {
  bodies.writeReceived(simulates);
  bodies.showReceived(simulates);
  bodies.updateRest(simulates);
  bodies.writeBack(simulates);
  bodies.step(NOT_BACK);
  bodies.recordOwn(simulates);
  bodies.showOwn(simulates);
}

function ticks(bodies: Bodies, count: number, simulates?: (body: BodyId) => boolean): void {
  for (let i = 0; i < count; i++) tick(bodies, simulates);
}

const NOBODY_HERE = (): boolean => false;

/** Where a body is drawn. */
function shownAt(bodies: Bodies, body: BodyId): ReadonlyVector {
  const [x, y, z] = bodies.shown.subarray(body * POSE_STRIDE, body * POSE_STRIDE + 3);
  return vector(x, y, z);
}

/** Where a body is in the engine. */
function positionOf(bodies: Bodies, body: BodyId): ReadonlyVector {
  return poseIn(bodies.motion, body, pose()).position;
}

/** A received state of a body at this place. */
function update(
  body: BodyId,
  at: ReadonlyVector,
  of: number,
  kind: BodyUpdate['kind'] = 'motion',
  linear: ReadonlyVector = STILL,
): BodyUpdate {
  const motion = new Float32Array(STRIDE);
  motion.set([at.x, at.y, at.z, 0, 0, 0, 1, linear.x, linear.y, linear.z]);
  const received = bodyUpdate();
  received.body = body;
  received.kind = kind;
  received.tick = of;
  received.state[STATE.largest] = -1;
  quantiseMotion(motion, 0, received.state);
  return received;
}

function poseAt(at: ReadonlyVector, angle = 0): Pose {
  const out = pose();
  setVector(out.position, at.x, at.y, at.z);
  fromAxisAngle(vector(0, 1, 0), angle, out.rotation);
  return out;
}

describe('[W2] the record is the truth', () => {
  test('what is written back is what was recorded, and is not quantised anew', () => {
    const bodies = inEngine(createScene({ name: 'pile', seed: 3 }));
    for (let i = 0; i < 240; i++) {
      tick(bodies);
      const before = bodies.records.state.slice();
      // What the engine reads back after a write is what was written: recording it again changes nothing.
      bodies.writeBack(() => true);
      bodies.simulation.capture(bodies.motion);
      bodies.recordOwn(() => true);
      expect(bodies.records.state).toEqual(before);
    }
  });
  test('bodies of other peers are not recorded from this peer’s engine', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.applyState(update(A, vector(0, 5, 0), 1, 'motion', FALLING), GUEST);
    const before = bodies.records.state.slice();
    ticks(bodies, 30, NOBODY_HERE);
    expect(positionOf(bodies, A).y).toBeLessThan(4.5);
    expect(bodies.records.state).toEqual(before);
  });
});

describe('[R5] what another peer says stands', () => {
  test('stays where it is, though nothing carries it here', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.applyState(update(A, vector(0, 5, 0), 1), GUEST);
    for (let i = 0; i < 120; i++) {
      tick(bodies, NOBODY_HERE);
      expect(distance(positionOf(bodies, A), vector(0, 5, 0)), `tick ${i}`).toBeLessThan(0.01);
    }
  });
  test('falls at once when this peer has it', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.applyState(update(A, vector(0, 5, 0), 1), GUEST);
    ticks(bodies, 10, NOBODY_HERE);
    bodies.takenHere(A);
    ticks(bodies, 60);
    expect(positionOf(bodies, A).y).toBeLessThan(2);
  });
});

describe('received states', () => {
  let bodies: Bodies;
  beforeEach(() => {
    const scene = sceneOf(vector(0, 1, 0), vector(5, 1, 0));
    bodies = new Bodies(scene, new BodilessSimulation(scene));
  });
  test('are shown just as they came', () => {
    for (let of = 1; of < 60; of++) {
      const at = vector(of / 10, 1, 0);
      bodies.applyState(update(A, at, of), GUEST);
      tick(bodies, NOBODY_HERE);
      expect(distance(shownAt(bodies, A), at), `tick ${of}`).toBeLessThan(of === 1 ? 0.2 : 0.0003);
    }
  });
  test('older than the last of their author are passed over; those of a new author are not', () => {
    bodies.applyState(update(A, vector(1, 1, 0), 50), GUEST);
    bodies.applyState(update(A, vector(2, 1, 0), 49), GUEST);
    bodies.applyState(update(A, vector(2, 1, 0), 50), GUEST);
    expect(bodies.records.state[A * STRIDE]).toBe(4096);
    bodies.applyState(update(A, vector(3, 1, 0), 10), OTHER);
    expect(bodies.records.state[A * STRIDE]).toBe(3 * 4096);
    expect([bodies.following.isOf(A, GUEST), bodies.following.isOf(A, OTHER)]).toEqual([false, true]);
  });
  test('that jump are eased: the drawn body starts from where it was', () => {
    for (let of = 1; of < 20; of++) {
      bodies.applyState(update(A, vector(1, 1, 0), of), GUEST);
      tick(bodies, NOBODY_HERE);
    }
    bodies.applyState(update(A, vector(1.5, 1, 0), 60), GUEST);
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
  test('[A7] the rest pose of a commit is there at once and for good', () => {
    bodies.adoptRest(update(A, vector(2, 1, 0), 5, 'rest'));
    tick(bodies);
    expect([bodies.records.resting[A], bodies.records.state[A * STRIDE]]).toEqual([1, 2 * 4096]);
    ticks(bodies, 60);
    expect(bodies.records.state[A * STRIDE]).toBe(2 * 4096);
    expect(shownAt(bodies, A).x).toBeCloseTo(2, 3);
  });
});

describe('[R2] rest', () => {
  test('a cube that lies still is frozen, sleeps, and is drawn where its record says', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    expect([bodies.records.resting[A], bodies.simulation.isAsleep(A)]).toEqual([1, true]);
    const state = bodies.records.state.slice();
    ticks(bodies, 600);
    expect(bodies.records.state).toEqual(state);
    expect(shownAt(bodies, A).y).toBeCloseTo(state[1] / 4096, 6);
    expect([...state.subarray(STATE.linear)]).toEqual([0, 0, 0, 0, 0, 0]);
  });
  test('a rest record that the engine is close to leaves the engine alone; the record is drawn', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    const before = positionOf(bodies, A);
    const near = vector(before.x + REST_TOLERANCE * 0.9, before.y, 0);
    bodies.applyState(update(A, near, 100, 'rest'), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(positionOf(bodies, A)).toEqual(before);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
    expect(distance(shownAt(bodies, A), near)).toBeLessThan(0.0003);
  });
  test('one that the engine is not close to is written, and sleeps again later', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    bodies.applyState(update(A, vector(0.5, 0.25, 0), 100, 'rest'), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(positionOf(bodies, A).x).toBeCloseTo(0.5, 3);
    expect(bodies.simulation.isAsleep(A), 'in the tick in which it was written').toBe(false);
    ticks(bodies, 30, NOBODY_HERE);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
  });
  test('one that is written a little is not put to sleep in the same tick: the step would undo it', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0)));
    ticks(bodies, 60);
    const { x, y } = positionOf(bodies, A);
    const sleep = vi.spyOn(bodies.simulation, 'sleep');
    bodies.applyState(update(A, vector(x + 0.006, y, 0), 100, 'rest'), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(sleep).not.toHaveBeenCalled();
    ticks(bodies, 3, NOBODY_HERE);
    expect(bodies.simulation.isAsleep(A)).toBe(true);
    expect(positionOf(bodies, A).x).toBeCloseTo(x + 0.006, 3);
  });
  test('an island sleeps as a whole: while one of it has no rest record, none does', () => {
    const bodies = inEngine(tower(3));
    const mine = (body: BodyId): boolean => body !== C;
    ticks(bodies, 120, mine);
    expect([...bodies.records.resting]).toEqual([1, 1, 0]);
    expect([A, B, C].map((body) => bodies.simulation.isAsleep(body))).toEqual([false, false, false]);
    bodies.applyState(update(C, positionOf(bodies, C), 500, 'rest'), GUEST);
    ticks(bodies, 2, mine);
    expect([A, B, C].map((body) => bodies.simulation.isAsleep(body))).toEqual([true, true, true]);
  });
  test('what moves by itself wakes: its record goes on from what the engine has', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(0, 3, 0)));
    bodies.hold(B);
    for (let i = 0; i < 60; i++) {
      bodies.moveHeld(B, poseAt(vector(0, 3 + i / 1000, 0)));
      tick(bodies);
    }
    expect(bodies.records.resting[A]).toBe(1);
    bodies.letGo(B, vector(0.8, -6, 0), STILL);
    ticks(bodies, 40);
    expect(bodies.records.resting[A]).toBe(0);
    expect(bodies.records.state[A * STRIDE] / 4096).toBeCloseTo(positionOf(bodies, A).x, 2);
  });
  test('what touches a body in a hand of this peer does not sleep: the engine would let it fall through the floor', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(0, 2, 0)));
    bodies.hold(B);
    for (let i = 0; i < 60; i++) {
      bodies.moveHeld(B, poseAt(vector(0, Math.max(0.7527, 2 - i * 0.06), 0)));
      tick(bodies);
    }
    expect(bodies.simulation.contacts.touching(A, B)).toBe(true);
    expect(bodies.simulation.isAsleep(A)).toBe(false);
    bodies.letGo(B, STILL, STILL);
    for (let i = 0; i < 60; i++) {
      tick(bodies);
      expect(positionOf(bodies, A).y).toBeGreaterThan(0.24);
    }
  });
  test('a body let go in the air by a hand that stands still falls', () => {
    const bodies = inEngine(sceneOf(vector(0, 3, 0)));
    bodies.hold(A);
    for (let i = 0; i < 60; i++) {
      bodies.moveHeld(A, poseAt(vector(0, 3, 0)));
      tick(bodies);
    }
    bodies.letGo(A, STILL, STILL);
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
    'what lay on a body that is taken away by %f m a tick, after %i ticks in the hand, falls',
    (step, still) => {
      const bodies = inEngine(tower(3));
      ticks(bodies, 60);
      expect(bodies.simulation.isAsleep(C)).toBe(true);
      bodies.hold(B);
      const { y: height } = positionOf(bodies, B);
      for (let i = -still; i <= 60; i++) {
        bodies.moveHeld(B, poseAt(vector(Math.min(6, Math.max(0, i) * step), height, 0)));
        tick(bodies);
      }
      ticks(bodies, 120);
      const { y } = positionOf(bodies, C);
      expect(y).toBeLessThan(CUBE_SIZE * 1.5 + 0.01);
      expect(bodies.records.resting[C]).toBe(1);
    },
  );
});

describe('held bodies', () => {
  test('a carried body is drawn in the hand that carries it; its way there is eased', () => {
    const scene = sceneOf(vector(0, 1, 0));
    const bodies = new Bodies(scene, new BodilessSimulation(scene));
    bodies.following.setFresh(A, false);
    tick(bodies, NOBODY_HERE);
    bodies.carry(A, poseAt(vector(0.5, 1, 0)), GUEST);
    tick(bodies, NOBODY_HERE);
    expect(shownAt(bodies, A).x).toBeLessThan(0.25);
    for (let i = 0; i < 60; i++) {
      bodies.carry(A, poseAt(vector(0.5 + i / 50, 1, 0)), GUEST);
      tick(bodies, NOBODY_HERE);
    }
    expect(shownAt(bodies, A).x).toBeCloseTo(0.5 + 59 / 50, 3);
    expect([bodies.isHeldHere(A), bodies.following.isOf(A, GUEST)]).toEqual([true, true]);
  });

  test('[G5] a carried body pushes nothing', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(3, 0.25, 0)));
    ticks(bodies, 40);
    for (let i = 0; i <= 60; i++) {
      bodies.carry(B, poseAt(vector(3 - i / 10, 0.25, 0)), GUEST);
      tick(bodies, (body) => body === A);
    }
    expect(Math.abs(positionOf(bodies, A).x)).toBeLessThan(0.001);
    expect(positionOf(bodies, B).x).toBeCloseTo(-3, 3);
  });

  test('a body that is let go flies with the velocities that it is given', () => {
    const bodies = inEngine(sceneOf(vector(0, 3, 0)));
    bodies.hold(A);
    tick(bodies);
    bodies.letGo(A, vector(6, 0, 0), vector(0, 2, 0));
    ticks(bodies, 30);
    expect(positionOf(bodies, A).x).toBeGreaterThan(2.8);
    expect(bodies.motion[A * STRIDE + MOTION.angular + 1]).toBeGreaterThan(1.8);
    expect(bodies.isHeldHere(A)).toBe(false);
  });

  test('states of it that are due meanwhile do not move it', () => {
    const scene = sceneOf(vector(0, 1, 0));
    const bodies = new Bodies(scene, new BodilessSimulation(scene));
    bodies.hold(A);
    bodies.applyState(update(A, vector(9, 1, 0), 5), GUEST);
    bodies.moveHeld(A, poseAt(vector(2, 1, 0)));
    tick(bodies);
    expect(positionOf(bodies, A).x).toBe(2);
  });
});

describe('collisions', () => {
  test('are told with the speed that the two had before they met', () => {
    const bodies = inEngine(sceneOf(vector(0, 0.25, 0), vector(-3, 0.75, 0)));
    bodies.hold(B);
    tick(bodies);
    bodies.letGo(B, vector(9, 0, 0), STILL);
    const [speeds, falls]: number[][] = [[], []];
    for (let i = 0; i < 40; i++) {
      bodies.writeBack(() => true);
      bodies.step((a, b, speed) => {
        (b === NO_BODY ? falls : speeds).push(speed);
        if (b !== NO_BODY) expect([a, b].sort()).toEqual([A, B]);
      });
      bodies.recordOwn(() => true);
    }
    expect(speeds[0]).toBeGreaterThan(8);
    expect(speeds[0]).toBeLessThan(10);
    expect(Math.max(...falls)).toBeGreaterThan(1);
    expect(Math.max(...falls)).toBeLessThan(4);
  });
});

describe('[R4] putting back', () => {
  test('all at their start: as at the beginning, under nobody', () => {
    const bodies = inEngine(createScene({ name: 'pile', seed: 1 }));
    const [motion, state] = [bodies.motion.slice(), bodies.records.state.slice()];
    bodies.records.authority.fill(HOST);
    bodies.hold(A);
    ticks(bodies, 100);
    bodies.putAll(null);
    expect(bodies.motion).toEqual(motion);
    expect(bodies.records.state).toEqual(state);
    expect([...bodies.records.authority].every((slot) => slot === -1)).toBe(true);
    expect(bodies.isHeldHere(A)).toBe(false);
    expect(bodies.shown).toEqual(bodies.shownBefore);
    tick(bodies);
    expect(distance(positionOf(bodies, A), poseIn(motion, A, pose()).position)).toBeLessThan(0.01);
  });

  test('one at its start, at rest no more', () => {
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

  test('one of another peer’s to where it was last known, standing still', () => {
    const bodies = inEngine(sceneOf(vector(0, 5, 0)));
    bodies.applyState(update(A, vector(2, 5, 0), 5, 'motion', FALLING), GUEST);
    ticks(bodies, 40, NOBODY_HERE);
    expect(positionOf(bodies, A).y).toBeLessThan(4);
    bodies.putBackToRecord(A);
    expect(distance(positionOf(bodies, A), vector(2, 5, 0))).toBeLessThan(0.001);
    expect([...bodies.motion.subarray(MOTION.linear, STRIDE)]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
