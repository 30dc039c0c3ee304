import type { BodyId, Slot } from '../../base/ids.ts';
import { MAX_BASELINE_AGE, MAX_PACKET_BYTES, MAX_PLAYERS, SENT_PACKETS } from '../../base/constants.ts';
import { PriorityAccumulator } from '../../link/priority.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { avatarSample } from '../../wire/avatar/avatar.ts';
import { codeAvatar } from '../../wire/avatar/avatar-coder.ts';
import { BaselineStore } from '../../wire/bodies/baselines.ts';
import type { BallisticCache } from '../../wire/bodies/flights.ts';
import type { PacketHeader } from '../../wire/packet.ts';
import { knownAuthor, codeAuthor, codeBase, codeHeader, codePresent } from '../../wire/packet.ts';
import { RangeWriter } from '../../wire/coder/range-coder.ts';
import type { BodyUpdate, UpdateCoderState } from '../../wire/bodies/update.ts';
import {
  authorOf,
  bodyUpdate,
  codeBaseline,
  codeBaselineAge,
  codeUpdate,
  isBaselineAge,
  MAX_STATE_AGE,
  updateCoderState,
} from '../../wire/bodies/update.ts';
import type { UpdateCoder } from '../../wire/bodies/updates.ts';
import { codeUpdates } from '../../wire/bodies/updates.ts';
import type { Need } from './said.ts';
import { Said } from './said.ts';
import { SizeEstimate } from './size-estimate.ts';

/** Bytes of the writer beyond a packet's, so that one that is too long is known to be, and told by how much. */
const SPARE_BYTES = 4 * MAX_PACKET_BYTES;
/** Bits for the end. */
const END_BITS = 40;
/** Updates in a row that are expected not to fit, after which the packet counts as full. */
const FULL_AFTER = 3;

/** One author in the packet to be written: its newest tick, and its avatar if there is news of it. */
export type AuthorNews = { tick: number; avatar: AvatarSample | null };

