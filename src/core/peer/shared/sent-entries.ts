import { SENT_PACKETS, ticksIn } from '../../base/constants.ts';
import { TokenBucket } from '../../link/token-bucket.ts';
import type { EntryId } from '../../shared/layout.ts';
import type { SharedStore } from '../../shared/store.ts';
import type { SharedPart } from '../../wire/shared/shared-part.ts';
import { bitsOfEntry, MAX_PACKET_ENTRIES } from '../../wire/shared/shared-part.ts';
import { isRepeatDue } from './repeat.ts';

/** [V3.3] Seconds between two beginnings of new values of an entry: ten a second. */
const BEGIN_SECONDS = 0.1;
/** One packet of so many has repeated entries before new ones. */
const REPEATS_FIRST_EVERY = 4;
/** [V5.1] New values that a guest begins to send in a second, and at once. */
const GUEST_BEGINS_A_SECOND = 30;
const GUEST_BEGINS_AT_ONCE = 32;

/**
 * [V3] The part of a link about entries: those of which the other end may not have the present values, and what it was
 * sent. Entries that it has cost nothing.
 */
export class SentEntries {
  readonly #store: SharedStore;
  /** The entries that are to be sent, in any order, and for each entry its place there; -1: it is not there. */
  readonly #list: Int32Array;
  readonly #place: Int32Array;
  #count = 0;
  /** For each entry the version that was last sent, how often, and when. */
  readonly #sentVersion: Int32Array;
  readonly #sends: Uint8Array;
  readonly #sentAt: Int32Array;
  /** The tick and the packet in which that version was first sent. */
  readonly #begunAt: Int32Array;
  readonly #begunIn: Int32Array;
  /** [V3.4] 1 for an entry that the other end has to have before it has all; and how many there are. */
  readonly #isFirst: Uint8Array;
  #firstLeft = 0;
  /** For each entry the version that was acked last. */
  readonly #ackedVersion: Int32Array;
  /** The numbers of the recent packets, and the entries and versions in them. */
  readonly #packets = new Int32Array(SENT_PACKETS).fill(-1);
  readonly #counts = new Uint8Array(SENT_PACKETS);
  readonly #contents = new Int32Array(SENT_PACKETS * MAX_PACKET_ENTRIES * 2);
  /** [V5.1] Null on the host. */
  readonly #begins: TokenBucket | null;

  /** Ticks a second. */
  readonly #rate: number;
  /** BEGIN_SECONDS in ticks. */
  readonly #beginTicks: number;

  /** @param rate ticks a second. */
  constructor(store: SharedStore, isHost: boolean, rate: number) {
    const { entries } = store.layout;
    this.#rate = rate;
    this.#beginTicks = ticksIn(BEGIN_SECONDS, rate);
    this.#store = store;
    this.#list = new Int32Array(entries);
    this.#place = new Int32Array(entries).fill(-1);
    this.#sentVersion = new Int32Array(entries).fill(-1);
    this.#sends = new Uint8Array(entries);
    this.#sentAt = new Int32Array(entries);
    this.#begunAt = new Int32Array(entries).fill(-this.#beginTicks);
    this.#begunIn = new Int32Array(entries);
    this.#ackedVersion = new Int32Array(entries).fill(-1);
    this.#isFirst = new Uint8Array(entries);
    this.#begins = isHost ? null : new TokenBucket(GUEST_BEGINS_AT_ONCE, GUEST_BEGINS_A_SECOND, rate);
  }

