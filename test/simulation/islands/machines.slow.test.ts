import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import type { Vector } from '../../../src/core/base/math.ts';
import {
  composePose,
  copyVector,
  distance,
  lerpVector,
  pose,
  quaternion,
  vector,
} from '../../../src/core/base/math.ts';
import { poseIn } from '../../../src/core/base/motion.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Joint, JointEnd } from '../../../src/core/world/joints/joint.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { runChaos } from '../../../src/harness/chaos/run-chaos.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { Screens } from '../../../src/harness/screens.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { describeFailure } from '../../../src/tools/chaos/summary.ts';
import { CUBES, RIGHT, setStage } from '../../support/stage.ts';

beforeAll(loadPhysics);

const WORKSHOP = { id: 'workshop', seed: 1 };
const PATIENCE = 240_000;
/** Ticks for which a player may see an error of more than 5 cm: 0.2 s. */
const SHORT = 12;

describe('machines that three players pull at, at 100 ms and 2 % loss', () => {
  test('[J2.5] hold together on every screen', { timeout: PATIENCE }, () => {
    const conditions = { latencyMs: 50, jitterMs: 10, loss: 0.02 };
    const room = new RoomHarness(
      { players: 3, scene: WORKSHOP, bots: 'machine', seed: 1, conditions, quietFrom: Infinity },
      createRapierSimulation,
    );
    const screens = new Screens(room);
    for (let step = 0; step < 30 * 60; step++) {
      room.step();
      screens.look();
    }
    room.dispose();
    const { drawn, longest, changes } = screens;
    expect(changes, 'of hands').toBeGreaterThan(60);
    expect(drawn.percentile(0.99), 'metres').toBeLessThan(0.008);
    expect(longest, 'ticks').toBeLessThanOrEqual(SHORT);
  });
});

describe('[I9] a cruel room with machines', () => {
  /** Chaos, fights over the cart, turns, a crowd. */
  test.each([7, 8, 21, 22])('of seed %i', { timeout: PATIENCE }, (seed) => {
    const court = { scene: WORKSHOP, players: 2 + (seed % 7) };
    const report = runChaos(seed, createRapierSimulation, undefined, court);
    expect(report.faults, describeFailure(report)).toEqual([]);
  });

  test('fails if a part has another sequence on the host', { timeout: PATIENCE }, () => {
    const court = { scene: WORKSHOP, players: 2 };
    const watch = ({ steps, peers }: RoomHarness): void => {
      if (steps === 250) peers[0].state.bodies.records.authoritySequence[3] += 3;
    };
    expect(runChaos(7, createRapierSimulation, watch, court).faults.join()).toContain('[I9]');
  });
});

/** The workshop with nothing but its trebuchet: the beam, and the weight that hangs from it. */
function trebuchet(): Level {
  const { joints, bodies, ...level } = createLevel(WORKSHOP);
  const beam = bodies.findIndex(({ template: { shape, mass } }) => shape.kind === 'compound' && mass === 2.5);
  const isOf = ({ body }: JointEnd): boolean => body === null || body === beam || body === beam + 1;
  const renumbered = ({ body, frame }: JointEnd): JointEnd => ({
    body: body === null ? null : body - beam,
    frame,
  });
  return {
    ...level,
    bodies: bodies.slice(beam, beam + 2),
    joints: joints
      .filter(({ ends }) => ends.every(isOf) && ends[1].body !== null)
      .map((joint): Joint => ({ ...joint, ends: [renumbered(joint.ends[0]), renumbered(joint.ends[1])] })),
  };
}

describe('[J3.8] a guest that grips the end of a beam', () => {
  const id = 0 as BodyId;
  const END = vector(1.2, 0, 0);

  test('pulls it down, against the weight, on everybody’s screen', { timeout: PATIENCE }, async () => {
    const stage = await setStage({ guests: 1, cubes: [], scene: trebuchet() });
    const guest = stage.guest(1);
    const { position: hand } = guest.input.hands[RIGHT].pose;
    const endOf = (slot: number): Vector => {
      const at = poseIn(stage.guest(slot).peer.state.bodies.motion, id, pose());
      return composePose(at, { position: END, rotation: quaternion() }, pose()).position;
    };
    guest.grabs(id);
    copyVector(endOf(1), hand);
    stage.tick();
    expect(guest.holds(id)).toBe(true);
    const low = vector(3.4, 0.6, -3);
    for (let tick = 0; tick < 180; tick++) {
      const end = endOf(1);
      const metres = distance(end, low);
      lerpVector(end, low, Math.min(1, 0.3 / metres), hand);
      stage.tick();
    }
    expect(guest.holds(id), 'it does not strain').toBe(true);
    for (const slot of [0, 1]) expect(distance(endOf(slot), low), 'metres').toBeLessThan(0.25);
    guest.releases();
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[R1.4] a pendulum', () => {
  test(
    'swings for a minute, and nobody stops it at the end of its swing',
    { timeout: PATIENCE },
    async () => {
      const stage = await setStage({ guests: 1, cubes: [[0, 5, 0]], chain: { isHung: true } });
      const [bob] = CUBES;
      stage.host.peer.act({ kind: 'velocity', body: bob, linear: vector(0.6, 0, 0), angular: vector() });
      let farthest = 0;
      for (let second = 0; second < 60; second++) {
        farthest = 0;
        for (let tick = 0; tick < 60; tick++) {
          stage.tick();
          expect(stage.host.says(bob).asleep).toBe(false);
          farthest = Math.max(farthest, Math.abs(stage.host.peer.state.bodies.motion[bob * STRIDE]));
        }
      }
      expect(farthest, 'metres, after a minute').toBeGreaterThan(0.08);
      expect(stage.guest(1).says(bob).position[1]).toBeLessThan(5.1);
    },
  );
});
