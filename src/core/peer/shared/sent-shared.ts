import { MAX_PACKET_BYTES, MAX_PLAYERS, SENT_PACKETS } from '../../base/constants.ts';
import type { PacketAcks } from '../../link/packet-acks.ts';
import { TokenBucket } from '../../link/token-bucket.ts';
import { END_BITS } from '../../wire/coder/range-coder.ts';
import { PART_BITS, SharedPart } from '../../wire/shared/shared-part.ts';
import type { EntryId } from '../../shared/layout.ts';
import type { PacketHeader } from '../../wire/packet.ts';
import { isRepeatDue } from './repeat.ts';
import { SentEntries } from './sent-entries.ts';
import { SentEvents } from './sent-events.ts';
import type { SharedWorld } from './shared-world.ts';

/** [V3.5] Bits of a packet for shared state and events, at most: 400 bytes leave bodies their share. */
const MOST_BITS = 8 * 400;
/** [V5.1] Writes of a guest that the host accepts in a second, and at once: more than an honest guest sends. */
const GUEST_WRITES_A_SECOND = 40;
const GUEST_WRITES_AT_ONCE = 128;
/** [E3.2] The same for its events. */
const GUEST_EVENTS_A_SECOND = 24;
const GUEST_EVENTS_AT_ONCE = 128;

/** [V3], [E2] The part of a link about shared state and events: what the other end has, and what it is to get. */
export class SentShared {
  readonly entries: SentEntries;
  readonly events: SentEvents;
  /** The content of the packet that is written. */
  readonly part: SharedPart;
  /** For each entry a packet of the other end. Words on the entry in older packets do not count; all count if it is -1. */
  readonly heardIn: Int32Array;
  /** [V3.2] Guest: for each entry the packet by which it learnt that the host had its last write; -1: none. */
  readonly #learntIn: Int32Array;
  /** [V3.4] Guest: true once the host has said that this guest has everything. */
  isComplete = false;
  /** The packet that is received: its number, and its acks as in its header. */
  readonly received = { sequence: 0, ack: -1, ackBits: 0 };
  /** [V5.1], [E3.2] Host: what the guest may still write and emit. */
  readonly writes = new TokenBucket(GUEST_WRITES_AT_ONCE, GUEST_WRITES_A_SECOND);
  readonly emits = new TokenBucket(GUEST_EVENTS_AT_ONCE, GUEST_EVENTS_A_SECOND);
  /** [V5.1] Host: for each entry the words of a write that was one too many; it is decided again later. */
  readonly delayed = new Map<EntryId, Int32Array>();
  readonly #world: SharedWorld;
  /** Host, [V3.4]: how often the guest was told that it has everything, when, and in which of the recent packets. */
  #told = 0;
  #toldAt = 0;
  readonly #toldIn = new Int32Array(SENT_PACKETS).fill(-1);
  #knows: boolean;
  readonly #isHost: boolean;

  constructor(world: SharedWorld, isHost: boolean) {
    this.#world = world;
    this.part = new SharedPart(world.layout);
    const { rate } = world;
    this.events = new SentEvents(rate);
    this.entries = new SentEntries(world.store, isHost, rate);
    this.heardIn = new Int32Array(world.layout.entries).fill(-1);
    this.#learntIn = new Int32Array(world.layout.entries).fill(-1);
    this.#isHost = isHost;
    // A guest never tells.
    this.#knows = !isHost;
  }

  /** The level begins anew: neither end has anything of it. */
  forget(): void {
    this.entries.forget();
    this.delayed.clear();
  }

  /** Host, [N5.3]: the other end counts as one that has nothing; mark what it is to get. */
  beginAnew(): void {
    this.forget();
    this.events.beginAnew();
    this.#told = 0;
    this.#knows = false;
  }

