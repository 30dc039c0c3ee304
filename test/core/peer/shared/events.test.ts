import { describe, expect, onTestFinished, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { LinkConditions } from '../../../../src/netsim/network-simulator.ts';
import { SharedRoom } from '../../../support/shared-room.ts';

const [ADA, BEN] = [1 as Slot, 2 as Slot];

function setRoom(guests = 2, conditions: Partial<LinkConditions> = {}, slots = 4): SharedRoom {
  const room = new SharedRoom(slots, guests, conditions);
  onTestFinished(() => {
    expect(room.referee.violations).toEqual([]);
    room.clearAway();
  });
  room.letPass(1);
  return room;
}

/** The texts of the notes that a player was given, in order. */
function notesOf(room: SharedRoom, slot: number): string[] {
  return room.player(slot).events.flatMap((event) => (event.name === 'note' ? [event.values.text] : []));
}

describe('an event', () => {
  test('[E1.1] happens in its author’s next tick, and has its name and values', () => {
    const room = setRoom();
    const { tick } = room.player(ADA).peer.state;
    expect(room.emits(ADA, 'hello')).toBe(true);
    room.tick();
    expect(room.player(ADA).events).toMatchObject([
      { name: 'note', author: ADA, tick: tick + 1, values: { text: 'hello' } },
    ]);
    room.letPass(1);
    expect(room.player(BEN).events).toEqual(room.player(ADA).events);
    expect(room.player(0).events).toEqual(room.player(ADA).events);
  });

  test('[E1.2] is given out with the poses of its tick, not before and not after them', () => {
    const room = setRoom();
    room.emits(ADA);
    const { tick } = room.player(ADA).peer.state;
    for (const slot of [0, BEN]) expect(room.player(slot).events).toEqual([]);
    let shownAt = -1;
    for (let i = 0; i < 60; i++) {
      room.tick();
      const { clock } = room.player(BEN).peer.state.authors[ADA].stream;
      if (shownAt < 0 && clock.position >= tick + 1) shownAt = i;
      expect(room.player(BEN).events.length, `step ${i}`).toBe(shownAt < 0 ? 0 : 1);
    }
    expect(shownAt).toBeGreaterThan(6);
  });

  test('[E1.2] [E2.1] comes once and in order, in spite of loss, reordering and duplicates', () => {
    const room = setRoom(2, { loss: 0.3, reorder: 0.2, reorderMs: 400, duplicate: 0.3, jitterMs: 60 });
    const texts = Array.from({ length: 60 }, (_, i) => `note ${i}`);
    for (const text of texts) {
      expect(room.emits(ADA, text)).toBe(true);
      room.letPass(0.1);
    }
    room.letPass(2);
    for (const slot of [0, ADA, BEN]) expect(notesOf(room, slot)).toEqual(texts);
  });

  test('[E2.1] and many more do not go out in every packet until one is acked', () => {
    const room = setRoom(1, { latencyMs: 500 });
    room.letPass(2);
    const texts = Array.from({ length: 32 }, (_, i) => `${i}`.padStart(32, '-'));
    for (let i = 0; i < texts.length; i++) {
      room.emits(ADA, texts[i]);
      if (i % 8 === 7) room.tick();
    }
    const traffic = room.player(ADA).peer.traffic(0 as Slot);
    const before = traffic.shared;
    room.letPass(1);
    // At most 400 bytes, twice and then every fifth tick.
    expect((traffic.shared - before) / 8).toBeLessThan(400 * (2 + 60 / 5));
    room.letPass(6);
    expect(notesOf(room, 0)).toEqual(texts);
  });

  test('[E1.3] of before a guest came is not given to it', () => {
    const room = setRoom(1);
    room.emits(ADA, 'before');
    room.letPass(1);
    room.joins(BEN);
    room.letPass(1);
    room.emits(ADA, 'after');
    room.letPass(1);
    expect(notesOf(room, BEN)).toEqual(['after']);
    expect(notesOf(room, 0)).toEqual(['before', 'after']);
  });

  test('[E2.2] goes on to others after a change of host that had not passed it on', () => {
    const room = setRoom(3);
    room.network.link(0 as Slot, BEN)!.conditions.loss = 1;
    room.network.link(0 as Slot, 3 as Slot)!.conditions.loss = 1;
    room.emits(ADA, 'first');
    room.letPass(0.3);
    expect(notesOf(room, 0)).toEqual(['first']);
    room.emits(ADA, 'second');
    room.letPass(0.05);
    room.changesHost(BEN);
    room.emits(ADA, 'third');
    room.letPass(2);
    for (const slot of [ADA, BEN, 3]) expect(notesOf(room, slot)).toEqual(['first', 'second', 'third']);
  });

  test('[E2.3] of a player that leaves is given out at once if it has come', () => {
    const room = setRoom();
    room.emits(ADA, 'bye');
    room.letPass(0.1);
    expect(notesOf(room, 0)).toEqual([]);
    room.leaves(ADA);
    room.tick();
    expect(notesOf(room, 0)).toEqual(['bye']);
    room.joins(ADA);
    room.letPass(1);
    room.emits(ADA, 'I am new');
    room.letPass(1);
    expect(notesOf(room, 0)).toEqual(['bye', 'I am new']);
    expect(notesOf(room, BEN).at(-1)).toBe('I am new');
  });

  test('[E3.1] is refused if there are too many: in a tick, at once, and in a second', () => {
    const room = setRoom();
    let count = 0;
    while (room.emits(ADA)) count++;
    expect(count).toBe(8);
    for (let tick = 0; tick < 600; tick++) {
      room.tick();
      while (room.emits(ADA)) count++;
    }
    // 32 at once, and twenty in each of ten seconds.
    expect(count).toBeGreaterThanOrEqual(230);
    expect(count).toBeLessThanOrEqual(233);
    room.letPass(2);
    expect(room.player(BEN).events).toHaveLength(count);
    expect(room.player(0).peer.offences(ADA)).toBe(0);
  });

  test('[E3.3] is lost to one that is behind by more than 128 of its author', () => {
    const room = setRoom();
    room.network.link(0 as Slot, BEN)!.conditions.loss = 1;
    for (let i = 0; i < 160; i++) {
      expect(room.emits(0, `${i}`)).toBe(true);
      room.letPass(0.05);
    }
    room.network.link(0 as Slot, BEN)!.conditions.loss = 0;
    room.letPass(2);
    const notes = notesOf(room, BEN).map(Number);
    expect(notes.slice(-128)).toEqual(Array.from({ length: 128 }, (_, i) => 32 + i));
    expect(notes.length).toBeLessThan(160);
    expect(notesOf(room, ADA)).toHaveLength(160);
  });
});
