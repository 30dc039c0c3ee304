import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import { TOWER_X, TOWER_Z } from '../../src/bots/stack-bot.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { runRoom } from '../support/run-room.ts';

beforeAll(loadPhysics);

/** The bodies that a peer's engine has not put to sleep. */
function awakeBodies(peer: Peer): number[] {
  const { simulation, count } = peer.state.bodies;
  return Array.from({ length: count }, (_, body) => body).filter(
    (body) => !simulation.isAsleep(body as BodyId),
  );
}

describe('[R3] towers stand still', () => {
  it('[R3.1] 20 cubes for a minute, on every peer: at their height, asleep, without motion or traffic', () => {
    const asleepAt: Float32Array[] = [];
    let moved = 0;
    let heights: number[] = [];
    let asleep: boolean[] = [];
    const report = runRoom('--scene tower --bots idle --seconds 60', (room) => {
      for (const [i, peer] of room.peers.entries()) {
        const shown = peer.state.bodies.drawn.poses;
        if (awakeBodies(peer).length > 0) continue;
        asleepAt[i] ??= shown.slice();
        moved = Math.max(
          moved,
          ...shown.map((x, k) => (k % POSE_STRIDE < 3 ? Math.abs(x - asleepAt[i][k]) : 0)),
        );
      }
      heights = room.peers.map((peer) => peer.state.bodies.drawn.poses[19 * POSE_STRIDE + 1]);
      asleep = room.peers.map((peer) => awakeBodies(peer).length === 0);
    });
    expect(report.violations).toEqual([]);
    expect(asleep).toEqual([true, true]);
    for (const height of heights) expect(Math.abs(height - 9.75)).toBeLessThan(0.03 * 9.75);
    expect(moved, 'metres since it slept').toBeLessThan(0.001);
    expect(report.perGuest[0].down.bodiesKbps.mean).toBeLessThan(8);
  });

  it('a tower of ten that two players build in turn sleeps on both peers', () => {
    let shown: Float32Array[] = [];
    let up: number[][] = [];
    const slots = new Set<number>();
    const report = runRoom('--scene grid --count 24 --bots stack --seconds 110 --seed 1', (room) => {
      shown = room.peers.map((peer) => peer.state.bodies.drawn.poses);
      up = room.peers.map(awakeBodies);
      for (const peer of room.peers) {
        for (const hand of peer.player.hands) if (hand.held >= 0) slots.add(peer.state.self);
      }
    });
    expect(report.violations).toEqual([]);
    expect(report.converged).toBe(true);
    expect([...slots].sort()).toEqual([0, 1]);
    for (const poses of shown) {
      for (let level = 0; level < 10; level++) {
        const body = Array.from({ length: 24 }, (_, b) => b).find((b) => {
          const [x, y, z] = poses.subarray(b * POSE_STRIDE, b * POSE_STRIDE + 3);
          const beside = Math.max(Math.abs(x - TOWER_X), Math.abs(z - TOWER_Z));
          return beside < 0.2 && Math.abs(y - (level + 0.5) * CUBE_SIZE) < 0.1;
        });
        expect(body, `a cube at level ${level} of the tower`).toBeDefined();
      }
    }
    expect(up).toEqual([[], []]);
  });

  it('a pile in which both have been at work sleeps on both peers', () => {
    let up: number[][] = [];
    runRoom('--seed 4 --seconds 24', (room) => {
      up = room.peers.map(awakeBodies);
    });
    expect(up).toEqual([[], []]);
  });
});