  #hasToTell(tick: number): boolean {
    if (this.#knows || !this.entries.hasFirst) return false;
    return isRepeatDue(this.#told, tick - this.#toldAt, this.#world.rate);
  }

  /** True if anything is due in this tick. @param contains the authors of whom packets of this link have a time. */
  isDue(tick: number, contains: (slot: number) => boolean): boolean {
    if (this.entries.isDue(tick) || this.#hasToTell(tick)) return true;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const events = this.#world.eventsOf(slot);
      if (events === null || !contains(slot)) continue;
      if (this.events.isDue(slot, events, this.#world.newestTickOf(slot), tick)) return true;
    }
    return false;
  }

  /**
   * Decides what the next packet has: in one packet events first, in the next one entries, so that neither waits for
   * all of the other.
   * @param authorTicks the table of the packet.
   * @param room bits that are left in the packet.
   * @param written bits of the packet so far.
   */
  fill(packet: number, authorTicks: Int32Array, room: number, written: number): void {
    const { part } = this;
    const { tick } = this.#world;
    const most = 8 * MAX_PACKET_BYTES - END_BITS - PART_BITS - written;
    part.clear();
    let left = Math.min(MOST_BITS, room - PART_BITS);
    const areEventsFirst = packet % 2 === 0;
    if (!areEventsFirst) left = this.entries.fill(part, packet, tick, left, most);
    left = this.#fillEvents(packet, authorTicks, left, most);
    if (areEventsFirst) this.entries.fill(part, packet, tick, left, most);
    if (!this.#hasToTell(tick)) return;
    part.isComplete = true;
    this.#toldAt = tick;
    this.#told = Math.min(this.#told + 1, 255);
    this.#toldIn[packet % SENT_PACKETS] = packet;
  }

  /** @returns the bits that are left of the room. */
  #fillEvents(packet: number, authorTicks: Int32Array, room: number, most: number): number {
    const { part } = this;
    const { tick } = this.#world;
    let left = room;
    for (let slot = 0, authors = 0; slot < MAX_PLAYERS && SentEvents.fits(authors); slot++) {
      const events = this.#world.eventsOf(slot);
      if (events === null || authorTicks[slot] < 0) continue;
      if (!this.events.isDue(slot, events, authorTicks[slot], tick)) continue;
      const before = part.eventCount;
      left = this.events.fill(part, slot, events, authorTicks[slot], tick, left, most);
      if (part.eventCount > before) authors++;
    }
    this.events.put(part, packet);
    return left;
  }

  /** A packet is received, which was read whole. */
  beginPacket(sequence: number, { ack, ackBits }: Pick<PacketHeader, 'ack' | 'ackBits'>): void {
    this.received.sequence = sequence;
    this.received.ack = ack;
    this.received.ackBits = ackBits;
  }

  /** The other end has a packet. */
  acked(packet: number): void {
    this.entries.acked(packet, this.#had);
    this.events.acked(packet);
    if (this.#toldIn[packet % SENT_PACKETS] === packet) this.#knows = true;
  }

  /** [V3.2] The host has this guest's write: its words from before count no more. */
  readonly #had = (entry: EntryId): void => {
    if (this.#isHost) return;
    this.#learntIn[entry] = this.received.sequence;
    this.#world.store.stale[entry] = 0;
  };

  /**
   * True if a word on an entry in the packet that is received counts: [V3.1] no newer one has counted, and [V3.2] the host
   * had this guest's last write when it sent this one. A packet that was overtaken shows that by its own acks. From then
   * on words of older packets count no more.
   */
  hears(entry: EntryId, acks: PacketAcks): boolean {
    const { sequence, ack, ackBits } = this.received;
    if (sequence < this.heardIn[entry]) return false;
    const isOvertaken = sequence < this.#learntIn[entry];
    if (isOvertaken && !this.entries.wasIn(entry, (packet) => acks.covers(ack, ackBits, packet)))
      return false;
    this.heardIn[entry] = sequence;
    return true;
  }
}
