import type { BodyId, ConnectionId, Slot } from '../base/ids.ts';
import { MAX_BASELINE_AGE, MAX_PACKET_BYTES, MAX_PLAYERS } from '../base/constants.ts';
import type { AvatarSample } from './avatar/avatar.ts';
import { avatarSample } from './avatar/avatar.ts';
import { codeAvatar } from './avatar/avatar-coder.ts';
import { unwrap } from '../base/sequence.ts';
import { BaselineStore } from './bodies/baselines.ts';
import {
  ACK_BIT,
  ALL_ARRIVED,
  AUTHOR,
  AUTHOR_TICK,
  HAS_ACKS,
  HAS_AVATAR,
  HEADER_NUMBER,
} from './coder/contexts.ts';
import type { BallisticCache } from './bodies/flights.ts';
import type { Coder } from './coder/range-coder.ts';
import { RangeReader } from './coder/range-coder.ts';
import type { BodyUpdate, UpdateContext } from './bodies/update.ts';
import { bodyUpdate, codeBaseline, codeBaselineAge, codeUpdate, updateContext } from './bodies/update.ts';
import type { Updates } from './bodies/updates.ts';
import { codeUpdates } from './bodies/updates.ts';

/** What stands before everything else in a packet. STANDARD.md has it bit by bit. */
export type PacketHeader = {
  /** The number of the connection [H6]. */
  connection: ConnectionId;
  /** The host's term [H8], wrapping at 16 bits. */
  term: number;
  /** Counts the resets of the scene, wrapping at 16 bits. */
  reset: number;
  /** The packet's number, low 16 bits on the wire. */
  sequence: number;
  /** The newest packet that the sender has received, low 16 bits; -1: none yet. */
  ack: number;
  /** Bit i: it has received `ack` - 1 - i too. */
  ackBits: number;
};

export function packetHeader(): PacketHeader {
  return { connection: 0 as ConnectionId, term: 0, reset: 0, sequence: 0, ack: -1, ackBits: 0 };
}

/** The blocks of the header's numbers. */
const CONNECTION_BLOCK = 0;
const TERM_BLOCK = 1;
const RESET_BLOCK = 2;
const BASE_BLOCK = 3;

/** Codes a header; a reader fills it. */
export function codeHeader(c: Coder, header: PacketHeader): void {
  header.connection = codeSmall(c, CONNECTION_BLOCK, header.connection) as ConnectionId;
  header.term = codeSmall(c, TERM_BLOCK, header.term);
  header.reset = codeSmall(c, RESET_BLOCK, header.reset);
  header.sequence = c.bits(header.sequence & 0xffff, 16);
  if (c.bit(HAS_ACKS, header.ack >= 0 ? 1 : 0) === 0) {
    header.ack = -1;
    header.ackBits = 0;
    return;
  }
  header.ack = c.bits(header.ack & 0xffff, 16);
  header.ackBits = codeAckBits(c, header.ackBits);
}

/** In groups of eight: mostly all have arrived. */
function codeAckBits(c: Coder, ackBits: number): number {
  let bits = 0;
  let all = 1;
  for (let at = 0; at < 32; at += 8) {
    const group = (ackBits >>> at) & 0xff;
    all = c.bit(ALL_ARRIVED + all, group === 0xff ? 1 : 0);
    bits |= (all === 1 ? 0xff : codeGroup(c, group)) << at;
  }
  return bits >>> 0;
}

function codeGroup(c: Coder, group: number): number {
  let bits = 0;
  for (let i = 0, before = 3; i < 8; i++) {
    const bit = c.bit(ACK_BIT + before, (group >>> i) & 1);
    before = ((before << 1) | bit) & 3;
    bits |= bit << i;
  }
  if (bits === 0xff) c.fail();
  return bits;
}

/** 16 bits of a number that mostly is small. */
function codeSmall(c: Coder, block: number, value: number): number {
  const read = c.number(HEADER_NUMBER, block, 1, value & 0xffff);
  if (read < 0 || read > 0xffff) c.fail();
  return read & 0xffff;
}

/** A player in a packet's table: its newest tick, and its avatar if there is news of it. */
export type AuthorEntry = {
  slot: Slot;
  tick: number;
  hasAvatar: boolean;
  /** By how many packets the avatar's baseline is older; 0 for none. */
  baselineAge: number;
  readonly avatar: AvatarSample;
};

