import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { SentEntries } from '../../../../src/core/peer/shared/sent-entries.ts';
import { markAll } from '../../../../src/core/peer/shared/shared-writes.ts';
import { stampOf } from '../../../../src/core/shared/author-events.ts';
import type { EntryId } from '../../../../src/core/shared/layout.ts';
import { entryOf } from '../../../../src/core/shared/layout.ts';
import type { Scope, Writer } from '../../../../src/core/shared/schema.ts';
import type { LinkConditions } from '../../../../src/netsim/network-simulator.ts';
import { SharedRoom } from '../../../support/shared-room.ts';

const [ADA, BEN] = [1 as Slot, 2 as Slot];

function setRoom(conditions: Partial<LinkConditions> = {}): SharedRoom {
  const room = new SharedRoom(4, 2, conditions);
  onTestFinished(() => room.clearAway());
  room.letPass(1);
  return room;
}

/** Ada's page is not ours: it writes what it likes, as often as it likes. */
function lies(room: SharedRoom, scope: Scope, writer: Writer, index: number, number: number): void {
  const { state } = room.player(ADA).peer;
  const { shared } = state;
  if (shared === null) throw new Error('no schema');
  const group = shared.layout.groups.find((each) => each.scope === scope && each.writer === writer);
  if (group === undefined) throw new Error('no such group');
  const entry: EntryId = entryOf(group, index);
  const words = Int32Array.from(group.set.initial);
  words[0] = number;
  shared.store.write(entry, words, 0);
  markAll(state, entry);
}

/** Ada has six bodies, so that she may begin sixty values a second. */
function hasMany(room: SharedRoom): BodyId[] {
  const bodies = [0, 1, 2, 3].map((id) => id as BodyId);
  for (let i = 0; i < 2; i++) bodies.push(room.spawns(ADA) ?? (0 as BodyId));
  room.letPass(0.5);
  for (const body of bodies) room.takes(ADA, body);
  room.letPass(0.5);
  return bodies;
}

/** From now on Ada's page keeps to no limit. */
function unbound(room: SharedRoom): void {
  const { links, shared } = room.player(ADA).peer.state;
  const sent = links[0]?.shared;
  if (sent === null || sent === undefined || shared === null) throw new Error('no link');
  Object.assign(sent, { entries: new SentEntries(shared.store, true, TICK_RATE) });
}

/** The words of everything that a player has. */
function wordsOf(room: SharedRoom, slot: number): Int32Array {
  return Int32Array.from(room.player(slot).peer.state.shared?.store.words ?? []);
}

test.each([0.5, 0.35])(
  '[V5.1] [E3.2] an honest guest of a host that has time for %d of its ticks loses nothing',
  (pace) => {
    const room = setRoom({ loss: 0.02 });
    for (let body = 0; body < 4; body++) room.takes(ADA, body);
    room.letPass(1);
    room.pace = pace;
    const ada = room.player(ADA).shared;
    for (let tick = 0; tick < 40 * 60; tick++) {
      for (let body = 0; body < 4; body++) ada.bodies.set(body as BodyId, 'label', `${tick}`);
      ada.players.set(ADA, 'motto', `${tick}`);
      room.emits(ADA);
      room.tick();
    }
    room.pace = 1;
    room.letPass(3);
    expect(room.player(0).peer.offences(ADA)).toBe(0);
    expect(room.player(0).peer.state.rejections.E3).toBeUndefined();
    for (const slot of [0, ADA, BEN]) {
      expect(room.player(slot).shared.players.get(ADA, 'motto')).toBe('2399');
      expect(room.player(slot).shared.bodies.get(3 as BodyId, 'label')).toBe('2399');
    }
  },
);

