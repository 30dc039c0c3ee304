import { bitsFor } from '../../base/bits.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import { EVENTS_A_TICK, stampOf, tickOfStamp } from '../../shared/author-events.ts';
import { WORD_BYTES } from '../../shared/field.ts';
import type { FieldSet } from '../../shared/field-set.ts';
import { byteAt, putByte } from '../../shared/field-set.ts';
import type { EntryId, SharedLayout } from '../../shared/layout.ts';
import { ANY_SHARED } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';
import { ONE_BITS } from '../coder/range-coder.ts';

/** Entries, and events, of a packet, at most. */
export const MAX_PACKET_ENTRIES = 32;
export const MAX_PACKET_EVENTS = 32;
/** Ticks by which an event in a packet may be older than its author's tick in the table. */
export const MAX_EVENT_AGE = 1023;

/** [V3], [E2] The part of a packet that has shared state and events. Reused; all memory is allocated once. */
export class SharedPart {
  readonly layout: SharedLayout;
  /** [V3.4] True if the sender knows that the receiver has every entry that was ever written. */
  isComplete = false;
  /** The entries, ascending; the first `entryCount` are valid. */
  readonly entries = new Int32Array(MAX_PACKET_ENTRIES);
  entryCount = 0;
  /** The values of entry i begin at i * layout.mostWords. */
  readonly words: Int32Array;
  /** For each event its author, ascending, its stamp, ascending for each author, and its kind. */
  readonly authors = new Uint8Array(MAX_PACKET_EVENTS);
  readonly stamps = new Float64Array(MAX_PACKET_EVENTS);
  readonly kinds = new Uint8Array(MAX_PACKET_EVENTS);
  eventCount = 0;
  /** The values of event i begin at i * layout.mostEventWords. */
  readonly eventWords: Int32Array;

  constructor(layout: SharedLayout) {
    this.layout = layout;
    this.words = new Int32Array(MAX_PACKET_ENTRIES * layout.mostWords);
    this.eventWords = new Int32Array(MAX_PACKET_EVENTS * layout.mostEventWords);
  }

  /** Empties the part. */
  clear(): void {
    this.isComplete = false;
    this.entryCount = 0;
    this.eventCount = 0;
  }

  /** True if there is nothing to say. */
  get isEmpty(): boolean {
    return !this.isComplete && this.entryCount === 0 && this.eventCount === 0;
  }
}

/**
 * Codes the part of a packet that has shared state and events. A reader fills it; it checks `failed` afterwards.
 * @param authorTicks for each slot the tick of the packet's table of authors; -1 if it is not in the table.
 */
export function codeShared(c: Coder, part: SharedPart, authorTicks: Int32Array): void {
  const isAny = c.bit(ANY_SHARED, part.isEmpty ? 0 : 1) === 1;
  if (c.reads) part.clear();
  if (!isAny) return;
  part.isComplete = c.bits(part.isComplete ? 1 : 0, 1) === 1;
  if (part.layout.entries > 0) codeEntries(c, part);
  if (part.layout.schema.events.length > 0) codeEvents(c, part, authorTicks);
  // A part that says nothing is not canonical.
  if (part.isEmpty) c.fail();
}

/** The bits of an entry with these values in a packet, at most. @param words of all entries. */
export function bitsOfEntry(layout: SharedLayout, entry: EntryId, words: Int32Array): number {
  const { set } = layout.groupOf(entry);
  return 1 + bitsFor(layout.entries - 1) + set.bitsOf(words, layout.wordOf(entry));
}

/** The bits of an event in a packet, at most. @param from where its values begin in `words`. */
export function bitsOfEvent(layout: SharedLayout, kind: number, words: Int32Array, from: number): number {
  return EVENT_HEAD_BITS + layout.schema.events[kind].set.bitsOf(words, from);
}

/**
 * Bits of a part besides its entries and events, at most: whether there is any, which is hardly ever the case, whether
 * it is complete, the end of the entries, and a flag of each slot.
 */
export const PART_BITS = ONE_BITS + 2 + MAX_PLAYERS;
/** More, same tick, age or gap, number, and kind of an event. */
const EVENT_HEAD_BITS = 3 + bitsFor(MAX_EVENT_AGE) + bitsFor(EVENTS_A_TICK - 1) + 6;

