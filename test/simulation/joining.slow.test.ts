import { describe, expect, test } from 'vitest';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import type { BodyId } from '../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import { peerView } from '../../src/core/peer/shown/peer-view.ts';
import type { Place, Stage } from '../support/stage.ts';
import { setStage } from '../support/stage.ts';

const COUNT = 64;
/** Cubes that were moved before anybody joins, and the cube that is in a hand when somebody does. */
const MOVED = [3, 17, 63] as BodyId[];
const HELD = 9 as BodyId;

/** Eight rows of eight, a metre apart. */
const GRID: Place[] = Array.from({ length: COUNT }, (_, i) => [i % 8, 0.25, Math.floor(i / 8)]);

/** A room in which some cubes lie elsewhere than at the start, one is held, and guest 2 is about to join. */
async function setRoom(loss: number): Promise<Stage> {
  const stage = await setStage({ guests: 2, cubes: GRID });
  stage.guest(2).leaves();
  for (const cube of MOVED) {
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).moves([0, 3, 9], 1);
    stage.guest(1).releases();
    stage.letPass(0.5);
  }
  stage.letAllRest();
  stage.guest(1).grabs(HELD);
  stage.letPass(0.2);
  stage.guest(1).moves([0, 2, 0], 1);
  stage.letPass(0.5);
  stage.network.setConditions({ loss, jitterMs: 30 });
  return stage;
}

/** Metres: the greatest distance between a body as guest 2 draws it and as the host has it. */
function worstDrawn(stage: Stage, alpha: number): number {
  const [mine, theirs] = [peerView(COUNT), peerView(COUNT)];
  stage.guest(2).peer.view(alpha, null, mine);
  stage.host.peer.view(1, null, theirs);
  let worst = 0;
  for (let body = 0; body < COUNT; body++) {
    const away = [0, 1, 2].map(
      (i) => mine.poses[body * POSE_STRIDE + i] - theirs.poses[body * POSE_STRIDE + i],
    );
    worst = Math.max(worst, Math.hypot(...away));
  }
  return worst;
}

describe('[H8] a guest that joins late has the world before it draws', () => {
  test.each([0, 0.05, 0.3])(
    '[H8.3] at %f of loss: within a second, and never before all is in its place',
    async (loss) => {
      const stage = await setRoom(loss);
      for (let times = 0; times < 12; times++) {
        stage.guest(2).returns();
        const { peer } = stage.guest(2);
        expect([peer.hasWorld, stage.host.peer.hasWorld]).toEqual([false, true]);
        let ticks = 0;
        for (; !peer.hasWorld && ticks < 5 * TICK_RATE; ticks++) stage.tick();
        if (loss <= 0.05) expect(ticks).toBeLessThan(TICK_RATE);
        for (let tick = 0; tick < 30; tick++) {
          for (const alpha of [0, 0.5, 1])
            expect(worstDrawn(stage, alpha), `tick ${tick}`).toBeLessThan(0.03);
          stage.tick();
          expect(peer.hasWorld).toBe(true);
        }
        stage.guest(2).leaves();
      }
    },
  );

  test('[H6.3] [H8.3] a guest that comes back with its world, while others moved cubes: likewise', async () => {
    const stage = await setRoom(0.05);
    stage.guest(2).returns();
    stage.waitFor(() => stage.guest(2).peer.hasWorld);
    stage.guest(2).downlink.loss = 1;
    stage.guest(1).releases();
    stage.letPass(2);
    stage.guest(1).grabs(MOVED[0]);
    stage.letPass(0.3);
    stage.guest(1).moves([0.5, 0, 0], 1);
    stage.guest(1).releases();
    stage.letPass(3);
    stage.guest(2).downlink.loss = 0.05;
    stage.guest(2).joins();
    expect(stage.guest(2).peer.hasWorld).toBe(false);
    stage.waitFor(() => stage.guest(2).peer.hasWorld);
    for (const alpha of [0, 0.5, 1]) expect(worstDrawn(stage, alpha)).toBeLessThan(0.03);
  });

  test('[H8.3] a guest that has grabbed every cube before it heard of them does not have the world', async () => {
    const stage = await setStage({ guests: 2, cubes: GRID.slice(0, 1) });
    stage.guest(2).leaves();
    stage.guest(2).returns();
    stage.guest(2).downlink.loss = 1;
    stage.guest(2).grabs(0 as BodyId);
    stage.letPass(1);
    expect([stage.guest(2).holds(0 as BodyId), stage.guest(2).peer.hasWorld]).toEqual([true, false]);
    stage.guest(2).downlink.loss = 0;
    stage.letPass(0.5);
    expect(stage.guest(2).peer.hasWorld).toBe(true);
  });
});
