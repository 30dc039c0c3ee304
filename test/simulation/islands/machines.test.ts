import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import { POSE_STRIDE, STRIDE } from '../../../src/core/base/state.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { runChaos } from '../../../src/harness/chaos/run-chaos.ts';
import { jointError } from '../../../src/harness/joint-errors.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { describeFailure } from '../../../src/tools/chaos/summary.ts';
import { CUBES, setStage } from '../../support/stage.ts';

beforeAll(loadPhysics);

const WORKSHOP = { id: 'workshop', seed: 1 };
const PATIENCE = 240_000;
/** Metres that a player would notice, and ticks for which it may last: 0.2 s. */
const NOTICED = 0.05;
const SHORT = 12;

/** Errors of joints as guests draw them, of what others simulate, and how long errors that are noticed last. */
function drawnErrors(seed: number, seconds: number): { p99: number; longest: number; changes: number } {
  const conditions = { latencyMs: 50, jitterMs: 10, loss: 0.02 };
  const room = new RoomHarness(
    { players: 3, scene: WORKSHOP, bots: 'machine', seed, conditions, quietFrom: Infinity },
    createRapierSimulation,
  );
  const { joints, bodies } = room.level;
  const view = peerView(bodies.length);
  const errors: number[] = [];
  const lasts = new Map<string, number>();
  const had = new Int8Array(bodies.length).fill(-1);
  let [longest, changes] = [0, 0];
  for (let step = 0; step < 60 * seconds; step++) {
    room.step();
    const { records } = room.peers[0].diagnostics.bodies;
    for (let body = 0 as BodyId; body < records.count; body++) {
      const has = records.authority[body];
      if (has >= 0 && has !== had[body] && records.islands.rootOf(body) === body) changes++;
      had[body] = has;
    }
    for (const { diagnostics } of room.peers) {
      room.peers[diagnostics.slot].view(0.5, null, view);
      joints.forEach((joint, i) => {
        const body = joint.ends[1].body as BodyId;
        if (diagnostics.simulatorOf(body) === diagnostics.slot) return;
        if (diagnostics.bodies.records.resting[body] === 1) return;
        const error = jointError(joint, { numbers: view.poses, stride: POSE_STRIDE });
        errors.push(error);
        const key = `${diagnostics.slot} ${i}`;
        lasts.set(key, error > NOTICED ? (lasts.get(key) ?? 0) + 1 : 0);
        longest = Math.max(longest, lasts.get(key) ?? 0);
      });
    }
  }
  room.dispose();
  errors.sort((a, b) => a - b);
  return { p99: errors[Math.floor(0.99 * errors.length)], longest, changes };
}

describe('machines that three players pull at, at 100 ms and 2 % loss', () => {
  test('[J2.5] hold together on every screen', { timeout: PATIENCE }, () => {
    const { p99, longest, changes } = drawnErrors(1, 30);
    expect(changes, 'of hands').toBeGreaterThan(60);
    expect(p99, 'metres').toBeLessThan(0.008);
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
      if (steps === 300) peers[0].state.bodies.records.authoritySequence[3] += 3;
    };
    expect(runChaos(7, createRapierSimulation, watch, court).faults.join()).toContain('[I9]');
  });
});

describe('[R1.3] a pendulum', () => {
  test(
    'swings for a minute, and nobody stops it at the end of its swing',
    { timeout: PATIENCE },
    async () => {
      const stage = await setStage({ guests: 1, cubes: [[0, 5, 0]], isHung: true });
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
