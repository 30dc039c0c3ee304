import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import type { BodyId } from '../../src/core/base/ids.ts';
import { angleBetween, distance, normalize, pose, quaternion, vector } from '../../src/core/base/math.ts';
import type { Pose, Vector } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import type { JointKind } from '../../src/core/world/joints/joint.ts';
import { jointEnd } from '../../src/core/world/joints/joint.ts';
import type { Level, Template } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import { faultsOfLevel } from '../../src/core/world/level-faults.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';

beforeAll(loadPhysics);

const [a, b] = [0, 1] as BodyId[];
const X = vector(1, 0, 0);
const Z = vector(0, 0, 1);
const FREE = { limits: null, motor: null, friction: 0 } as const;
const CUBE: Template = { ...STANDARD_MATERIAL, shape: { kind: 'box', halfExtents: [0.2, 0.2, 0.2] } };

let simulation: Simulation;
let motion: Float32Array;
afterEach(() => simulation.dispose());

/** A cube high up and one a metre beside it; a joint ties the second to the first, or to the world, between them. */
function tied(kind: JointKind, to: number | null, axis: Vector = Z, mass = 1, first = 1): Level {
  const turned = normalize(quaternion(0.1, 0.2, 0.1, 0.9), quaternion());
  const level = flatLevel('tied', [
    { template: { ...CUBE, mass: first }, start: { position: vector(0, 5, 0), rotation: quaternion() } },
    { template: { ...CUBE, mass }, start: { position: vector(1, 5, 0), rotation: turned } },
  ]);
  const at = vector(0.5, 5, 0);
  const ends = [jointEnd(level.bodies, to, at, axis), jointEnd(level.bodies, 1, at, axis)] as const;
  return { ...level, joints: [{ ...kind, ends, collides: false }] };
}

function start(level: Level): void {
  expect(faultsOfLevel(level)).toEqual([]);
  simulation = createRapierSimulation(level);
  motion = new Float32Array(simulation.count * STRIDE);
}

function run(ticks: number): void {
  for (let tick = 0; tick < ticks; tick++) simulation.step();
  simulation.capture(motion);
}

function at(body: BodyId): Pose {
  return poseIn(motion, body, pose());
}

/** Metres from the joint's place in the world to the second cube. */
function reach(): number {
  return distance(at(b).position, vector(0.5, 5, 0));
}

test('[J4.5] two bodies that lie still on each other pass through each other once a joint that forbids contact ties them', () => {
  const stacked = [0.2, 0.6].map((y) => ({
    template: CUBE,
    start: { position: vector(0, y, 0), rotation: quaternion() },
  }));
  start(flatLevel('stack', stacked));
  run(60);
  expect(at(b).position.y).toBeCloseTo(0.6, 2);
  const frame = pose();
  const ends = [
    { body: a, frame },
    { body: b, frame },
  ] as const;
  simulation.setJoint(0, { kind: 'rope', length: 3, ends, collides: false });
  run(60);
  expect([a, b].map((body) => at(body).position.y < 0.25)).toEqual([true, true]);
});

test('[R6.2] a ball in the air that a joint ties to another body turns on freely', () => {
  const ball: Template = {
    ...STANDARD_MATERIAL,
    shape: { kind: 'ball', radius: 0.2 },
    angularDamping: 0,
    rollingFriction: 0.01,
  };
  const [near, far] = [vector(0, 20, 0), vector(1, 20, 0)];
  const level = flatLevel('pendulum', [
    { template: ball, start: { position: near, rotation: quaternion() } },
    { template: CUBE, start: { position: far, rotation: quaternion() } },
  ]);
  const ends = [jointEnd(level.bodies, 0, near), jointEnd(level.bodies, 1, near)] as const;
  start({ ...level, joints: [{ kind: 'ball', ends, collides: false }] });
  simulation.capture(motion);
  motion[MOTION.angular + 2] = 9;
  simulation.write(a, motion);
  run(TICK_RATE);
  expect(motion[MOTION.angular + 2]).toBeCloseTo(9, 2);
});

