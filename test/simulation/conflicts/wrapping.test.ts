import { describe, expect, test } from 'vitest';
import type { Tick } from '../../../src/core/base/ids.ts';
import { apart, CUBES, LEFT, RIGHT, setStage } from '../../support/stage.ts';

const [cube] = CUBES;
const LAST = 65535;

describe('sequences that wrap', () => {
  test('[A1.1] guest 1 grabs the cube by the last ownership sequence, and guest 2 by the first', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.windOn(LAST - 1, 3);
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    for (const player of stage.present) expect(player.says(cube).ownershipSequence).toBe(LAST);
    stage.guest(1).throws([0, 5, 0]);
    stage.letPass(0.2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.3);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 2 }, ownershipSequence: 0 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A2.1] guest 1 pushes a cube and gives it back across the last authority sequence', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2) });
    const [first, second] = CUBES;
    stage.windOn(7, LAST - 1);
    stage.guest(1).grabs(first);
    stage.guest(1).throws([7, 0, 0]);
    stage.waitFor(() => stage.host.says(second).authority === 1);
    expect(stage.host.says(second)).toMatchObject({ ownershipSequence: 7, authoritySequence: LAST });
    stage.letAllRest();
    expect(stage.host.says(second)).toMatchObject({ ownershipSequence: 7, authoritySequence: 0 });
    expect(stage).toAgree();
  });

  test('[H3.1] guest 1 grabs; guest 2, before it hears of it, grabs, releases and grabs again', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.windOn(LAST - 1, 0);
    stage.guest(2).uplink.latencyMs = 80;
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(cube, RIGHT);
    stage.tick();
    stage.guest(2).releases(RIGHT);
    stage.tick();
    stage.guest(2).grabs(cube, LEFT);
    stage.letPass(0.7);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 1 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.1] a guest leaves with the last ownership sequence in its hand', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.windOn(LAST - 1, LAST);
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).leaves();
    stage.letPass(0.3);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({
        authority: null,
        ownershipSequence: 0,
        authoritySequence: 1,
      });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('ticks and packets pass their last number in the middle of a throw, under loss', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).leaves();
    stage.guest(1).returns();
    stage.guest(1).peer.state.tick = (LAST - 60) as Tick;
    for (const link of [stage.guest(1).peer.state.links[0], stage.host.peer.state.links[1]]) {
      if (link !== null) link.acks.nextSequence = LAST - 60;
    }
    stage.letPass(0.5);
    stage.network.setConditions({ loss: 0.2, jitterMs: 30 });
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).throws([3, 5, 0]);
    stage.waitFor(() => stage.guest(1).says(cube).resting);
    expect(stage.guest(1).peer.state.tick).toBeGreaterThan(LAST);
    const seen = stage.guest(1).says(cube).position;
    stage.letAllRest();
    expect(stage.host.says(cube).position).toEqual(seen);
    expect(stage).toAgree();
  });
});