/** Each entry: a bit that there is one more, its number, above that of the one before, and its values. */
function codeEntries(c: Coder, part: SharedPart): void {
  const { layout, entries, words } = part;
  let next = 0;
  let count = 0;
  while (!c.failed) {
    if (c.bits(count < part.entryCount ? 1 : 0, 1) === 0) break;
    if (count === MAX_PACKET_ENTRIES || next === layout.entries) {
      c.fail();
      break;
    }
    const entry = c.range(entries[count], next, layout.entries - 1) as EntryId;
    codeValues(c, layout.groupOf(entry).set, words, count * layout.mostWords);
    entries[count++] = entry;
    next = entry + 1;
  }
  part.entryCount = count;
}

/** For each slot of the table in order: a bit that it has events, and these. */
function codeEvents(c: Coder, part: SharedPart, authorTicks: Int32Array): void {
  const written = part.eventCount;
  let count = 0;
  for (let slot = 0; slot < MAX_PLAYERS && !c.failed; slot++) {
    if (authorTicks[slot] < 0) continue;
    const has = !c.reads && count < written && part.authors[count] === slot;
    if (c.bits(has ? 1 : 0, 1) === 1) count = codeEventsOf(c, part, slot, authorTicks[slot], count, written);
  }
  part.eventCount = count;
}

/** @returns the count of events after those of the slot. */
function codeEventsOf(
  c: Coder,
  part: SharedPart,
  slot: number,
  tick: number,
  first: number,
  written: number,
): number {
  let count = first;
  let before = -1;
  for (let more = 1; more === 1 && !c.failed; count++) {
    if (count === MAX_PACKET_EVENTS) {
      c.fail();
      break;
    }
    before = codeStamp(c, part.stamps[count], before, tick);
    part.stamps[count] = before;
    part.authors[count] = slot;
    const { events } = part.layout.schema;
    part.kinds[count] = c.range(part.kinds[count], 0, events.length - 1);
    codeValues(c, events[part.kinds[count]].set, part.eventWords, count * part.layout.mostEventWords);
    more = c.bits(count + 1 < written && part.authors[count + 1] === slot ? 1 : 0, 1);
  }
  return count;
}

/**
 * Codes the stamp of an event: its tick and its number within the tick.
 * @param before the stamp of the author's event before it in the packet; -1 for none.
 * @param tick the author's in the table.
 */
function codeStamp(c: Coder, stamp: number, before: number, tick: number): number {
  if (before < 0) {
    const age = c.range(tick - tickOfStamp(stamp), 0, MAX_EVENT_AGE);
    if (age > tick) c.fail();
    return stampOf(Math.max(0, tick - age), c.range(numberOf(stamp), 0, EVENTS_A_TICK - 1));
  }
  const last = tickOfStamp(before);
  if (c.bits(tickOfStamp(stamp) === last ? 1 : 0, 1) === 1) {
    if (numberOf(before) === EVENTS_A_TICK - 1) c.fail();
    const least = Math.min(numberOf(before) + 1, EVENTS_A_TICK - 1);
    return stampOf(last, c.range(numberOf(stamp), least, EVENTS_A_TICK - 1));
  }
  const gap = c.range(tickOfStamp(stamp) - last, 1, MAX_EVENT_AGE);
  if (last + gap > tick) c.fail();
  return stampOf(last + gap, c.range(numberOf(stamp), 0, EVENTS_A_TICK - 1));
}

function numberOf(stamp: number): number {
  return stamp - stampOf(tickOfStamp(stamp), 0);
}

/** Codes the values of a set: the number of each, and after that of a text its bytes. */
function codeValues(c: Coder, set: FieldSet, words: Int32Array, from: number): void {
  for (const { field, at, highest } of set.places) {
    const first = from + at;
    words[first] = c.range(words[first], 0, highest);
    if (field.kind === 'text') codeBytes(c, words, first + 1, words[first], field.bytes);
  }
}

function codeBytes(c: Coder, words: Int32Array, first: number, count: number, most: number): void {
  if (c.reads) words.fill(0, first, first + Math.ceil(most / WORD_BYTES));
  for (let i = 0; i < count; i++) {
    const byte = c.bits(byteAt(words, first, i), 8);
    if (c.reads) putByte(words, first, i, byte);
  }
}
