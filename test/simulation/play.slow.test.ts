import { describe, expect, test, vi } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { RIGHT } from '../../src/core/base/ids.ts';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { distance, pose } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import { STRIDE } from '../../src/core/base/state.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { runRoom } from '../support/run-room.ts';
import type { Place, Stage } from '../support/stage.ts';
import { apart, CUBES, setStage, tower } from '../support/stage.ts';

/** The events in the middle of play. */

function positionOf(peer: Peer, body: BodyId): Place {
  const { x, y, z } = poseIn(peer.state.bodies.motion, body, pose()).position;
  return [x, y, z];
}

describe('a reset in the middle', () => {
  test.each([1, 2])(
    '[H8.6] of a throwing match, seed %i: all begin anew, play on and agree',
    async (seed) => {
      await loadPhysics();
      let inAir: number[] = [];
      const words = `--players 3 --latency 80 --loss 5 --seconds 18 --seed ${seed}`;
      const report = runRoom(words, (room) => {
        if (room.steps === 400) room.peers[0].reset();
        // Half a second later everybody has received it, and the pile is in the air again, except for held cubes.
        if (room.steps === 430) {
          inAir = room.peers.map(({ state }) => {
            const { simulation, motion } = state.bodies;
            return Array.from({ length: simulation.count }, (_, body) => motion[body * STRIDE + 1]).filter(
              (height) => height > 6,
            ).length;
          });
        }
      });
      expect(report.violations).toEqual([]);
      expect(report.converged).toBe(true);
      for (const count of inAir) expect(count).toBeGreaterThan(60);
      expect(inAir).toHaveLength(3);
      expect(report.events.throws).toBeGreaterThan(3);
    },
  );
});

/** Handles the cubes for ten seconds: one is thrown, one is carried off, one is still in a hand. */
function playForTenSeconds(stage: Stage): void {
  const [thrown, moved, held] = CUBES;
  const { host } = stage;
  const first = stage.guest(1);
  first.grabs(thrown);
  first.moves([0, 1, 0], 0.5);
  first.throws([4, 2, 1]);
  host.grabs(moved);
  host.moves([0.5, 0.5, 1], 1);
  host.releases();
  stage.letPass(6);
  first.grabs(held);
  first.moves([0, 1, 1], 1);
  stage.letPass(1);
}

describe('a guest that joins after ten seconds', () => {
  test('[H8.3] sees the present world: cubes that were thrown, that were moved, and that are in a hand', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(5) });
    const late = stage.guest(2);
    late.leaves();
    playForTenSeconds(stage);
    late.returns();
    stage.letPass(1);
    const [thrown, moved, held] = CUBES;
    const first = stage.guest(1);
    for (const cube of CUBES.slice(0, 5)) {
      const [seen, is] = [late.says(cube), stage.host.says(cube)];
      expect(seen.authority).toBe(is.authority);
      expect([seen.ownershipSequence, seen.authoritySequence]).toEqual([
        is.ownershipSequence,
        is.authoritySequence,
      ]);
      for (const axis of [0, 1, 2]) expect(seen.position[axis]).toBeCloseTo(is.position[axis], 2);
    }
    expect(late.says(thrown).position[0]).toBeGreaterThan(0.5);
    expect(late.says(moved).position[2]).toBeGreaterThan(0.7);
    expect(late.says(held).holder).toEqual({ slot: 1, hand: 'right' });
    expect(first.holds(held)).toBe(true);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H8.3] into a falling pile has it as the others have it', async () => {
    const falling = Array.from({ length: 20 }, (_, i): Place => [0.1 * (i % 3), 1 + i * 0.7, 0.1 * (i % 2)]);
    const stage = await setStage({ guests: 2, cubes: falling });
    const late = stage.guest(2);
    late.leaves();
    stage.host.peer.reset();
    stage.letPass(1.2);
    late.returns();
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[G5] a held cube that is dragged through a tower', () => {
  /**
   * A guest drags a cube through a tower of six at this speed.
   * @returns the corrections on its screen.
   */
  async function drag(speed: number): Promise<{ stage: Stage; corrected: number }> {
    const stage = await setStage({ guests: 1, cubes: [...tower(6), [3, CUBE_SIZE / 2, 0]] });
    const guest = stage.guest(1);
    const dragged = CUBES[6];
    guest.grabs(dragged);
    guest.moves([0, 1, 0], 0.8);
    let corrected = 0;
    const { corrections } = guest.peer.state.bodies.drawn;
    const moved = corrections.moved.bind(corrections);
    vi.spyOn(corrections, 'moved').mockImplementation((body, from, to) => {
      const [was, is] = [poseIn(from, body, pose()), poseIn(to, body, pose())];
      if (distance(was.position, is.position) > 0.01) corrected++;
      moved(body, from, to);
    });
    guest.moves([-speed, 0, 0], 6 / speed);
    expect(guest.holds(dragged)).toBe(true);
    return { stage, corrected };
  }

  test.each([1.5, 4])(
    '[G5.1] [A5.2] at %f m/s takes the cubes that it pushes, and nothing is corrected on that screen',
    async (speed) => {
      const { stage, corrected } = await drag(speed);
      const guest = stage.guest(1);
      const pushed = CUBES.slice(0, 6).filter((cube) => positionOf(guest.peer, cube)[0] < -0.1);
      expect(pushed.length).toBeGreaterThan(1);
      for (const cube of pushed) expect(stage.guest(1).says(cube).authority).not.toBe(0);
      expect(guest.counted('take')).toBeGreaterThanOrEqual(pushed.length);
      expect(corrected).toBe(0);
      stage.letAllRest();
      expect(stage).toAgree();
    },
  );

  test('[G5.1] goes through nothing: the pushed cubes lie before it, and above the floor', async () => {
    const { stage } = await drag(3);
    const guest = stage.guest(1);
    const hand = guest.peer.player.hands[RIGHT];
    for (let tick = 0; tick < 2 * TICK_RATE; tick++) {
      stage.tick();
      for (const cube of CUBES.slice(0, 6)) {
        const [x, y, z] = positionOf(guest.peer, cube);
        expect(y).toBeGreaterThan(0.2);
        const { position } = hand.target;
        const apartBy = Math.hypot(x - position.x, y - position.y, z - position.z);
        expect(apartBy, `cube ${cube} and the held one`).toBeGreaterThan(CUBE_SIZE * 0.8);
      }
    }
  });
});