describe('[J1.1] a joint', () => {
  test('fixed holds a cube where it is', () => {
    start(tied({ kind: 'fixed' }, null));
    run(120);
    expect(distance(at(b).position, vector(1, 5, 0))).toBeLessThan(0.01);
  });

  test('between two cubes lets both fall, and holds them together', () => {
    start(tied({ kind: 'fixed' }, 0));
    run(40);
    expect(at(a).position.y).toBeLessThan(4);
    expect(distance(at(a).position, at(b).position)).toBeCloseTo(1, 2);
    expect([...simulation.contacts.neighbours[a]]).toEqual([b]);
  });

  test('hinge turns a cube about its axis alone, and no further than its limits', () => {
    start(tied({ kind: 'hinge', ...FREE }, null));
    run(20);
    expect(at(b).position.z).toBeCloseTo(0, 2);
    expect(at(b).position.y).toBeLessThan(4.7);
    expect(reach()).toBeCloseTo(0.5, 2);
    simulation.dispose();
    start(tied({ kind: 'hinge', ...FREE, limits: { least: -0.5, most: 0.5 } }, null));
    run(240);
    expect(Math.asin((5 - at(b).position.y) / 0.5)).toBeCloseTo(0.5, 1);
  });

  test('hinge with friction holds what is light, and with a motor lifts it', () => {
    start(tied({ kind: 'hinge', ...FREE, friction: 8 }, null));
    run(120);
    expect(at(b).position.y, 'but for a creep').toBeGreaterThan(4.9);
    simulation.dispose();
    start(tied({ kind: 'hinge', ...FREE, friction: 2 }, null));
    run(30);
    expect(at(b).position.y, 'too heavy').toBeLessThan(4.8);
    simulation.dispose();
    start(tied({ kind: 'hinge', ...FREE, motor: { speed: 1, strength: 20 } }, null));
    run(60);
    const turned = Math.asin((at(b).position.y - 5) / 0.5);
    expect(Math.abs(turned - 1)).toBeLessThan(0.1);
  });

  test('slider moves a cube along its axis alone', () => {
    start(tied({ kind: 'slider', ...FREE, limits: { least: -0.7, most: 0.2 } }, null, vector(0, 1, 0)));
    run(120);
    expect(distance(at(b).position, vector(1, 4.3, 0))).toBeLessThan(0.05);
  });

  test('ball lets a cube swing any way round', () => {
    start(tied({ kind: 'ball' }, null));
    simulation.push(b, vector(0, 0, 2), null, 40);
    run(20);
    expect(Math.abs(at(b).position.z)).toBeGreaterThan(0.2);
    expect(reach()).toBeCloseTo(0.5, 2);
  });

  test('rope holds a cube no farther than its length', () => {
    const level = tied({ kind: 'rope', length: 0.8 }, null);
    const hook = jointEnd(level.bodies, null, vector(1, 5.5, 0));
    const ends = [hook, { body: 1, frame: pose() }] as const;
    start({ ...level, joints: [{ ...level.joints[0], ends }] });
    run(10);
    expect(at(b).position.y, 'it falls at first').toBeLessThan(4.95);
    run(300);
    expect(at(b).position.y).toBeCloseTo(4.7, 1);
  });

  test('spring carries a cube where its force is the weight', () => {
    const level = tied({ kind: 'spring', length: 0.5, stiffness: 98, damping: 6 }, null);
    const ends = [jointEnd(level.bodies, null, vector(1, 5.5, 0)), { body: 1, frame: pose() }] as const;
    start({ ...level, joints: [{ ...level.joints[0], ends }] });
    run(400);
    expect(at(b).position.y).toBeCloseTo(4.9, 1);
  });

  test('goes with a body that is removed, and comes back with one that is placed', () => {
    start(tied({ kind: 'fixed' }, 0, X));
    simulation.capture(motion);
    const before = motion.slice();
    simulation.remove(b);
    run(10);
    expect(simulation.contacts.neighbours[a]).toEqual([]);
    simulation.place(a, CUBE, before);
    simulation.place(b, CUBE, before);
    expect(simulation.contacts.touching(a, b)).toBe(true);
    run(40);
    expect(distance(at(a).position, at(b).position)).toBeCloseTo(1, 2);
  });
});

