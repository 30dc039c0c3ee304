import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import { POSE_STRIDE, STRIDE } from '../../../src/core/base/state.ts';
import type { Peer } from '../../../src/core/peer/peer.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import type { Joint } from '../../../src/core/world/joints/joint.ts';
import { runChaos } from '../../../src/harness/chaos/run-chaos.ts';
import { jointError } from '../../support/joint-errors.ts';
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

/** Measures the errors of joints as players draw them, where others simulate them. */
class Screens {
  readonly errors: number[] = [];
  /** The longest time for which an error was noticed, in ticks. */
  longest = 0;
  /** Islands that came under another player. */
  changes = 0;
  readonly #room: RoomHarness;
  readonly #view: PeerView;
  readonly #lasts = new Map<string, number>();
  readonly #had: Int8Array;

  constructor(room: RoomHarness) {
    this.#room = room;
    this.#view = peerView(room.level.bodies.length);
    this.#had = new Int8Array(room.level.bodies.length).fill(-1);
  }

  look(): void {
    const { records } = this.#room.peers[0].diagnostics.bodies;
    for (let body = 0 as BodyId; body < records.count; body++) {
      const has = records.authority[body];
      if (has >= 0 && has !== this.#had[body] && records.islands.rootOf(body) === body) this.changes++;
      this.#had[body] = has;
    }
    for (const peer of this.#room.peers) {
      peer.view(0.5, null, this.#view);
      this.#room.level.joints.forEach((joint, i) => this.#measure(peer, joint, i));
    }
  }

  #measure({ diagnostics }: Peer, joint: Joint, index: number): void {
    const body = joint.ends[1].body as BodyId;
    const { slot, bodies } = diagnostics;
    if (diagnostics.simulatorOf(body) === slot || bodies.records.resting[body] === 1) return;
    const error = jointError(joint, { numbers: this.#view.poses, stride: POSE_STRIDE });
    this.errors.push(error);
    const key = `${slot} ${index}`;
    const lasts = error > NOTICED ? (this.#lasts.get(key) ?? 0) + 1 : 0;
    this.#lasts.set(key, lasts);
    this.longest = Math.max(this.longest, lasts);
  }
}

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
    const { errors, longest, changes } = screens;
    errors.sort((a, b) => a - b);
    const p99 = errors[Math.floor(0.99 * errors.length)];
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

describe('[R1.4] a pendulum', () => {
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
