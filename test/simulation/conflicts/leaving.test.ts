import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube, other] = CUBES;
const HOST = 0 as Slot;
const GUEST_1 = 1 as Slot;

describe('[H6] a player leaves', () => {
  test('[H6.1] with a cube in its hand: it falls free, by ownership sequence + 1 and authority sequence 1', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1) });
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).moves([0, 3, 0], 0.5);
    stage.letPass(0.2);
    expect(stage.host.says(cube).position[1]).toBeGreaterThan(1);
    stage.guest(1).leaves();
    expect(stage.host.says(cube)).toMatchObject({
      authority: null,
      holder: null,
      ownershipSequence: 2,
      authoritySequence: 1,
    });
    stage.letPass(1);
    for (const player of stage.present) expect(player.says(cube).position[1]).toBeLessThan(0.3);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.1] with a cube in flight: that one is free, and a cube of another player is not', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(other);
    stage.letPass(0.3);
    stage.guest(1).throws([0, 0, 3]);
    stage.letPass(0.1);
    expect(stage.host.says(cube)).toMatchObject({ authority: 1, holder: null });
    stage.guest(1).leaves();
    expect(stage.host.says(cube)).toMatchObject({
      authority: null,
      ownershipSequence: 2,
      authoritySequence: 1,
    });
    expect(stage.host.says(other)).toMatchObject({ holder: { slot: 2 }, ownershipSequence: 1 });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.1] while guest 2, which does not know yet, grabs the same cube: in the end all agree', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(2).uplink.latencyMs = 200;
    stage.guest(2).downlink.latencyMs = 300;
    stage.guest(1).grabs(cube);
    stage.guest(2).grabs(cube);
    stage.letPass(0.1);
    expect(stage.host.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 1 });
    expect(stage.guest(2).says(cube)).toMatchObject({ holder: { slot: 2 }, ownershipSequence: 1 });
    stage.guest(1).leaves();
    stage.letPass(1);
    expect(stage.guest(2).says(cube)).toMatchObject({ authority: null, ownershipSequence: 2 });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.1] and guest 2 grabs the cube that fell free', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).leaves();
    stage.letPass(0.2);
    stage.guest(2).grabs(cube);
    stage.letPass(0.3);
    for (const player of stage.present) {
      expect(player.says(cube)).toMatchObject({ holder: { slot: 2 }, ownershipSequence: 3 });
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.1] and its waiting poses move nothing: the cube does not rise after the hand has gone', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    stage.guest(1).moves([0, 8, 0], 0.25);
    const height = stage.host.says(cube).position[1];
    expect(stage.guest(1).says(cube).position[1]).toBeGreaterThan(height + 0.5);
    stage.guest(1).leaves();
    for (let tick = 0; tick < 30; tick++) {
      stage.tick();
      expect(stage.host.says(cube).position[1]).toBeLessThan(height + 0.01);
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[H6] a player comes back', () => {
  test('[H6.3] [H8.3] without its world: like a player that joins, it adopts everything from the host', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(2), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).moves([0, 1, 0], 1);
    stage.guest(1).leaves();
    stage.guest(2).grabs(other);
    stage.letPass(0.3);
    stage.guest(1).returns();
    stage.letPass(0.5);
    expect(stage.guest(1).says(cube)).toMatchObject({ authority: null, ownershipSequence: 2 });
    expect(stage.guest(1).says(other)).toMatchObject({ holder: { slot: 2 }, ownershipSequence: 1 });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    expect(stage.host.says(cube)).toMatchObject({ holder: { slot: 1 }, ownershipSequence: 3 });
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.2] and packets of its older connection revive nothing, in either direction', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    const fromGuest = stage.guest(1).lastPacket;
    stage.guest(2).leaves();
    stage.tick();
    const fromHost = stage.host.lastPacket;
    stage.guest(1).leaves();
    stage.guest(1).returns();
    stage.letPass(0.5);
    const free = stage.host.says(cube);
    expect(free).toMatchObject({ authority: null, ownershipSequence: 2 });
    for (let i = 0; i < 3; i++) {
      stage.host.peer.receive(stage.now, GUEST_1, fromGuest);
      stage.guest(1).peer.receive(stage.now, HOST, fromHost);
      stage.tick();
    }
    expect(stage.host.refused('other connection')).toBe(3);
    expect(stage.guest(1).refused('other connection')).toBe(3);
    expect(stage.host.says(cube)).toEqual(free);
    expect(stage.guest(1).says(cube).authority).toBe(null);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.2] and packets of a player that has left, and not come back, are rejected', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.guest(1).grabs(cube);
    stage.letPass(0.3);
    const late = stage.guest(1).lastPacket;
    stage.guest(1).leaves();
    stage.host.peer.receive(stage.now, GUEST_1, late);
    expect(stage.host.refused('unknown sender')).toBe(1);
    expect(stage.host.says(cube).authority).toBe(null);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[T3.4] with fewer ticks than before, and throws the same cube again: guest 2 sees the new throw', async () => {
    const stage = await setStage({ guests: 2, cubes: apart(1), bodiless: true });
    stage.letPass(3);
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).throws([0, 0, 2]);
    stage.letPass(0.2);
    stage.guest(1).leaves();
    stage.guest(1).returns();
    stage.letPass(0.5);
    stage.guest(1).grabs(cube);
    stage.letPass(0.2);
    stage.guest(1).throws([0, 0, -4]);
    stage.letAllRest();
    expect(stage.guest(2).says(cube).position[2]).toBeLessThan(-0.3);
    expect(stage).toAgree();
  });
});
