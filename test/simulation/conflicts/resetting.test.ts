import { expect, test } from 'vitest';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Player } from '../../support/stage.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube, other] = CUBES;

test('[H8.6] the host resets the scene while guest 1 holds a cube and guest 2 has thrown one: all is at its start', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
  stage.guest(1).grabs(cube);
  stage.guest(2).grabs(other);
  stage.letPass(0.3);
  stage.guest(2).throws([0, 4, 4]);
  stage.host.peer.reset();
  stage.letPass(0.5);
  expect(stage.guest(1).holds(cube)).toBe(false);
  stage.letAllRest();
  for (const player of stage.present) {
    for (const [body, x] of [
      [cube, 0],
      [other, 2],
    ] as const) {
      expect(player.says(body)).toMatchObject({
        authority: null,
        ownershipSequence: 0,
        authoritySequence: 0,
      });
      expect(player.says(body).position[0]).toBeCloseTo(x, 2);
      expect(player.says(body).position[2]).toBeCloseTo(0, 2);
    }
  }
  expect(stage).toAgree();
});

test('[H8.9] a late packet of guest 1 from before the reset revives nothing', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
  stage.guest(1).uplink.latencyMs = 600;
  stage.guest(1).grabs(cube);
  stage.guest(1).moves([0, 2, 0], 0.3);
  stage.guest(1).uplink.latencyMs = 50;
  stage.host.peer.reset();
  stage.guest(1).releases();
  stage.letPass(0.2);
  expect(stage.guest(1).holds(cube)).toBe(false);
  const refused = stage.host.refused('other reset');
  stage.letPass(0.7);
  expect(stage.host.refused('other reset')).toBeGreaterThan(refused);
  for (const player of stage.present) {
    expect(player.says(cube)).toMatchObject({ authority: null, ownershipSequence: 0 });
    expect(player.says(cube).position[1]).toBeLessThan(0.3);
  }
  stage.letAllRest();
  expect(stage).toAgree();
});

test('[H8.9] a late packet of the host from before the reset puts nothing back into its hand', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
  stage.host.grabs(cube);
  stage.letPass(0.3);
  stage.guest(1).downlink.latencyMs = 600;
  stage.letPass(0.2);
  stage.guest(1).downlink.latencyMs = 50;
  stage.host.peer.reset();
  stage.host.releases();
  stage.letPass(0.3);
  expect(stage.guest(1).refused('old reset')).toBe(0);
  stage.letPass(0.5);
  expect(stage.guest(1).refused('old reset')).toBeGreaterThan(0);
  expect(stage.guest(1).says(cube)).toMatchObject({ authority: null, ownershipSequence: 0 });
  stage.letAllRest();
  expect(stage).toAgree();
});

test('[H8.8] [H8.9] guest 1 grabs the cube before it hears of the reset: that grab was of another world', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(1), latencyMs: 100, bodiless: true });
  stage.host.peer.reset();
  stage.guest(1).grabs(cube);
  stage.letPass(0.05);
  expect(stage.guest(1).holds(cube)).toBe(true);
  stage.letPass(0.4);
  expect(stage.guest(1).holds(cube)).toBe(false);
  expect(stage.host.says(cube)).toMatchObject({ authority: null, ownershipSequence: 0 });
  stage.letAllRest();
  expect(stage).toAgree();
});

/** In the next tick the other cube, 2 m along x at the start, is below the floor in this player's engine. */
function fallsThrough(player: Player): void {
  const { simulation } = player.peer.state.bodies;
  const capture = simulation.capture.bind(simulation);
  simulation.capture = (out) => {
    capture(out);
    out.set([5, -3, 5], other * STRIDE);
    simulation.capture = capture;
  };
}

test('[R4.1] a cube that fell through the floor is put back at its start by the player that simulates it', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
  const guest = stage.guest(1);
  guest.grabs(other);
  stage.letPass(0.3);
  guest.throws([0, 0, 4]);
  stage.letPass(0.3);
  expect(stage.host.says(other)).toMatchObject({ authority: 1, holder: null });
  for (const player of [stage.host, guest]) {
    fallsThrough(player);
    stage.tick();
    expect(player.counted('put back')).toBe(player === guest ? 1 : 0);
  }
  expect(guest.says(other).position[0]).toBeCloseTo(2, 3);
  stage.letAllRest();
  for (const player of stage.present) expect(player.says(other).position[0]).toBeCloseTo(2, 2);
  expect(stage).toAgree();
});
