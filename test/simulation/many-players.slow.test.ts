import { describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES, MAX_PLAYERS } from '../../src/core/base/constants.ts';
import { BallisticCache } from '../../src/core/wire/bodies/flights.ts';
import { PacketReader } from '../../src/core/wire/packet.ts';
import { capacityOf } from '../../src/core/world/existence.ts';
import { setVector, vector } from '../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import type { Player, Stage, StageOptions } from '../support/stage.ts';
import { apart, CUBES, setStage } from '../support/stage.ts';

const GUESTS = MAX_PLAYERS - 1;
/** Kilobits a second: a host with so many guests is no home. */
const AMPLE = { eachKbps: 1000, allKbps: 1000 * GUESTS };
const [LAST, A] = [GUESTS, CUBES[0]];

function wave({ input, slot }: Player, tick: number): void {
  setVector(input.head.position, slot / 2, 1.7 + Math.sin(tick / 9 + slot) / 5, 3);
  for (const { pose } of input.hands) setVector(pose.position, slot / 2, 1.2 + Math.sin(tick / 7) / 3, 2.5);
}

/** Everybody waves for so many ticks. @returns the bytes of the longest packet of the host. */
function waveAll(stage: Stage, ticks: number): number {
  let longest = 0;
  for (let tick = 0; tick < ticks; tick++) {
    for (const player of stage.present) wave(player, tick);
    stage.tick();
    longest = Math.max(longest, stage.host.lastPacket.length);
  }
  return longest;
}

function stageOf(options: Partial<StageOptions>): Promise<Stage> {
  return setStage({ guests: GUESTS, cubes: apart(3), limits: AMPLE, bodiless: true, ...options });
}

describe('a room of 32 players', { timeout: 120_000 }, () => {
  test('[H1.1] [I1] [I4] plays: the last slot takes a cube, all see it, and all agree at rest', async () => {
    const stage = await stageOf({ bodiless: false, spawning: { perPlayer: 2, perSecond: 20 } });
    const last = stage.guest(LAST);
    expect(stage.present).toHaveLength(MAX_PLAYERS);
    last.grabs(A);
    stage.waitFor(() => stage.present.every((player) => player.says(A).authority === LAST));
    last.moves([0, 0.5, 0], 0.5);
    last.throws([1, 1, 0]);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[H6.1] [T3.4] takes the slot of a player that left again: all forget it, and see the next', async () => {
    const stage = await stageOf({});
    const last = stage.guest(LAST);
    last.grabs(A);
    stage.waitFor(() => stage.guest(1).says(A).authority === LAST);
    waveAll(stage, 60);
    expect(stage.guest(30).sees(LAST)).toMatchObject({ present: true, name: `Player ${LAST}` });
    last.leaves();
    stage.waitFor(() => stage.present.every((player) => !player.sees(LAST).present));
    expect(stage.guest(1).says(A).authority).toBeNull();
    last.returns('Another');
    waveAll(stage, 60);
    for (const player of stage.guests) expect(player.sees(LAST).name).toBe('Another');
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[W5.1] [W9.3] avatars that do not fit into a packet go first in the next', async () => {
    const stage = await stageOf({});
    // All are new again, with the longest names.
    for (const guest of stage.guests) guest.leaves();
    for (const guest of stage.guests) guest.returns('N'.repeat(30) + String(guest.slot).padStart(2, '0'));
    expect(waveAll(stage, 90)).toBeLessThanOrEqual(MAX_PACKET_BYTES);
    for (const player of stage.present)
      for (const { slot } of stage.present)
        expect(player.sees(slot), `${slot} at ${player.slot}`).toMatchObject({ present: true });
  });
});

