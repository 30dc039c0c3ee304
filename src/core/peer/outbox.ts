import type { BodyId, Slot } from '../base/ids.ts';
import { MAX_BASELINE_AGE, MAX_PACKET_BYTES, MAX_PLAYERS, SENT_PACKETS } from '../base/constants.ts';
import { PriorityAccumulator } from '../link/priority.ts';
import type { AvatarSample } from '../wire/avatar.ts';
import { writeAvatar } from '../wire/avatar.ts';
import { BaselineStore } from '../wire/baselines.ts';
import { BitWriter } from '../wire/bits.ts';
import type { PacketHeader } from '../wire/packet.ts';
import { AUTHOR_COUNT_BITS, writeAuthorHead, writeHeader } from '../wire/packet.ts';
import type { BodyUpdate, UpdateContext } from '../wire/update.ts';
import { authorOf, bodyUpdate, copyUpdate, MAX_STATE_AGE, sameUpdate, writeUpdate } from '../wire/update.ts';

/** Bits that a packet holds, less the flag that ends it. */
const PACKET_BITS = MAX_PACKET_BYTES * 8 - 1;
/** Spare bytes of the writer, so that an update may be tried and taken back. */
const SPARE_BYTES = 64;
/** Updates in a row that did not fit, after which the packet counts as full. */
const FULL_AFTER = 3;

/** One author in the packet to be written: its newest tick, and its avatar if there is news of it. */
export type AuthorNews = { tick: number; avatar: AvatarSample | null };

/** Where an outbox gets what it sends. */
export type OutboxSource = {
  /** Fills `out` with what there is to say of a body; false if nothing. */
  describe(body: BodyId, out: BodyUpdate): boolean;
  /** True if it must be said although the receiver has acked it already. */
  insists(body: BodyId): boolean;
  /** What a body's priority grows by in this tick; more than 0. */
  urgency(body: BodyId): number;
};

/** Bits of the last packet by what they were for. */
export type PacketBits = { headers: number; avatars: number; bodies: number };

/**
 * What one receiver is to be told, and what it is known to have. What it is known to have right is not said
 * again; [W5] picks among the rest.
 */