/** What both ends know of a slot before they code it. */
export type AuthorContext = {
  speaker: Slot;
  /** By how many packets the base is older; 0: none. */
  baseAge: number;
  /** The low 16 bits of the author's tick in the base, or -1. */
  baseTick: number;
};

export function authorContext(): AuthorContext {
  return { speaker: 0 as Slot, baseAge: 0, baseTick: -1 };
}

/** Codes by how many packets the base is older: a packet that the receiver is known to have; 0 for none. */
export function codeBase(c: Coder, age: number): number {
  const read = c.number(HEADER_NUMBER, BASE_BLOCK, 1, age);
  if (read < 0 || read > MAX_BASELINE_AGE) c.fail();
  return c.failed ? 0 : read;
}

/** Codes whether a slot is in the table of authors. */
export function codePresent(c: Coder, slot: Slot, known: AuthorContext, present: boolean): boolean {
  const context = AUTHOR + (known.baseTick >= 0 ? 2 : 0) + (slot === known.speaker ? 1 : 0);
  return c.bit(context, present ? 1 : 0) === 1;
}

/** Codes the low 16 bits of an author's tick, and whether its avatar follows. */
export function codeAuthor(
  c: Coder,
  known: AuthorContext,
  author: { tick: number; hasAvatar: boolean },
): void {
  if (known.baseTick < 0) author.tick = c.bits(author.tick & 0xffff, 16);
  else {
    const expected = known.baseTick + known.baseAge;
    const step = c.number(AUTHOR_TICK, 0, 0, ((author.tick - expected + 0x8000) & 0xffff) - 0x8000);
    if (step < -0x8000 || step > 0x7fff) c.fail();
    author.tick = (expected + step) & 0xffff;
  }
  author.hasAvatar = c.bit(HAS_AVATAR, author.hasAvatar ? 1 : 0) === 1;
}

/** Why bytes are not a packet. Each is counted; none throws. */
export type Malformed = 'too long' | 'truncated or out of range' | 'trailing bits' | 'unknown baseline';

const NO_BASELINES = new BaselineStore(0);