  /** The other end is to get the present values of an entry. */
  mark(entry: EntryId): void {
    this.#sentVersion[entry] = -1;
    if (this.#place[entry] >= 0) return;
    this.#place[entry] = this.#count;
    this.#list[this.#count++] = entry;
  }

  /** [V3.4] The same for an entry that the other end must have before it has everything. */
  markFirst(entry: EntryId): void {
    this.mark(entry);
    if (this.#isFirst[entry] === 1) return;
    this.#isFirst[entry] = 1;
    this.#firstLeft++;
  }

  /** True once the other end has every entry that it had to have. */
  get hasFirst(): boolean {
    return this.#firstLeft === 0;
  }

  /** True if the present values of an entry were sent or will be, and no packet with them was acked. */
  isWaiting(entry: EntryId): boolean {
    return this.#place[entry] >= 0;
  }

  /** An entry is not to be sent any more. */
  drop(entry: EntryId): void {
    const place = this.#place[entry];
    if (place < 0) return;
    const last = this.#list[--this.#count];
    this.#list[place] = last;
    this.#place[last] = place;
    this.#place[entry] = -1;
  }

  /** The level begins anew: nothing waits, and packets that were sent count no more. */
  forget(): void {
    this.#place.fill(-1);
    this.#count = 0;
    this.#packets.fill(-1);
    this.#isFirst.fill(0);
    this.#firstLeft = 0;
  }

  /** True if an entry is due in this tick. */
  isDue(tick: number): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#isEntryDue(this.#list[i], tick)) return true;
    return false;
  }

  #isEntryDue(entry: number, tick: number): boolean {
    if (this.#isNew(entry))
      return tick - this.#begunAt[entry] >= this.#beginTicks && this.#begins?.has(tick) !== false;
    return isRepeatDue(this.#sends[entry], tick - this.#sentAt[entry], this.#rate);
  }

  /** True if the present values were never sent. */
  #isNew(entry: number): boolean {
    return this.#sentVersion[entry] !== this.#store.versions[entry];
  }

  /**
   * Fills a packet with entries that are due: in three of four packets new ones first, so that a guest that joins a
   * world with many has them soon; else repeated ones first, so that a lost one does not wait for ever.
   * @param room bits. An entry that is longer goes in if it is alone and shorter than `most`.
   * @returns the bits that are left of the room.
   */
  fill(part: SharedPart, packet: number, tick: number, room: number, most: number): number {
    const isNewFirst = packet % REPEATS_FIRST_EVERY !== 0;
    const left = this.#fillWith(isNewFirst, part, packet, tick, room, most);
    const rest = this.#fillWith(!isNewFirst, part, packet, tick, left, most);
    this.#put(part, packet);
    return rest;
  }

  #fillWith(
    areNew: boolean,
    part: SharedPart,
    packet: number,
    tick: number,
    room: number,
    most: number,
  ): number {
    let left = room;
    for (let i = 0; i < this.#count && part.entryCount < MAX_PACKET_ENTRIES; i++) {
      // From another place in each packet, so that none waits for ever.
      const entry = this.#list[(i + packet) % this.#count] as EntryId;
      if (this.#isNew(entry) !== areNew || !this.#isEntryDue(entry, tick)) continue;
      const bits = bitsOfEntry(this.#store.layout, entry, this.#store.words);
      const isAlone = part.entryCount === 0 && part.eventCount === 0 && bits <= most;
      if (bits > left && !isAlone) continue;
      this.#begin(entry, packet, tick);
      left -= bits;
      insert(part, entry);
    }
    return left;
  }

  /** Counts that an entry is sent, which is due. */
  #begin(entry: EntryId, packet: number, tick: number): void {
    const version = this.#store.versions[entry];
    if (this.#sentVersion[entry] !== version) {
      this.#begins?.take(tick);
      this.#sentVersion[entry] = version;
      this.#begunAt[entry] = tick;
      this.#begunIn[entry] = packet;
      this.#sends[entry] = 0;
    }
    this.#sends[entry] = Math.min(this.#sends[entry] + 1, 255);
    this.#sentAt[entry] = tick;
  }

  /** Keeps what the packet has, and copies the values. */
  #put(part: SharedPart, packet: number): void {
    const { layout, words, versions } = this.#store;
    const place = packet % SENT_PACKETS;
    this.#packets[place] = packet;
    this.#counts[place] = part.entryCount;
    for (let i = 0; i < part.entryCount; i++) {
      const entry = part.entries[i] as EntryId;
      const from = layout.wordOf(entry);
      const count = layout.groupOf(entry).set.words;
      for (let w = 0; w < count; w++) part.words[i * layout.mostWords + w] = words[from + w];
      const at = (place * MAX_PACKET_ENTRIES + i) * 2;
      this.#contents[at] = entry;
      this.#contents[at + 1] = versions[entry];
    }
  }

  /** The other end has a packet. @param had gets each entry whose present values it has by it. */
  acked(packet: number, had: (entry: EntryId) => void): void {
    const place = packet % SENT_PACKETS;
    if (this.#packets[place] !== packet) return;
    for (let i = 0; i < this.#counts[place]; i++) {
      const at = (place * MAX_PACKET_ENTRIES + i) * 2;
      const entry = this.#contents[at] as EntryId;
      if (this.#isFirst[entry] === 1) {
        this.#isFirst[entry] = 0;
        this.#firstLeft--;
      }
      const version = this.#store.versions[entry];
      // `mark` may have asked for it again since that packet.
      const isPresent = this.#contents[at + 1] === version && this.#sentVersion[entry] === version;
      if (!isPresent || packet < this.#begunIn[entry] || this.#place[entry] < 0) continue;
      this.drop(entry);
      this.#ackedVersion[entry] = version;
      had(entry);
    }
  }

  /** True if a recent packet had the values of an entry that were acked last. @param isOne true for the packets that are asked about. */
  wasIn(entry: EntryId, isOne: (packet: number) => boolean): boolean {
    const version = this.#ackedVersion[entry];
    return this.#packets.some((packet, place) => {
      if (packet < 0 || !isOne(packet)) return false;
      const from = place * MAX_PACKET_ENTRIES * 2;
      const contents = this.#contents.subarray(from, from + this.#counts[place] * 2);
      return contents.some((one, i) => i % 2 === 0 && one === entry && contents[i + 1] === version);
    });
  }
}

/** Puts an entry among those of the part, which ascend. */
function insert(part: SharedPart, entry: EntryId): void {
  let at = part.entryCount++;
  for (; at > 0 && part.entries[at - 1] > entry; at--) part.entries[at] = part.entries[at - 1];
  part.entries[at] = entry;
}
