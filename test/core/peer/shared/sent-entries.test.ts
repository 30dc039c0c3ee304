import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SentEntries } from '../../../../src/core/peer/shared/sent-entries.ts';
import { field } from '../../../../src/core/shared/field.ts';
import type { EntryId } from '../../../../src/core/shared/layout.ts';
import { SharedLayout } from '../../../../src/core/shared/layout.ts';
import { sharedSchema } from '../../../../src/core/shared/schema.ts';
import { SharedStore } from '../../../../src/core/shared/store.ts';
import { SharedPart } from '../../../../src/core/wire/shared/shared-part.ts';

const SCHEMA = sharedSchema({
  players: { self: { text: field.text(250) } },
  room: { round: field.number({ from: 0, to: 9 }) },
});
const BODIES = sharedSchema({ bodies: { host: { worth: field.number({ from: 0, to: 9 }) } } });
const ROOM = 0 as EntryId;
const MOST = 8000;

let store: SharedStore;
let sent: SentEntries;
let part: SharedPart;
let acked: EntryId[];

beforeEach(() => {
  const layout = new SharedLayout(SCHEMA, 4);
  store = new SharedStore(layout);
  sent = new SentEntries(store, true, TICK_RATE);
  part = new SharedPart(layout);
  acked = [];
});

/** @returns the entries of a packet. */
function send(packet: number, tick = packet, room = MOST): number[] {
  part.clear();
  sent.fill(part, packet, tick, room, MOST);
  return [...part.entries.subarray(0, part.entryCount)];
}

function write(entry: EntryId, value: number): void {
  const words = Int32Array.from(store.layout.groupOf(entry).set.initial);
  words[0] = value;
  store.write(entry, words, 0);
  sent.mark(entry);
}

function ack(packet: number): void {
  sent.acked(packet, (entry) => acked.push(entry));
}

describe('[V3.3] an entry', () => {
  test('is sent in two packets in a row, then every fifth tick, until one was acked', () => {
    write(ROOM, 3);
    const ticks = Array.from({ length: 14 }, (_, tick) => tick).filter((tick) => send(tick).length > 0);
    expect(ticks).toEqual([0, 1, 6, 11]);
    ack(1);
    expect(acked).toEqual([ROOM]);
    expect(Array.from({ length: 20 }, (_, i) => send(14 + i)).flat()).toEqual([]);
    expect(sent.isDue(40)).toBe(false);
  });

  test('begins at most every sixth tick', () => {
    const begun: number[] = [];
    for (let tick = 0; tick < 30; tick++) {
      write(ROOM, tick % 10);
      if (send(tick).length > 0) begun.push(tick);
    }
    expect(begun).toEqual([0, 6, 12, 18, 24]);
  });

  test('goes on being sent if an acked packet had older values', () => {
    write(ROOM, 3);
    send(0);
    write(ROOM, 4);
    send(6);
    ack(0);
    expect(acked).toEqual([]);
    expect(sent.isWaiting(ROOM)).toBe(true);
    ack(6);
    expect(sent.isWaiting(ROOM)).toBe(false);
  });

  test('[V2.4] that is asked for again needs the ack of a packet from after that', () => {
    write(ROOM, 3);
    send(0);
    send(1);
    // The host refuses a write: its word, unchanged, has to come again.
    sent.mark(ROOM);
    expect(send(8)).toEqual([ROOM]);
    ack(1);
    expect(sent.isWaiting(ROOM)).toBe(true);
    ack(8);
    expect(sent.isWaiting(ROOM)).toBe(false);
  });
});

test('[V3.2] the packets that had the values which were acked last are known, and no others', () => {
  write(ROOM, 3);
  send(0);
  write(ROOM, 4);
  send(6);
  send(7);
  send(8);
  const packets = (): number[] =>
    Array.from({ length: 9 }, (_, i) => i).filter((i) => sent.wasIn(ROOM, (packet) => packet === i));
  expect(packets()).toEqual([]);
  ack(7);
  expect(packets()).toEqual([6, 7]);
  expect(sent.wasIn(1 as EntryId, () => true)).toBe(false);
});

describe('[V3.5] a packet', () => {
  test('has an entry that is longer than the room if it is alone', () => {
    write(ROOM, 1);
    write(30 as EntryId, 250);
    expect(send(0, 0, 100)).toEqual([ROOM]);
    ack(0);
    expect(send(1, 1, 100)).toEqual([30]);
  });

  test('has entries in ascending order, and lets none wait for ever', () => {
    for (let slot = 32; slot > 0; slot--) write(slot as EntryId, 250);
    const seen = new Set<number>();
    for (let packet = 0; packet < 80; packet++) {
      const entries = send(packet, packet, 5000);
      expect(entries).toEqual([...entries].sort((a, b) => a - b));
      for (const entry of entries) seen.add(entry);
    }
    expect(seen.size).toBe(32);
  });
});

test('[V3.4] [V3.5] many entries all leave once before most of them leave again', () => {
  const layout = new SharedLayout(BODIES, 1000);
  store = new SharedStore(layout);
  sent = new SentEntries(store, true, TICK_RATE);
  part = new SharedPart(layout);
  for (let body = 0; body < 1000; body++) write(body as EntryId, 7);
  const seen = new Set<number>();
  let packets = 0;
  for (; seen.size < 1000 && packets < 1000; packets++) for (const entry of send(packets)) seen.add(entry);
  // Thirty-two entries fit; three packets of four have new ones alone.
  expect(packets).toBeLessThan((1000 / 32) * (4 / 3) + 3);
});

test('[V5.1] what waits because a guest has begun too many is due in no tick until then', () => {
  sent = new SentEntries(store, false, TICK_RATE);
  for (let slot = 1; slot <= 32; slot++) write(slot as EntryId, 9);
  send(0, 0, 1e6);
  write(ROOM, 3);
  ack(0);
  expect(sent.isDue(1)).toBe(false);
  expect(sent.isDue(2)).toBe(true);
  expect(send(2)).toEqual([ROOM]);
});

test('[V5.1] a guest begins 32 at once and 30 a second; the rest waits', () => {
  sent = new SentEntries(store, false, TICK_RATE);
  let begun = 0;
  for (let tick = 0; tick < 600; tick++) {
    for (let slot = 1; slot <= 16; slot++) write(slot as EntryId, tick % 200);
    begun += send(tick, tick, 1e6).length;
  }
  expect(begun).toBeGreaterThanOrEqual(32 + 295);
  expect(begun).toBeLessThanOrEqual(32 + 300);
});