describe('a hostile guest', () => {
  test.each<readonly [string, Scope, Writer, number]>([
    ['the room', 'room', 'host', 0],
    ['its own score', 'player', 'host', ADA],
    ['another player', 'player', 'self', BEN],
    ['the host', 'player', 'self', 0],
    ['what a body is worth', 'body', 'host', 2],
  ])('[V5.2] that writes %s changes nothing, is counted, and is told', (_, scope, writer, index) => {
    const room = setRoom();
    const before = wordsOf(room, 0);
    lies(room, scope, writer, index, 1);
    room.letPass(1);
    expect(wordsOf(room, 0)).toEqual(before);
    expect(wordsOf(room, BEN)).toEqual(before);
    expect(wordsOf(room, ADA)).toEqual(before);
    expect(room.player(0).peer.state.rejections.V5).toBeGreaterThan(0);
    expect(room.player(0).peer.offences(ADA)).toBeGreaterThan(0);
  });

  test('[V5.2] that writes on a body that it does not have changes nothing', () => {
    const room = setRoom();
    lies(room, 'body', 'authority', 2, 3);
    room.letPass(1);
    expect(room.player(0).shared.bodies.get(2 as BodyId, 'label')).toBe('');
    expect(room.player(0).peer.state.rejections.V2).toBeGreaterThan(0);
  });

  test('[V5.1] that writes too often is held to the limit, and others hardly notice', () => {
    const room = setRoom();
    const bodies = hasMany(room);
    unbound(room);
    const ben = room.player(0).peer.traffic(BEN);
    const [bitsBefore, versionsBefore] = [ben.shared, versionOf(room)];
    const seconds = 20;
    for (let tick = 0; tick < seconds * 60; tick++) {
      for (const body of bodies) {
        lies(room, 'body', 'authority', body, 0);
        room.player(ADA).shared.bodies.set(body, 'label', `${tick}`);
      }
      lies(room, 'player', 'self', ADA, tick % 2);
      room.tick();
    }
    const writes = versionOf(room) - versionsBefore;
    expect(writes).toBeLessThanOrEqual(128 + 40 * seconds);
    expect((ben.shared - bitsBefore) / seconds).toBeLessThan(20_000);
    expect(room.player(0).peer.state.rejections['V5.1']).toBeGreaterThan(0);
    expect(room.player(0).peer.offences(ADA)).toBe(0);
    room.letPass(2);
    for (const body of bodies)
      expect(room.player(0).shared.bodies.get(body, 'label')).toBe(`${seconds * 60 - 1}`);
    expect(wordsOf(room, BEN)).toEqual(wordsOf(room, 0));
    expect(wordsOf(room, ADA)).toEqual(wordsOf(room, 0));
  });

  test('[V4.1] [V5.1] that has written too often before a reset: what waits on the host counts no more', () => {
    const room = setRoom();
    const bodies = hasMany(room);
    unbound(room);
    const delayed = (): number => room.player(0).peer.state.links[ADA]?.shared?.delayed.size ?? 0;
    for (let tick = 0; delayed() < 3 && tick < 60 * 60; tick++) {
      for (const body of bodies) room.player(ADA).shared.bodies.set(body, 'label', `${tick}`);
      room.tick();
    }
    expect(delayed()).toBeGreaterThan(2);
    room.player(0).peer.reset();
    expect(delayed()).toBe(0);
    room.letPass(2);
    for (const slot of [0, BEN])
      for (const body of bodies) expect(room.player(slot).shared.bodies.get(body, 'label')).toBe('');
  });

  test('[V4.3] [V5.1] that has written too often: what waits on the host for a body that goes counts no more', () => {
    const room = setRoom();
    const body = room.spawns(ADA);
    if (body === null) throw new Error('it was not spawned');
    room.letPass(0.5);
    const sent = room.player(0).peer.state.links[ADA]?.shared;
    if (sent === null || sent === undefined) throw new Error('no link');
    sent.writes.has = () => false;
    room.player(ADA).shared.bodies.set(body, 'label', 'old');
    room.letPass(0.5);
    expect(sent.delayed.size).toBe(1);
    room.player(ADA).peer.despawn(body);
    room.letPass(0.5);
    expect(sent.delayed.size).toBe(0);
  });

  test('[E3.2] that emits too many events is held to the limit, and counted', () => {
    const room = setRoom();
    const { state } = room.player(ADA).peer;
    const seconds = 10;
    for (let tick = 0; tick < seconds * 60; tick++) {
      const events = state.shared?.makeEventsOf(ADA);
      for (let number = 0; number < 8; number++)
        events?.add(stampOf(state.tick + 1, number), 0, Int32Array.of(tick, 1), 0, 2);
      room.tick();
    }
    room.letPass(1);
    const given = room.player(BEN).events.length;
    expect(given).toBeGreaterThan(128);
    expect(given).toBeLessThanOrEqual(128 + 24 * (seconds + 2));
    expect(room.player(0).peer.state.rejections.E3).toBeGreaterThan(1000);
    expect(room.player(0).peer.offences(ADA)).toBeGreaterThan(150);
  });
});

/** How often the host has changed anything. */
function versionOf(room: SharedRoom): number {
  return room.player(0).peer.state.shared?.store.versions.reduce((sum, version) => sum + version, 0) ?? 0;
}
