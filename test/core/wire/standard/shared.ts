import type { SchemaDeclaration } from '../../../../src/core/shared/declaration.ts';
import type { PlainAuthor } from '../../../support/packets.ts';
import type { Counts, PlainShared, PlainValues } from '../../../support/shared-packets.ts';
import type { Bits } from './reader.ts';
import { mustBe } from './reader.ts';

/** The part "Shared state" of STANDARD.md, for the decoder that is written from that page alone. */

type Fields = NonNullable<SchemaDeclaration['room']>;

export function readShared(
  bits: Bits,
  { room, players, bodies, events = {} }: SchemaDeclaration,
  { bodies: count, joints = 0, made }: Counts,
  authors: readonly PlainAuthor[],
): PlainShared {
  if (!bits.flag(7845)) return { complete: false, entries: [], events: [] };
  const complete = bits.plain(1) === 1;
  const all: Fields[] = [];
  const add = (fields: Fields | undefined, times: number): void => {
    if (fields !== undefined && Object.keys(fields).length > 0)
      for (let i = 0; i < times; i++) all.push(fields);
  };
  add({ isGone: { kind: 'flag' } }, joints);
  if (made !== undefined) add(madeFields(count, made.kinds), made.count);
  add(room, 1);
  add(players?.host, 32);
  add(players?.self, 32);
  add(bodies?.host, count);
  add(bodies?.authority, count);
  const entries = all.length > 0 ? readEntries(bits, all) : [];
  const kinds = Object.values(events);
  const given = kinds.length > 0 ? authors.flatMap((author) => readEvents(bits, kinds, author)) : [];
  mustBe(given.length <= 32, 'more than 32 events');
  mustBe(complete || entries.length + given.length > 0, 'shared state without any');
  return { complete, entries, events: given };
}

/** A joint that players make: its kind, its bodies, and its two frames. */
function madeFields(count: number, kinds: number): Fields {
  const number = (from: number, to: number, step: number): Fields[string] => {
    return { kind: 'number', from, to, step, initial: from };
  };
  const frame = (end: string): [string, Fields[string]][] => [
    ...['x', 'y', 'z'].map((axis): [string, Fields[string]] => [end + axis, number(-1024, 1024, 1 / 4096)]),
    ...['i', 'j', 'k', 'w'].map((axis): [string, Fields[string]] => [end + axis, number(-1, 1, 2 ** -14)]),
  ];
  return {
    kind: number(0, kinds, 1),
    a: number(0, count, 1),
    b: number(0, count, 1),
    ...Object.fromEntries([...frame('a'), ...frame('b')]),
  };
}

function readEntries(bits: Bits, all: readonly Fields[]): PlainShared['entries'] {
  const entries: { entry: number; values: PlainValues }[] = [];
  for (let least = 0; bits.plain(1) === 1;) {
    mustBe(entries.length < 32 && least < all.length, 'too many entries');
    const entry = bits.range(least, all.length - 1);
    entries.push({ entry, values: readValues(bits, all[entry]) });
    least = entry + 1;
  }
  return entries;
}

function readEvents(bits: Bits, kinds: readonly Fields[], author: PlainAuthor): PlainShared['events'] {
  const events: PlainShared['events'][number][] = [];
  if (bits.plain(1) === 0) return events;
  do {
    mustBe(events.length < 32, 'more than 32 events');
    const last = events.at(-1);
    let tick: number;
    let number: number;
    if (last !== undefined && bits.plain(1) === 1) {
      tick = last.tick;
      mustBe(last.number < 7, 'a ninth event in a tick');
      number = bits.range(last.number + 1, 7);
    } else {
      tick = last === undefined ? author.tick - bits.range(0, 1023) : last.tick + bits.range(1, 1023);
      mustBe(tick >= 0 && tick <= author.tick, 'an event of another time');
      number = bits.range(0, 7);
    }
    const kind = bits.range(0, kinds.length - 1);
    events.push({ slot: author.slot, tick, number, kind, values: readValues(bits, kinds[kind]) });
  } while (bits.plain(1) === 1);
  return events;
}

function readValues(bits: Bits, fields: Fields): PlainValues {
  return Object.values(fields).map((field) => {
    if (field.kind === 'number') return bits.range(0, Math.round((field.to - field.from) / field.step));
    if (field.kind === 'choice') return bits.range(0, field.choices.length - 1);
    if (field.kind === 'flag') return bits.range(0, 1);
    return Array.from({ length: bits.range(0, field.bytes) }, () => bits.plain(8));
  });
}