export class Outbox {
  readonly bits: PacketBits = { headers: 0, avatars: 0, bodies: 0 };
  readonly #count: number;
  readonly #sent: BaselineStore;
  readonly #priorities: PriorityAccumulator;
  readonly #writer = new BitWriter(MAX_PACKET_BYTES + SPARE_BYTES);
  readonly #context: UpdateContext;
  /** For each body the newest packet on it that was acked, or -1. */
  readonly #lastAcked: Int32Array;
  /** What the last packet on each body said, and the first packet since when all have said just that. */
  readonly #said: readonly BodyUpdate[];
  readonly #saidSince: Int32Array;
  /** For each body 1 if the receiver spoke against what we say of it. */
  readonly #disputed: Uint8Array;
  /** The bodies in each of the recent packets, until it is acked. */
  readonly #contents: readonly BodyId[][];
  readonly #contentsOf = new Int32Array(SENT_PACKETS).fill(-1);
  readonly #update = bodyUpdate();
  readonly #baseline = bodyUpdate();

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#sent = new BaselineStore(count);
    this.#priorities = new PriorityAccumulator(count);
    this.#context = { count, speaker: 0 as Slot, authorTicks: new Int32Array(MAX_PLAYERS) };
    this.#said = Array.from({ length: count }, bodyUpdate);
    this.#saidSince = new Int32Array(count).fill(-1);
    this.#lastAcked = new Int32Array(count).fill(-1);
    this.#disputed = new Uint8Array(count);
    this.#contents = Array.from({ length: SENT_PACKETS }, () => []);
  }

  /** The receiver is known to have nothing any more. */
  reset(): void {
    this.#sent.clear();
    this.#priorities.clear();
    this.#saidSince.fill(-1);
    this.#lastAcked.fill(-1);
    this.#disputed.fill(0);
    this.#contentsOf.fill(-1);
  }

  /** The receiver spoke against what we say of a body: it is said again. */
  dispute(body: BodyId): void {
    this.#disputed[body] = 1;
  }

  /** The receiver has a packet. */
  acked(packet: number): void {
    const place = packet % SENT_PACKETS;
    if (this.#contentsOf[place] !== packet) return;
    for (const body of this.#contents[place]) {
      this.#lastAcked[body] = Math.max(this.#lastAcked[body], packet);
    }
    this.#contentsOf[place] = -1;
  }

  /** Raises the priorities by one tick. */
  raise(source: OutboxSource): void {
    for (let i = 0; i < this.#count; i++) {
      const body = i as BodyId;
      if (this.#isNeeded(body, source)) this.#priorities.raise(body, source.urgency(body));
      else this.#priorities.sent(body);
    }
  }

  #isNeeded(body: BodyId, source: OutboxSource): boolean {
    if (!source.describe(body, this.#update)) return false;
    if (this.#disputed[body] === 1 || this.#update.kind === 'motion' || source.insists(body)) return true;
    const since = this.#saidSince[body];
    return since < 0 || this.#lastAcked[body] < since || !sameUpdate(this.#said[body], this.#update);
  }

  /**
   * Writes the next packet; the bytes are valid until the next call.
   * @param packet its number without wrapping.
   * @param authors for each slot what there is of it, or null.
   */
  write(
    header: Readonly<PacketHeader>,
    packet: number,
    speaker: Slot,
    authors: readonly (AuthorNews | null)[],
    source: OutboxSource,
  ): Uint8Array {
    const w = this.#writer;
    w.clear();
    writeHeader(w, header);
    this.#context.speaker = speaker;
    this.bits.avatars = this.#writeAuthors(authors);
    const headed = w.bits;
    const contents = this.#contents[packet % SENT_PACKETS];
    contents.length = 0;
    this.#contentsOf[packet % SENT_PACKETS] = packet;
    this.#writeUpdates(packet, source, contents);
    this.bits.bodies = w.bits - headed;
    w.writeFlag(false);
    const bytes = w.finish();
    this.bits.headers = bytes.length * 8 - this.bits.bodies - this.bits.avatars;
    return bytes;
  }

  /** Returns the bits of the avatars among them. */
  #writeAuthors(authors: readonly (AuthorNews | null)[]): number {
    const w = this.#writer;
    let count = 0;
    let avatarBits = 0;
    for (const author of authors) if (author !== null) count++;
    w.write(count, AUTHOR_COUNT_BITS);
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const author = authors[slot];
      this.#context.authorTicks[slot] = author === null ? -1 : author.tick;
      if (author === null) continue;
      writeAuthorHead(w, slot as Slot, author.tick, author.avatar !== null);
      const before = w.bits;
      if (author.avatar !== null) writeAvatar(w, author.avatar, this.#count);
      avatarBits += w.bits - before;
    }
    return avatarBits;
  }

  #writeUpdates(packet: number, source: OutboxSource, contents: BodyId[]): void {
    const ranked = this.#priorities.ranked();
    const w = this.#writer;
    for (let i = 0, misses = 0; i < ranked.length && misses < FULL_AFTER; i++) {
      const body = ranked[i] as BodyId;
      if (!source.describe(body, this.#update)) continue;
      this.#clampAge();
      const before = w.bits;
      w.writeFlag(true);
      const age = packet - this.#lastAcked[body];
      const known = this.#lastAcked[body] >= 0 && age <= MAX_BASELINE_AGE;
      const baseline = known && this.#sent.get(packet - age, body, this.#baseline) ? this.#baseline : null;
      writeUpdate(w, this.#context, this.#update, baseline, age);
      if (w.bits > PACKET_BITS) {
        w.rewind(before);
        misses++;
        continue;
      }
      this.#priorities.sent(body);
      this.#sent.put(packet, this.#update);
      if (this.#saidSince[body] < 0 || !sameUpdate(this.#said[body], this.#update)) {
        this.#saidSince[body] = packet;
        copyUpdate(this.#update, this.#said[body]);
      }
      this.#disputed[body] = 0;
      contents.push(body);
    }
  }

  /** A relayed state that is older than can be said counts as that old, on both sides. */
  #clampAge(): void {
    const author = authorOf(this.#update.claim, this.#context.speaker);
    const oldest = this.#context.authorTicks[author] - MAX_STATE_AGE;
    if (this.#update.kind !== 'record' && this.#update.tick < oldest) this.#update.tick = oldest;
  }
}
