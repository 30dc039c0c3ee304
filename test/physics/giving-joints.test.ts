import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { quaternion, vector } from '../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import type { Joint, JointKind } from '../../src/core/world/joints/joint.ts';
import { jointEnd } from '../../src/core/world/joints/joint.ts';
import { loadOf } from '../../src/core/world/joints/tears.ts';
import type { Level } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import { faultsOfLevel } from '../../src/core/world/level-faults.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';

beforeAll(loadPhysics);

const HUNG = 1 as BodyId;
const MASS = 2;
/** Newtons on the joint from which a body hangs. */
const WEIGHT = MASS * 9.81;
const FREE = { limits: null, motor: null, friction: 0 } as const;

let simulation: Simulation;
let motion: Float32Array;
afterEach(() => simulation.dispose());

/** A body that hangs from the world by one joint, and another one on the floor. */
function hung(kind: JointKind, going: Pick<Joint, 'breaksAt' | 'removable'>): Level {
  const template = {
    ...STANDARD_MATERIAL,
    shape: { kind: 'box', halfExtents: [0.2, 0.2, 0.2] },
    mass: MASS,
  } as const;
  const level = flatLevel('hung', [
    { template, start: { position: vector(3, 0.2, 0), rotation: quaternion() } },
    { template, start: { position: vector(0, 5, 0), rotation: quaternion() } },
  ]);
  // A slider may slide along z: it holds the weight.
  const axis = vector(0, 0, 1);
  const at = vector(0, 5.2, 0);
  const ends = [jointEnd(level.bodies, null, at, axis), jointEnd(level.bodies, HUNG, at, axis)] as const;
  return { ...level, joints: [{ ...kind, ends, collides: false, ...going }] };
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

describe('[J6.1] a joint that breaks gives way by 2 cm at its force', () => {
  test.each<JointKind>([
    { kind: 'fixed' },
    { kind: 'ball' },
    { kind: 'hinge', ...FREE },
    { kind: 'slider', ...FREE },
    { kind: 'spring', length: 0.1, stiffness: 500, damping: 40 },
  ])('so its ends show the force on it: $kind', (kind) => {
    for (const breaksAt of [40, 200, 2000]) {
      const level = hung(kind, { breaksAt });
      start(level);
      run(180);
      expect(loadOf(level.joints[0], motion) * breaksAt).toBeGreaterThan(0.93 * WEIGHT);
      expect(loadOf(level.joints[0], motion) * breaksAt).toBeLessThan(1.07 * WEIGHT);
    }
  });
});

describe('[J4] a joint that is gone', () => {
  test('ties nothing any more, until it is there again', () => {
    const level = hung({ kind: 'ball' }, { removable: true });
    start(level);
    run(30);
    const heightBefore = motion[HUNG * STRIDE + 1];
    expect(heightBefore).toBeCloseTo(5, 2);
    simulation.setJoint(0, null);
    run(6);
    expect(motion[HUNG * STRIDE + 1]).toBeLessThan(heightBefore - 0.03);
    simulation.setJoint(0, level.joints[0]);
    run(60);
    expect(motion[HUNG * STRIDE + 1]).toBeCloseTo(5, 1);
    expect(Math.abs(motion[HUNG * STRIDE + MOTION.linear + 1])).toBeLessThan(0.2);
  });

  test('stays gone when its body is taken out and put back', () => {
    const level = hung({ kind: 'ball' }, { removable: true });
    start(level);
    simulation.setJoint(0, null);
    run(1);
    simulation.remove(HUNG);
    simulation.place(HUNG, level.bodies[HUNG].template, motion);
    run(30);
    expect(motion[HUNG * STRIDE + 1]).toBeLessThan(4.5);
  });
});