describe('[J3.1] a hand', () => {
  const up = { position: vector(1, 6, 0), rotation: quaternion() };
  const MIDDLE = vector();

  test('pulls a body to where it is to be, and no more once it lets go', () => {
    start(tied({ kind: 'rope', length: 9 }, null));
    for (let tick = 0; tick < 90; tick++) {
      simulation.pull(3, b, MIDDLE, up, 1);
      simulation.step();
    }
    simulation.capture(motion);
    expect(distance(at(b).position, up.position)).toBeLessThan(0.03);
    expect(at(b).rotation.w, 'turned, too').toBeGreaterThan(0.99);
    simulation.endPull(3);
    simulation.endPull(3);
    run(30);
    expect(at(b).position.y).toBeLessThan(5);
  });

  test('[J3.8] pulls at the point where it grips: a bar that hangs on its middle turns', () => {
    const bar: Template = { ...CUBE, shape: { kind: 'box', halfExtents: [1.2, 0.05, 0.05] } };
    const level = flatLevel('bar', [
      { template: bar, start: { position: vector(0, 5, 0), rotation: quaternion() } },
    ]);
    const middle = vector(0, 5, 0);
    const ends = [jointEnd(level.bodies, null, middle, Z), jointEnd(level.bodies, 0, middle, Z)] as const;
    start({ ...level, joints: [{ kind: 'hinge', ...FREE, ends, collides: false }] });
    const slope = { position: vector(1.2 * Math.SQRT1_2, 5 + 1.2 * Math.SQRT1_2, 0), rotation: quaternion() };
    for (let tick = 0; tick < 90; tick++) {
      simulation.pull(0, a, vector(1.2, 0, 0), slope, 1);
      simulation.step();
    }
    simulation.capture(motion);
    // The hand does not turn, and holds the bar back with its torque.
    expect(angleBetween(at(a).rotation, quaternion())).toBeGreaterThan(0.6);
    expect(distance(at(a).position, middle)).toBeLessThan(0.01);
  });

  test.each([1, 30])(
    'moves a light handle with the heavy thing that it is tied to, at a load of %i',
    (load) => {
      start(tied({ kind: 'fixed' }, 0, X, 0.05, 20));
      const to = { position: vector(1, 5.5, 0), rotation: quaternion() };
      let torn = 0;
      for (let tick = 0; tick < 90; tick++) {
        simulation.pull(0, b, MIDDLE, to, load);
        simulation.step();
        simulation.capture(motion);
        torn = Math.max(torn, Math.abs(distance(at(a).position, at(b).position) - 1));
      }
      expect(torn, 'metres by which the joint is torn').toBeLessThan(0.1);
      const lifts = at(b).position.y > 5;
      expect(lifts, `y is ${at(b).position.y}`).toBe(load > 1);
    },
  );

  test('does not lift what is heavier than its strength', () => {
    start(tied({ kind: 'rope', length: 9 }, null, Z, 60));
    for (let tick = 0; tick < 60; tick++) {
      simulation.pull(0, b, MIDDLE, up, 1);
      simulation.step();
    }
    simulation.capture(motion);
    expect(motion[b * STRIDE + MOTION.linear + 1]).toBeLessThan(-1);
  });

  test('loses a body that is removed', () => {
    start(tied({ kind: 'ball' }, null));
    simulation.pull(1, b, MIDDLE, up, 1);
    simulation.remove(b);
    run(2);
    simulation.endPull(1);
    expect(simulation.isAsleep(b)).toBe(true);
  });
});