describe('a peer without an avatar', () => {
  const few = { guests: 2, limits: AMPLE };

  test('[T1.4] is drawn by nobody as host, and all agree at rest', async () => {
    const stage = await stageOf({ ...few, bodiless: false, avatarless: 0 });
    waveAll(stage, 60);
    for (const guest of stage.guests) {
      expect(guest.sees(0)).toMatchObject({ present: false, avatarless: true });
      expect(guest.sees(3 - guest.slot)).toMatchObject({ present: true, avatarless: false });
    }
    expect(stage.host.sees(0)).toMatchObject({ present: false, avatarless: true });
    stage.guest(1).grabs(A);
    stage.waitFor(() => stage.guest(2).says(A).authority === 1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[T1.4] sends no avatar whatever its hands are given, and its packets say so', async () => {
    const stage = await stageOf({ ...few, avatarless: 0 });
    stage.host.grabs(A);
    waveAll(stage, 60);
    expect(stage.host.says(A).authority).toBeNull();
    const count = capacityOf(stage.level);
    const reader = new PacketReader(count, new BallisticCache(stage.host.peer.state.bodies.laws));
    const { received, acks } = stage.guest(2).peer.state.links[0] ?? {};
    if (received === undefined || acks === undefined) throw new Error('no link');
    waveAll(stage, 1);
    const bytes = stage.host.lastPacket;
    expect(reader.readHead(bytes)).toBeNull();
    const packet = acks.unwrapReceived(reader.header.sequence);
    const newest = new Int32Array(MAX_PLAYERS).fill(-1);
    expect(reader.readBody(stage.host.slot, packet, received, newest)).toBeNull();
    expect(reader.authors[0]).toMatchObject({ slot: 0, hasAvatar: false, isAvatarless: true });
  });

  test('[T1.5] may be a guest: the host says so to the others', async () => {
    const stage = await stageOf({ ...few, avatarless: 1 });
    waveAll(stage, 60);
    expect(stage.host.sees(1)).toMatchObject({ present: false, avatarless: true });
    expect(stage.guest(2).sees(1)).toMatchObject({ present: false, avatarless: true });
    expect(stage.guest(2).sees(0)).toMatchObject({ present: true, avatarless: false });
    stage.guest(1).leaves();
    stage.waitFor(() => !stage.guest(2).sees(1).avatarless);
  });

  test('[A12.1] [A13.1] [A13.2] takes, pushes and keeps bodies without hands', async () => {
    const stage = await stageOf({ ...few, bodiless: false, avatarless: 1 });
    const { peer } = stage.guest(1);
    const height = (): number => stage.guest(2).peer.diagnostics.bodies.drawn[A * POSE_STRIDE + 1];
    const before = height();
    expect(peer.act({ kind: 'impulse', body: A, push: vector(0, 4, 0), at: null })).toBeNull();
    stage.waitFor(() => stage.guest(2).says(A).authority === 1 && height() > before + 0.3);
    expect(peer.act({ kind: 'keep', body: A, on: true })).toBeNull();
    stage.letPass(3);
    expect(stage.host.says(A).authority).toBe(1);
    expect(peer.act({ kind: 'keep', body: A, on: false })).toBeNull();
    stage.letAllRest();
    expect(stage.host.says(A).authority).toBeNull();
    expect(stage).toAgree();
  });

  test('[T1.4] sends shorter packets than one whose hands move', async () => {
    const bytesOf = async (avatarless: number): Promise<number> => {
      const stage = await stageOf({ guests: 1, limits: AMPLE, avatarless });
      waveAll(stage, 120);
      return stage.host.peer.traffic(stage.guest(1).slot).bytesSent;
    };
    expect(await bytesOf(0)).toBeLessThan((await bytesOf(-1)) / 2);
  });
});

describe('ids for spawning', () => {
  test('[S2.2] are set aside for as many slots as the level says', async () => {
    const stage = await stageOf({
      guests: 2,
      limits: AMPLE,
      spawning: { perPlayer: 2, slots: 2, perSecond: 20 },
    });
    expect(capacityOf(stage.level)).toBe(3 + 2 * 2);
    const [template] = stage.level.templates;
    const pose = { position: { x: 0, y: 2, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
    const still = { x: 0, y: 0, z: 0 };
    const wish = { template, pose, linear: still, angular: still };
    expect(stage.guest(1).peer.spawn(wish)).toBe(5);
    expect(stage.guest(2).peer.spawn(wish)).toBe('too many');
  });
});
