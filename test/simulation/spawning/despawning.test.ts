import { describe, expect, test } from 'vitest';
import { NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { generationOf } from '../../../src/core/world/existence.ts';

import { ballAt, existsFor, first, spawned, stageOf } from './spawned.ts';

describe('[S3] a body is despawned', () => {
  test('[S3.1] [S4.2] by the player that has it, once the host has confirmed it', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 0));
    expect(guest.peer.despawn(ball)).toBe('not yours');
    stage.letPass(0.4);
    expect(stage.guest(2).peer.despawn(ball)).toBe('not yours');
    expect(guest.peer.despawn(ball)).toBeNull();
    expect(guest.peer.despawn(ball)).toBe('no body');
    expect(existsFor(guest, ball)).toBe(false);
    stage.letPass(0.4);
    for (const player of stage.present) expect(existsFor(player, ball)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S3.1] by the player that keeps it', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const ball = spawned(guest, ballAt(stage, 2));
    stage.letPass(0.4);
    guest.peer.act({ kind: 'keep', body: ball, on: true });
    stage.letPass(0.4);
    expect(guest.peer.despawn(ball)).toBeNull();
    stage.letPass(0.4);
    expect(stage.present.map((player) => existsFor(player, ball))).toEqual([false, false, false]);
    expect(stage.host.refused('S4')).toBe(0);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S3.1] by the host, also out of another player’s hand', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    guest.grabs(first);
    stage.letPass(0.4);
    expect(stage.host.peer.despawn(first)).toBeNull();
    stage.letPass(0.4);
    expect(guest.holds(first)).toBe(false);
    for (const player of stage.present) expect(existsFor(player, first)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S3.1] although a hand has just pointed at it, which then closes on nothing', async () => {
    const stage = await stageOf();
    const { host } = stage;
    const [x, y, z] = host.says(first).position;
    const hand = host.input.hands[RIGHT];
    Object.assign(hand.pose.position, { x, y, z });
    hand.tracked = true;
    stage.letPass(0.2);
    expect(host.peer.diagnostics.hands[RIGHT].selected).toBe(first);
    host.peer.despawn(first);
    hand.grip = 1;
    stage.letPass(0.1);
    expect(host.peer.diagnostics.hands[RIGHT].held).toBe(NO_BODY);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S3.2] and its id may be used again, by the next generation', async () => {
    const stage = await stageOf({ spawning: { perPlayer: 1, perSecond: 20 } });
    const guest = stage.guest(1);
    for (let generation = 0; generation < 3; generation++) {
      const ball = spawned(guest, ballAt(stage, 0));
      expect(generationOf(guest.peer.state.bodies.records.existence[ball] as never)).toBe(generation);
      stage.letPass(0.4);
      expect(guest.peer.despawn(ball)).toBeNull();
      stage.letPass(0.4);
    }
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S4.1] although a guest takes it at that very moment', async () => {
    const stage = await stageOf({ latencyMs: 80 });
    const guest = stage.guest(1);
    guest.grabs(first);
    stage.tick();
    expect(guest.holds(first)).toBe(true);
    expect(stage.host.peer.despawn(first)).toBeNull();
    stage.letPass(1);
    expect(guest.holds(first)).toBe(false);
    expect(existsFor(guest, first)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S4.1] and an older claim on it moves no sequence, however long the guest does not hear of it', async () => {
    const stage = await stageOf();
    const guest = stage.guest(1);
    const { records } = stage.host.peer.state.bodies;
    guest.grabs(first);
    stage.letPass(0.4);
    guest.downlink.loss = 1;
    stage.letPass(0.3);
    stage.host.peer.despawn(first);
    const sequence = records.ownershipSequence[first];
    stage.letPass(4);
    expect(guest.holds(first)).toBe(true);
    expect(records.ownershipSequence[first]).toBe(sequence);
    guest.downlink.loss = 0;
    stage.letPass(0.5);
    expect(guest.holds(first)).toBe(false);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[S3.3] if it leaves the world and was spawned; a body of the level goes back to its start', async () => {
    const stage = await stageOf();
    const { host } = stage;
    const ball = spawned(host, ballAt(stage, 62));
    const { motion } = host.peer.state.bodies;
    motion[ball * 13] = 63.5;
    host.peer.state.bodies.engine.write(ball);
    stage.letPass(0.5);
    expect(stage.present.map((player) => existsFor(player, ball))).toEqual([false, false, false]);
  });
});