/** Where an outbox gets what it sends. */
export type OutboxSource = {
  /**
   * For each body a number that is another once what there is to say of it, or whether it insists, has changed. Where
   * it is while it moves need not count.
   */
  readonly changes: Int32Array;
  /** Fills `out` with what there is to say of a body; false if nothing. */
  describe(body: BodyId, out: BodyUpdate): boolean;
  /** True if it must be said although the receiver has acked it already. */
  insists(body: BodyId): boolean;
  /** What a body's priority grows by in this tick; 0 if it can wait. */
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
  readonly #writer = new RangeWriter(MAX_PACKET_BYTES + SPARE_BYTES);
  readonly #context: UpdateCoderState;
  /** For each body the newest packet on it that was acked, or -1. */
  readonly #lastAcked: Int32Array;
  readonly #said: Said;
  /** For each body the source's number of changes at which the receiver had it right, and nothing was to be said; or -1. */
  readonly #settled: Int32Array;
  /** For each body 1 if the receiver spoke against what we say of it. */
  readonly #disputed: Uint8Array;
  /** The bodies in each of the recent packets, until it is acked. */
  readonly #contents: readonly BodyId[][];
  /** How many of each count; the lists only grow, since an emptied list would be garbage. */
  readonly #contentCounts = new Int32Array(SENT_PACKETS);
  readonly #contentsOf = new Int32Array(SENT_PACKETS).fill(-1);
  /** The newest packet that was acked, or -1: the base of the next. */
  #newestAcked = -1;
  readonly #guess: SizeEstimate;
  /** For each body 1 if it goes into the packet that is written. */
  readonly #picked: Uint8Array;
  /** For each slot the newest packet with its avatar that was acked, or -1. */
  readonly #avatarAcked = new Int32Array(MAX_PLAYERS).fill(-1);
  readonly #known = knownAuthor();
  /** Of the packet that is written: its number, and where it gets what it says. */
  #packet = 0;
  #source: OutboxSource = NOTHING_TO_SAY;
  readonly #author = { tick: 0, hasAvatar: false };
  readonly #coding: UpdateCoder;
  readonly #update = bodyUpdate();
  readonly #baseline = bodyUpdate();
  readonly #avatarBaseline = avatarSample();

  /**
   * @param count bodies in the world.
   * @param flights of all that the peer writes and reads.
   */
  constructor(count: number, flights: BallisticCache) {
    this.#count = count;
    this.#sent = new BaselineStore(count);
    this.#coding = {
      baselines: this.#sent,
      base: -1,
      code: (body, kindInBase) => this.#code(body, kindInBase),
    };
    this.#priorities = new PriorityAccumulator(count);
    this.#context = updateCoderState(count, new Int32Array(MAX_PLAYERS), flights);
    this.#guess = new SizeEstimate(count);
    this.#picked = new Uint8Array(count);
    this.#said = new Said(count);
    this.#lastAcked = new Int32Array(count).fill(-1);
    this.#settled = new Int32Array(count).fill(-1);
    this.#disputed = new Uint8Array(count);
    this.#contents = Array.from({ length: SENT_PACKETS }, () => []);
  }

  /** The receiver is known to have nothing any more. */
  reset(): void {
    this.#sent.clear();
    this.#priorities.clear();
    this.#said.clear();
    this.#lastAcked.fill(-1);
    this.#settled.fill(-1);
    this.#disputed.fill(0);
    this.#contentsOf.fill(-1);
    this.#newestAcked = -1;
    this.#avatarAcked.fill(-1);
  }

  /** The receiver spoke against what we say of a body: it is said again. */
  dispute(body: BodyId): void {
    this.#disputed[body] = 1;
    this.#settled[body] = -1;
  }

  /** The receiver has a packet. */
  acked(packet: number): void {
    const place = packet % SENT_PACKETS;
    if (this.#contentsOf[place] !== packet) return;
    for (let i = 0; i < this.#contentCounts[place]; i++) {
      const body = this.#contents[place][i];
      this.#lastAcked[body] = Math.max(this.#lastAcked[body], packet);
    }
    this.#contentsOf[place] = -1;
    this.#newestAcked = Math.max(this.#newestAcked, packet);
    for (let slot = 0; slot < MAX_PLAYERS; slot++)
      if (this.#sent.hasAvatar(packet, slot as Slot))
        this.#avatarAcked[slot] = Math.max(this.#avatarAcked[slot], packet);
  }

  /**
   * Raises the priorities by one tick. Bodies that have been right, and are as they were, cost nearly nothing.
   * @returns true if something is to be said in this tick [W8].
   */
  raise(source: OutboxSource): boolean {
    const { changes } = source;
    let isUrgent = false;
    this.#said.nextTick();
    for (let i = 0; i < this.#count; i++) {
      if (this.#settled[i] === changes[i]) continue;
      const body = i as BodyId;
      const need = this.#needOf(body, source, changes[i]);
      if (need === 'none') {
        this.#priorities.sent(body);
        this.#settled[i] = changes[i];
      } else if (need !== 'later') {
        const urgency = source.urgency(body);
        this.#priorities.raise(body, need === 'now' ? Math.max(1, urgency) : urgency);
        // What was not said yet is urgent still, though nothing has come to it in this tick.
        if (this.#priorities.has(body)) isUrgent = true;
      }
    }
    return isUrgent;
  }

  #needOf(body: BodyId, source: OutboxSource, change: number): Need {
    const isCurrent = this.#said.isCurrent(body, change);
    if (!isCurrent && !source.describe(body, this.#update)) return 'none';
    if (this.#disputed[body] === 1 || source.insists(body)) return 'now';
    return this.#said.needOf(body, isCurrent ? null : this.#update, this.#lastAcked[body]);
  }

  /**
   * Writes the next packet; the bytes are valid until the next call.
   * @param packet its number without wrapping.
   * @param authors for each slot what there is of it, or null.
   * @param most bytes; bodies are left out to keep to it, but players are not.
   */
  write(
    header: PacketHeader,
    packet: number,
    speaker: Slot,
    authors: readonly (AuthorNews | null)[],
    source: OutboxSource,
    most = MAX_PACKET_BYTES,
  ): Uint8Array {
    this.#context.sender = speaker;
    const place = packet % SENT_PACKETS;
    const contents = this.#contents[place];
    this.#contentCounts[place] = 0;
    this.#contentsOf[place] = packet;
    let bytes = this.#tryWrite(header, packet, authors, source, most);
    // How long updates will be is a guess: with what was learned, and less room, fewer are picked.
    for (let room = 0.9; bytes.length > most && this.#contentCounts[place] > 0; room -= 0.2) {
      for (let i = 0; i < this.#contentCounts[place]; i++) {
        this.#sent.remove(packet, contents[i]);
        this.#said.takeBack(contents[i]);
      }
      this.#contentCounts[place] = 0;
      bytes = this.#tryWrite(header, packet, authors, source, most * Math.max(0, room));
    }
    for (let i = 0; i < this.#contentCounts[place]; i++) {
      this.#priorities.sent(contents[i]);
      this.#disputed[contents[i]] = 0;
    }
    this.bits.headers = bytes.length * 8 - this.bits.bodies - this.bits.avatars;
    return bytes;
  }

  /** @param most bytes that the packet is to take. */
  #tryWrite(
    header: PacketHeader,
    packet: number,
    authors: readonly (AuthorNews | null)[],
    source: OutboxSource,
    most: number,
  ): Uint8Array {
    const w = this.#writer;
    w.clear();
    codeHeader(w, header);
    const age = packet - this.#newestAcked;
    const baseAge = codeBase(w, this.#newestAcked >= 0 && age <= MAX_BASELINE_AGE ? age : 0);
    this.bits.avatars = this.#writeAuthors(packet, baseAge, authors);
    const any = this.#pick(packet, most * 8 - w.written - END_BITS);
    const headed = w.written;
    this.#packet = packet;
    this.#coding.base = baseAge === 0 ? -1 : packet - baseAge;
    this.#source = source;
    codeUpdates(w, this.#context, baseAge, this.#picked, this.#coding);
    this.bits.bodies = any ? w.written - headed : 0;
    if (any) this.#guess.end(this.bits.bodies);
    return w.finish();
  }

  /** Returns the bits of the avatars among them. */
  #writeAuthors(packet: number, baseAge: number, authors: readonly (AuthorNews | null)[]): number {
    const w = this.#writer;
    const { sender: speaker, authorTicks } = this.#context;
    const known = this.#known;
    known.sender = speaker;
    known.baseAge = baseAge;
    let avatarBits = 0;
    for (let i = 0; i < MAX_PLAYERS; i++) {
      const slot = i as Slot;
      const author = authors[slot];
      authorTicks[slot] = author === null ? -1 : author.tick;
      known.baseTick = baseAge === 0 ? -1 : this.#sent.tickIn(packet - baseAge, slot);
      if (!codePresent(w, slot, known, author !== null) || author === null) continue;
      this.#author.tick = author.tick;
      this.#author.hasAvatar = author.avatar !== null;
      codeAuthor(w, known, this.#author);
      const before = w.written;
      if (author.avatar !== null) this.#writeAvatar(packet, baseAge, slot, author.avatar);
      avatarBits += w.written - before;
      this.#sent.putAuthor(packet, slot, author.tick, author.avatar);
    }
    return avatarBits;
  }

  #writeAvatar(packet: number, baseAge: number, slot: Slot, avatar: AvatarSample): void {
    const inBase = baseAge > 0 && this.#sent.hasAvatar(packet - baseAge, slot);
    const acked = this.#avatarAcked[slot];
    const age = acked >= 0 && packet - acked <= MAX_BASELINE_AGE ? packet - acked : 0;
    const known = age > 0 && this.#sent.getAvatar(packet - age, slot, this.#avatarBaseline);
    codeBaselineAge(this.#writer, 'avatar', baseAge, inBase, known ? age : 0);
    codeAvatar(this.#writer, this.#count, avatar, known ? this.#avatarBaseline : null);
  }

  /** [W5] Marks the bodies that go in, the most urgent first; false if there are none. */
  #pick(packet: number, room: number): boolean {
    const priorities = this.#priorities;
    let any = false;
    this.#picked.fill(0);
    priorities.rank();
    this.#guess.begin(room);
    for (
      let body = priorities.next(), misses = 0;
      body >= 0 && misses < FULL_AFTER;
      body = priorities.next()
    ) {
      if (this.#guess.add(body, this.#baselineAge(packet, body as BodyId) > 0)) {
        this.#picked[body] = 1;
        any = true;
      } else misses++;
    }
    return any;
  }

  /** By how many packets the newest state is older that the receiver is known to have of a body; 0: none of use. */
  #baselineAge(packet: number, body: BodyId): number {
    const acked = this.#lastAcked[body];
    return acked >= 0 && isBaselineAge(packet - acked) ? packet - acked : 0;
  }

  #code(body: BodyId, kindInBase: number): void {
    const before = this.#writer.parts;
    const hasBaseline = this.#writeUpdate(body, kindInBase);
    this.#guess.took(body, hasBaseline, this.#writer.parts - before);
  }

  /** True if there was a baseline for it. */
  #writeUpdate(body: BodyId, kindInBase: number): boolean {
    const packet = this.#packet;
    this.#source.describe(body, this.#update);
    this.#clampAge();
    const age = this.#baselineAge(packet, body);
    const known = age > 0 && this.#sent.get(packet - age, body, this.#baseline);
    const baseline = known ? this.#baseline : null;
    codeBaseline(this.#writer, this.#context, kindInBase, known ? age : 0, this.#update, baseline);
    codeUpdate(this.#writer, this.#context, this.#update, baseline);
    this.#sent.put(packet, this.#update);
    this.#said.note(packet, this.#update, this.#source.changes[body]);
    const place = packet % SENT_PACKETS;
    this.#contents[place][this.#contentCounts[place]++] = body;
    return known;
  }

  /** A relayed state that is older than can be said counts as that old, on both sides. */
  #clampAge(): void {
    const author = authorOf(this.#update.claim, this.#context.sender);
    const oldest = this.#context.authorTicks[author] - MAX_STATE_AGE;
    if (this.#update.kind !== 'record' && this.#update.tick < oldest) this.#update.tick = oldest;
  }
}

const NOTHING_TO_SAY: OutboxSource = {
  changes: new Int32Array(0),
  describe: () => false,
  insists: () => false,
  urgency: () => 0,
};