/** Everything a packet says. Reused: valid until the next packet is read. */
export class PacketReader {
  readonly header = packetHeader();
  readonly authors: readonly AuthorEntry[] = Array.from({ length: MAX_PLAYERS }, authorEntry);
  authorCount = 0;
  /** Grows to what packets hold, and stays. */
  readonly updates: BodyUpdate[] = [];
  updateCount = 0;
  /** By how many packets the base is older, and each update's baseline; 0 for none. */
  baseAge = 0;
  readonly baselineAges: number[] = [];
  readonly #reader = new RangeReader();
  readonly #context: UpdateContext;
  readonly #known = authorContext();
  readonly #baseline = bodyUpdate();
  readonly #avatarBaseline = avatarSample();
  readonly #noneIsPicked: Uint8Array;
  /** Of the packet that is read: its number, and true once it named a baseline that is not there. */
  #packet = 0;
  #lacksBaseline = false;
  readonly #coding: Updates = {
    /** Empty but while a packet is read: it would keep a link's store for longer than the link. */
    baselines: NO_BASELINES,
    base: -1,
    code: (body, kindInBase) => this.#readUpdate(body, kindInBase),
  };

  /**
   * @param count bodies in the world.
   * @param flights of all that the peer writes and reads.
   */
  constructor(count: number, flights: BallisticCache) {
    this.#context = updateContext(count, new Int32Array(MAX_PLAYERS), flights);
    this.#noneIsPicked = new Uint8Array(count);
  }

  /** Reads the header alone, which says whether the rest is worth reading. */
  readHead(bytes: Uint8Array): Malformed | null {
    if (bytes.length > MAX_PACKET_BYTES) return 'too long';
    this.#reader.start(bytes);
    codeHeader(this.#reader, this.header);
    return this.#reader.failed ? 'truncated or out of range' : null;
  }

  /**
   * Reads what follows the header, all or nothing.
   * @param speaker who sent the packet.
   * @param packet the packet's number without wrapping.
   * @param baselines what this peer has received from the speaker.
   * @param newestTicks for each slot its newest tick known here, or -1; ticks are read relative to them.
   */
  readBody(
    speaker: Slot,
    packet: number,
    baselines: BaselineStore,
    newestTicks: Int32Array,
  ): Malformed | null {
    this.#context.speaker = speaker;
    return this.#readAuthors(packet, baselines, newestTicks) ?? this.#readUpdates(packet, baselines);
  }

  /** Keeps what was read as baselines of packets to come; only once it is going to be acked [W4]. */
  keep(packet: number, baselines: BaselineStore): void {
    baselines.keep(packet);
    for (let i = 0; i < this.authorCount; i++) {
      const { slot, tick, hasAvatar, avatar } = this.authors[i];
      baselines.putAuthor(packet, slot, tick, hasAvatar ? avatar : null);
    }
    for (let i = 0; i < this.updateCount; i++) baselines.put(packet, this.updates[i]);
  }

  #readAuthors(packet: number, baselines: BaselineStore, newestTicks: Int32Array): Malformed | null {
    const r = this.#reader;
    const { speaker, authorTicks } = this.#context;
    authorTicks.fill(-1);
    this.authorCount = 0;
    this.baseAge = codeBase(r, 0);
    const known = this.#known;
    known.speaker = speaker;
    known.baseAge = this.baseAge;
    for (let i = 0; i < MAX_PLAYERS; i++) {
      const slot = i as Slot;
      const { baseAge } = this;
      known.baseTick = baseAge === 0 ? -1 : baselines.tickIn(packet - baseAge, slot);
      if (!codePresent(r, slot, known, false)) continue;
      const entry = this.authors[this.authorCount++];
      entry.slot = slot;
      codeAuthor(r, known, entry);
      entry.tick = unwrapTick(entry.tick, newestTicks[slot]);
      authorTicks[slot] = entry.tick;
      if (entry.hasAvatar && !this.#readAvatar(packet, baselines, entry)) return 'unknown baseline';
      if (r.failed) return 'truncated or out of range';
    }
    return null;
  }

  /** False if its baseline is not known. */
  #readAvatar(packet: number, baselines: BaselineStore, entry: AuthorEntry): boolean {
    const r = this.#reader;
    const { baseAge } = this;
    const inBase = baseAge > 0 && baselines.hasAvatar(packet - baseAge, entry.slot);
    const age = codeBaselineAge(r, 'avatar', baseAge, inBase, 0);
    entry.baselineAge = age;
    const known = age > 0 && baselines.getAvatar(packet - age, entry.slot, this.#avatarBaseline);
    if (age > 0 && !known) return false;
    codeAvatar(r, this.#context.count, entry.avatar, known ? this.#avatarBaseline : null);
    return true;
  }

  #readUpdates(packet: number, baselines: BaselineStore): Malformed | null {
    this.updateCount = 0;
    this.#packet = packet;
    this.#coding.base = this.baseAge === 0 ? -1 : packet - this.baseAge;
    this.#coding.baselines = baselines;
    this.#lacksBaseline = false;
    codeUpdates(this.#reader, this.#context, this.baseAge, this.#noneIsPicked, this.#coding);
    this.#coding.baselines = NO_BASELINES;
    if (this.#lacksBaseline) return 'unknown baseline';
    if (this.#reader.failed) return 'truncated or out of range';
    return this.#reader.atEnd() ? null : 'trailing bits';
  }

  #readUpdate(body: BodyId, kindInBase: number): void {
    const r = this.#reader;
    if (this.updateCount === this.updates.length) this.updates.push(bodyUpdate());
    const update = this.updates[this.updateCount];
    update.body = body;
    const age = codeBaseline(r, this.#context, kindInBase, 0, update, null);
    if (r.failed) return;
    const known = age > 0 && this.#coding.baselines.get(this.#packet - age, body, this.#baseline);
    if (age > 0 && !known) {
      this.#lacksBaseline = true;
      r.fail();
      return;
    }
    codeUpdate(r, this.#context, update, known ? this.#baseline : null);
    this.baselineAges[this.updateCount++] = age;
  }
}

/** Half a year: nobody plays so long, and every number made from a tick fits 32 bits. */
const MAX_TICK = 2 ** 30;

/**
 * The tick nearest to the newest known, or the first. What another player has done to its ticks must not make
 * the host's packets unreadable: any 16 bits are some tick from 0 to MAX_TICK.
 */
function unwrapTick(low: number, newest: number): number {
  const tick = newest < 0 ? low : unwrap(low, newest);
  if (tick < 0) return tick + 0x10000;
  return tick > MAX_TICK ? low : tick;
}

function authorEntry(): AuthorEntry {
  return { slot: 0 as Slot, tick: 0, hasAvatar: false, baselineAge: 0, avatar: avatarSample() };
}
