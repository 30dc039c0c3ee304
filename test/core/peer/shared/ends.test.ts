import { describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { Playback } from '../../../../src/core/peer/recording/playback.ts';
import { Recorder } from '../../../../src/core/peer/recording/recorder.ts';
import { readRecording } from '../../../../src/core/peer/recording/recording.ts';
import { receiveShared } from '../../../../src/core/peer/shared/receive-shared.ts';
import { field } from '../../../../src/core/shared/field.ts';
import { entryOf } from '../../../../src/core/shared/layout.ts';
import { sharedSchema } from '../../../../src/core/shared/schema.ts';
import { readWorldFile, writeWorldFile } from '../../../../src/core/wire/files/saved-world.ts';
import { SharedPart } from '../../../../src/core/wire/shared/shared-part.ts';
import { firstIdOf } from '../../../../src/core/world/existence.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';
import { floatingSimulation } from '../../../support/bodiless.ts';
import { SCHEMA, SharedRoom } from '../../../support/shared-room.ts';

const CUBE = 1 as BodyId;
const [ADA, BEN] = [1 as Slot, 2 as Slot];

function setRoom(recorder: Recorder | null = null): SharedRoom {
  const room = new SharedRoom(4, 2, {}, 1, recorder);
  onTestFinished(() => {
    room.referee.finish(room.peers);
    expect(room.referee.violations).toEqual([]);
    room.clearAway();
  });
  room.letPass(1);
  return room;
}

/** Values of every kind. */
function fill(room: SharedRoom): void {
  room.player(0).shared.room.set('round', 42);
  room.player(0).shared.bodies.set(CUBE, 'label', 'été');
  room.player(0).shared.bodies.set(CUBE, 'worth', 0.9);
  room.player(ADA).shared.players.set(ADA, 'motto', 'carpe diem');
  room.player(0).shared.players.set(ADA, 'score', 12);
  room.letPass(0.5);
}

function spawned(room: SharedRoom, slot: number = ADA): BodyId {
  const body = room.spawns(slot);
  if (body === null) throw new Error('it was not spawned');
  return body;
}

/** Ada's body has gone: the next one that has its id, as soon as she may spawn it. */
function nextSpawned(room: SharedRoom): BodyId {
  const { state } = room.player(ADA).peer;
  const first = firstIdOf(state.bodies.level, ADA);
  const isFree = (): boolean =>
    state.bodies.records.stale[first] + state.bodies.records.pendingCommit[first] === 0;
  for (let tick = 0; tick < 60 && !isFree(); tick++) room.tick();
  return spawned(room);
}

describe('values end', () => {
  test('[V4.1] by a reset, but not those of players', () => {
    const room = setRoom();
    fill(room);
    room.player(0).peer.reset();
    room.letPass(1);
    for (const slot of [0, ADA, BEN]) {
      const { shared } = room.player(slot);
      expect(shared.room.get('round')).toBe(1);
      expect(shared.bodies.get(CUBE, 'label')).toBe('');
      expect(shared.bodies.get(CUBE, 'worth')).toBe(0);
      expect(shared.players.get(ADA, 'motto')).toBe('carpe diem');
      expect(shared.players.get(ADA, 'score')).toBe(12);
    }
  });

  test('[V4.1] and what a guest had written before the reset does not wait for an ack any more', () => {
    const room = setRoom();
    const ada = room.player(ADA);
    room.takes(ADA, CUBE);
    room.letPass(1);
    ada.shared.bodies.set(CUBE, 'label', 'before');
    const { links, shared } = ada.peer.state;
    const group = shared?.layout.groups.find(({ writer }) => writer === 'authority');
    if (group === undefined) throw new Error('no such group');
    const entry = entryOf(group, CUBE);
    expect(links[0]?.shared?.entries.isWaiting(entry)).toBe(true);
    room.player(0).peer.reset();
    const { reset } = ada.peer.state;
    while (ada.peer.state.reset === reset) {
      ada.shared.bodies.set(CUBE, 'label', `${room.now}`);
      room.tick();
    }
    expect(links[0]?.shared?.entries.isWaiting(entry)).toBe(false);
    room.letPass(1);
    expect(room.player(0).shared.bodies.get(CUBE, 'label')).toBe('');
  });

  test('[V4.2] when their player leaves: the next in its slot begins anew', () => {
    const room = setRoom();
    fill(room);
    room.leaves(ADA);
    room.letPass(0.5);
    expect(room.player(BEN).shared.players.get(ADA, 'motto')).toBe('');
    room.joins(ADA);
    room.letPass(1);
    for (const slot of [0, ADA, BEN]) {
      expect(room.player(slot).shared.players.get(ADA, 'motto')).toBe('');
      expect(room.player(slot).shared.players.get(ADA, 'score')).toBe(-100);
    }
  });

  test('[V4.3] when their body goes', () => {
    const room = setRoom();
    const body = room.spawns(ADA);
    if (body === null) throw new Error('it was not spawned');
    room.player(ADA).shared.bodies.set(body, 'label', 'new');
    room.letPass(0.5);
    room.player(0).shared.bodies.set(body, 'worth', 0.5);
    room.letPass(0.5);
    expect(room.player(BEN).shared.bodies.get(body, 'label')).toBe('new');
    expect(room.player(BEN).shared.bodies.get(body, 'worth')).toBe(0.5);
    room.player(ADA).peer.despawn(body);
    room.letPass(0.5);
    for (const slot of [0, ADA, BEN]) {
      expect(room.player(slot).shared.bodies.get(body, 'label')).toBe('');
      expect(room.player(slot).shared.bodies.get(body, 'worth')).toBe(0);
    }
    expect(room.player(0).shared.bodies.set(body, 'worth', 0.5)).toBe('no body');
  });

  test('[V4.3] for its player, too, before the next body has its id', () => {
    const room = setRoom();
    const ada = room.player(ADA);
    const first = spawned(room);
    ada.shared.bodies.set(first, 'label', 'first');
    room.letPass(1);
    ada.shared.bodies.set(first, 'tint', 'red');
    room.letPass(2 / 60);
    expect(ada.peer.despawn(first)).toBeNull();
    expect(ada.shared.bodies.get(first, 'label')).toBe('');
    const second = nextSpawned(room);
    expect(second).toBe(first);
    expect(ada.shared.bodies.get(second, 'label')).toBe('');
    expect(ada.shared.bodies.get(second, 'tint')).toBe('white');
    ada.shared.bodies.set(second, 'tint', 'blue');
    room.letPass(1);
    for (const slot of [0, ADA, BEN]) {
      expect(room.player(slot).shared.bodies.get(second, 'label')).toBe('');
      expect(room.player(slot).shared.bodies.get(second, 'tint')).toBe('blue');
    }
  });

  test('[V4.3] and a write that still waits is none of the next body', () => {
    const room = setRoom();
    const ada = room.player(ADA);
    const first = spawned(room);
    room.letPass(1);
    const { entries } = ada.peer.state.links[0]?.shared ?? {};
    if (entries === undefined) throw new Error('no link');
    // No packet with the write is acked before the body has gone.
    entries.acked = () => undefined;
    ada.shared.bodies.set(first, 'tint', 'red');
    room.letPass(0.2);
    ada.peer.despawn(first);
    const second = nextSpawned(room);
    room.letPass(1);
    for (const slot of [0, ADA, BEN])
      expect(room.player(slot).shared.bodies.get(second, 'tint')).toBe('white');
  });

  test('[V4.3] and one that a despawn has overtaken on its way counts for nothing', () => {
    const room = setRoom();
    const ada = room.player(ADA);
    const first = spawned(room);
    room.letPass(1);
    const [host, { shared }] = [room.player(0).peer.state, ada.peer.state];
    const link = host.links[ADA];
    if (link === null || shared === null) throw new Error('no link');
    const before = link.acks.newestReceived;
    ada.peer.despawn(first);
    const second = nextSpawned(room);
    room.letPass(0.5);
    const late = new SharedPart(shared.layout);
    const group = shared.layout.groups.find(({ writer }) => writer === 'authority');
    if (group === undefined) throw new Error('no such group');
    late.entries[late.entryCount++] = entryOf(group, second);
    late.words[group.set.find('tint')?.at ?? 0] = 1;
    link.shared?.beginPacket(before, { ack: -1, ackBits: 0 });
    receiveShared(host, link, late);
    expect(room.player(0).shared.bodies.get(second, 'tint')).toBe('white');
  });

  test('[V4.3] on the host, too, before the next body has its id', () => {
    const room = setRoom();
    const { peer, shared } = room.player(0);
    const first = spawned(room, 0);
    shared.bodies.set(first, 'label', 'first');
    expect(peer.despawn(first)).toBeNull();
    const second = spawned(room, 0);
    expect(second).toBe(first);
    shared.bodies.set(second, 'tint', 'blue');
    expect(shared.bodies.get(second, 'label')).toBe('');
    room.letPass(0.5);
    expect(room.player(BEN).shared.bodies.get(second, 'label')).toBe('');
  });

  test('[V4.3] also on a new host that had not heard so from the one before', () => {
    const room = setRoom();
    const first = spawned(room);
    room.letPass(1);
    room.player(ADA).shared.bodies.set(first, 'label', 'old');
    room.letPass(4 / 60);
    room.player(ADA).peer.despawn(first);
    const { bodies } = room.player(BEN).peer.state;
    while (bodies.exists(first)) room.tick();
    room.changesHost(BEN);
    room.letPass(1);
    for (const slot of [ADA, BEN]) expect(room.player(slot).shared.bodies.get(first, 'label')).toBe('');
    const saved = room.player(BEN).peer.saveWorld(referTo({ id: 'x', seed: 1 }, room.level), 0);
    expect(saved.shared?.entries).toEqual([]);
    const second = spawned(room);
    expect(second).toBe(first);
    room.letPass(0.5);
    for (const slot of [ADA, BEN]) expect(room.player(slot).shared.bodies.get(second, 'label')).toBe('');
  });

  test('[V4.3] not when another player becomes host', () => {
    const room = setRoom();
    const body = room.spawns(ADA);
    if (body === null) throw new Error('it was not spawned');
    room.player(ADA).shared.bodies.set(body, 'label', 'new');
    room.letPass(0.5);
    room.changesHost(BEN);
    room.letPass(1);
    for (const slot of [ADA, BEN]) expect(room.player(slot).shared.bodies.get(body, 'label')).toBe('new');
  });
});

describe('a saved world', () => {
  test('[V4.4] has the values of the room and of bodies, and brings them back', () => {
    const room = setRoom();
    fill(room);
    const reference = referTo({ id: 'x', seed: 1 }, room.level);
    const saved = room.player(0).peer.saveWorld(reference, 0);
    const read = readWorldFile(writeWorldFile(saved), () => room.level);
    expect(read).toEqual(saved);
    if (typeof read === 'string') throw new Error(read);
    room.player(0).shared.room.set('round', 7);
    room.player(0).shared.bodies.set(CUBE, 'label', 'other');
    room.player(0).shared.bodies.set(0 as BodyId, 'label', 'gone');
    room.letPass(0.5);
    room.player(0).peer.reset(read);
    room.letPass(1);
    for (const slot of [0, ADA, BEN]) {
      const { shared } = room.player(slot);
      expect(shared.room.get('round')).toBe(42);
      expect(shared.bodies.get(CUBE, 'label')).toBe('été');
      expect(shared.bodies.get(0 as BodyId, 'label')).toBe('');
    }
  });

  test('[V4.4] of another schema, or with values that can’t be, begins with initial ones', () => {
    const room = setRoom();
    fill(room);
    const saved = room.player(0).peer.saveWorld(referTo({ id: 'x', seed: 1 }, room.level), 0);
    if (saved.shared === undefined) throw new Error('nothing was saved');
    room.player(0).peer.reset({ ...saved, shared: { ...saved.shared, schema: '0'.repeat(20) } });
    expect(room.player(0).shared.room.get('round')).toBe(1);
    const entries = [
      { entry: 0, words: Int32Array.of(99, 0) },
      { entry: 9999, words: Int32Array.of(1) },
    ];
    room.player(0).peer.reset({ ...saved, shared: { ...saved.shared, entries } });
    expect(room.player(0).shared.room.get('round')).toBe(1);
    room.letPass(1);
  });
});

describe('a recording', () => {
  test('[B1.3] plays writes and events again, with the same packets', () => {
    const recorder = new Recorder();
    const room = setRoom(recorder);
    fill(room);
    for (const slot of [0, ADA, BEN]) room.emits(slot, `from ${slot}`);
    expect(room.player(0).shared.room.set('round', 100)).toBe('bounds');
    room.letPass(1);
    const file = recorder.finish();
    const other = sharedSchema({ room: { round: field.flag() } });
    expect(readRecording(file, () => room.level, other)).toBe('other schema');
    expect(readRecording(file, () => room.level)).toBe('other schema');
    const recording = readRecording(file, () => room.level, SCHEMA);
    if (typeof recording === 'string') throw new Error(recording);
    const playback = new Playback(recording, floatingSimulation);
    onTestFinished(() => playback.dispose());
    while (playback.step());
    expect(playback.partedAt).toBeNull();
    const peer = playback.played.get(BEN)?.peer;
    expect(peer?.state.shared?.store.words).toEqual(room.player(BEN).peer.state.shared?.store.words);
    expect(peer?.shared(SCHEMA).room.get('round')).toBe(42);
  });
});
