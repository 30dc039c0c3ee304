import { BodySet } from '../base/body-set.ts';
import type { BodyId, ConnectionId, Slot } from '../base/ids.ts';
import {
  FIRST_SLOTS,
  MAX_BASELINE_AGE,
  MAX_PACKET_BYTES,
  MAX_PLAYERS,
  ticksAPacket,
} from '../base/constants.ts';
import type { AvatarSample } from './avatar/avatar.ts';
import { avatarSample } from './avatar/avatar.ts';
import { codeAvatar } from './avatar/avatar-coder.ts';
import { codeShift } from './shift.ts';
import { unwrap } from '../base/sequence.ts';
import { BaselineStore } from './bodies/baselines.ts';
import {
  ACK_BIT,
  ALL_ARRIVED,
  IN_AUTHOR_TABLE,
  AUTHOR_TICK,
  AVATARLESS,
  HAS_ACKS,
  HAS_AVATAR,
  HAS_AVATAR_NOW,
  HEADER_NUMBER,
  WIDE_TABLE,
} from './coder/contexts.ts';
import type { BallisticCache } from './bodies/flights.ts';
import type { Coder } from './coder/range-coder.ts';
import { RangeReader } from './coder/range-reader.ts';
import type { BodyUpdate, UpdateCoderState } from './bodies/update.ts';
import { bodyUpdate, codeBaseline, codeBaselineAge, codeUpdate, updateCoderState } from './bodies/update.ts';
import type { SharedLayout } from '../shared/layout.ts';
import { codeShared, SharedPart } from './shared/shared-part.ts';
import type { UpdateCoder } from './bodies/updates.ts';
import { codeUpdates } from './bodies/updates.ts';

/** The header of a packet. STANDARD.md gives it bit by bit. */
export type PacketHeader = {
  /** The number of the connection [H6]. */
  connection: ConnectionId;
  /** The host's term [H8], wrapping at 16 bits. */
  term: number;
  /** The count of the level's resets, wrapping at 16 bits. */
  reset: number;
  /** The packet's number; the wire has its low 16 bits, and so has a header that was read. */
  sequence: number;
  /** The newest packet that the sender has received, low 16 bits; -1 if none. */
  ack: number;
  /** Bit i is set if the sender has received packet `ack` - 1 - i too. */
  ackBits: number;
};

/** A header with zeros, and no ack. */
export function packetHeader(): PacketHeader {
  return { connection: 0 as ConnectionId, term: 0, reset: 0, sequence: 0, ack: -1, ackBits: 0 };
}

/** The header's blocks of HEADER_NUMBER. */
const CONNECTION_BLOCK = 0;
const TERM_BLOCK = 1;
const RESET_BLOCK = 2;
const BASE_BLOCK = 3;

/** Codes a header. A reader fills it; it checks `failed` afterwards. */
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
  codeAckBits(c, header);
}

/** Codes 32 ack bits in groups of eight, with a flag for a group that has all arrived, as mostly. */
function codeAckBits(c: Coder, header: PacketHeader): void {
  let bits = 0;
  let all = 1;
  for (let at = 0; at < 32; at += 8) {
    const group = (header.ackBits >>> at) & 0xff;
    all = c.bit(ALL_ARRIVED + all, group === 0xff ? 1 : 0);
    bits |= (all === 1 ? 0xff : codeGroup(c, group)) << at;
  }
  // It is not returned, since the engine allocates a returned number of 32 bits.
  header.ackBits = bits >>> 0;
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

/** Codes the low 16 bits of a number that is mostly small. */
function codeSmall(c: Coder, block: number, value: number): number {
  const read = c.number(HEADER_NUMBER, block, 1, value & 0xffff);
  if (read < 0 || read > 0xffff) c.fail();
  return read & 0xffff;
}

/** A player in a packet's table of authors: its newest tick, and its avatar if the packet has it. Reused. */
export type AuthorEntry = {
  slot: Slot;
  /** Unwrapped, 0 to MAX_TICK. */
  tick: number;
  /** [K2.1] The shift of the room's time, in steps: 32 bits with a sign; 0 without driven bodies. */
  shift: number;
  hasAvatar: boolean;
  /** [T1.4] True if the player has no avatar at all; `hasAvatar` is false then. */
  isAvatarless: boolean;
  /** Packets by which the avatar's baseline is older; 0 for none. */
  baselineAge: number;
  /** Without meaning unless `hasAvatar`. */
  readonly avatar: AvatarSample;
};

/** The facts that writer and reader know of a slot before they code its author. */
export type KnownAuthor = {
  sender: Slot;
  /** Packets by which the base is older; 0 for no base. */
  baseAge: number;
  /** The low 16 bits of the author's tick in the base; -1 if it is not in the base's table. */
  baseTick: number;
  /** True if the base says that the author has no avatar at all. */
  wasAvatarless: boolean;
  /** [K2.1] The author's shift in the base; without meaning if it is not in the base's table. */
  baseShift: number;
  /** Ticks between two packets at the full rate. */
  readonly ticksAPacket: number;
  /** [K2.1] True if the table has shifts: the level has driven bodies. */
  readonly hasTime: boolean;
};

/** A new KnownAuthor: nothing known. @param rate ticks a second. @param hasTime see KnownAuthor. */
export function knownAuthor(rate: number, hasTime = false): KnownAuthor {
  return {
    sender: 0 as Slot,
    baseAge: 0,
    baseTick: -1,
    wasAvatarless: false,
    baseShift: 0,
    hasTime,
    ticksAPacket: ticksAPacket(rate),
  };
}

/**
 * Codes by how many packets the base is older, 0 to MAX_BASELINE_AGE; 0 for no base. The sender knows by an ack that
 * the receiver has the base. Returns the age; 0 if a reader finds the packet invalid.
 */
export function codeBase(c: Coder, age: number): number {
  const read = c.number(HEADER_NUMBER, BASE_BLOCK, 1, age);
  if (read < 0 || read > MAX_BASELINE_AGE) c.fail();
  return c.failed ? 0 : read;
}

/** Codes how many slots, from 0 on, the table of authors may have: FIRST_SLOTS or MAX_PLAYERS; returns it. */
export function codeTableSize(c: Coder, sender: Slot, isWide: boolean): number {
  return c.bit(WIDE_TABLE + (sender < FIRST_SLOTS ? 0 : 1), isWide ? 1 : 0) === 1 ? MAX_PLAYERS : FIRST_SLOTS;
}

/** Fills what is known of a slot by the base. */
export function knowAuthor(known: KnownAuthor, slot: Slot, packet: number, baselines: BaselineStore): void {
  const base = packet - known.baseAge;
  known.baseTick = known.baseAge === 0 ? -1 : baselines.tickIn(base, slot);
  known.wasAvatarless = known.baseAge > 0 && baselines.isAvatarless(base, slot);
  known.baseShift = baselines.shiftIn(base, slot);
}

/** Codes whether a slot is in the table of authors; returns it. */
export function codePresent(c: Coder, slot: Slot, known: KnownAuthor, present: boolean): boolean {
  const context = IN_AUTHOR_TABLE + (known.baseTick >= 0 ? 2 : 0) + (slot === known.sender ? 1 : 0);
  return c.bit(context, present ? 1 : 0) === 1;
}

/** Codes the low 16 bits of an author's tick, and whether its avatar follows, or is never to come. A reader fills it. */
export function codeAuthor(
  c: Coder,
  known: KnownAuthor,
  author: Pick<AuthorEntry, 'tick' | 'shift' | 'hasAvatar' | 'isAvatarless'>,
): void {
  if (known.baseTick < 0) author.tick = c.bits(author.tick & 0xffff, 16);
  else {
    const expected = known.baseTick + known.baseAge * known.ticksAPacket;
    const step = c.number(AUTHOR_TICK, 0, 0, ((author.tick - expected + 0x8000) & 0xffff) - 0x8000);
    if (step < -0x8000 || step > 0x7fff) c.fail();
    author.tick = (expected + step) & 0xffff;
  }
  if (known.hasTime) author.shift = codeShift(c, known.baseTick >= 0 ? known.baseShift : null, author.shift);
  const context = known.wasAvatarless ? HAS_AVATAR_NOW : HAS_AVATAR;
  author.hasAvatar = c.bit(context, author.hasAvatar ? 1 : 0) === 1;
  const isAvatarless = !author.hasAvatar && author.isAvatarless;
  author.isAvatarless =
    !author.hasAvatar && c.bit(AVATARLESS + (known.wasAvatarless ? 1 : 0), isAvatarless ? 1 : 0) === 1;
}

/** Why bytes are not a valid packet. The peer counts each reason; none throws [W6]. */
export type Malformed = 'too long' | 'truncated or out of range' | 'trailing bits' | 'unknown baseline';

const NO_BASELINES = new BaselineStore(0);

/**
 * Reads packets. The result stays in the reader, valid until the next packet is read. In the steady state it allocates
 * nothing but a name. It never throws.
 */
export class PacketReader {
  readonly header = packetHeader();
  /** The table of authors, by slot; the first `authorCount` entries are valid. */
  readonly authors: readonly AuthorEntry[] = Array.from({ length: MAX_PLAYERS }, authorEntry);
  authorCount = 0;
  /** The updates, by body; the first `updateCount` are valid. It grows to the most that a packet had. */
  readonly updates: BodyUpdate[] = [];
  updateCount = 0;
  /** Packets by which the base is older; 0 for no base. */
  baseAge = 0;
  /** Shared state and events; null without a schema. */
  readonly shared: SharedPart | null;
  /** For each update, packets by which its baseline is older; 0 for none. */
  readonly baselineAges: number[] = [];
  readonly #reader = new RangeReader();
  readonly #context: UpdateCoderState;
  readonly #known: KnownAuthor;
  readonly #baseline = bodyUpdate();
  readonly #avatarBaseline = avatarSample();
  readonly #nonePicked: BodySet;
  /** The number of the packet that is read. */
  #packet = 0;
  /** True once that packet has named a baseline that is not in the store. */
  #isBaselineMissing = false;
  readonly #updateCoder: UpdateCoder = {
    /**
     * A link's store only while a packet is read, so that the reader does not keep the store of a link that has gone.
     */
    baselines: NO_BASELINES,
    base: -1,
    code: (body, kindInBase) => this.#readUpdate(body, kindInBase),
  };

  /**
   * @param count bodies in the world.
   * @param flights the cache that all packets of the peer share.
   * @param layout of shared state; omitted without a schema.
   */
  constructor(count: number, flights: BallisticCache, layout?: SharedLayout) {
    this.shared = layout === undefined ? null : new SharedPart(layout);
    this.#known = knownAuthor(flights.laws.rate, flights.laws.hasTime);
    this.#context = updateCoderState(count, new Int32Array(MAX_PLAYERS), flights);
    this.#nonePicked = new BodySet(count);
  }

  /** Reads only the header, which shows whether the rest is worth reading. Returns null if it is valid. */
  readHead(bytes: Uint8Array): Malformed | null {
    if (bytes.length > MAX_PACKET_BYTES) return 'too long';
    this.#reader.start(bytes);
    codeHeader(this.#reader, this.header);
    return this.#reader.failed ? 'truncated or out of range' : null;
  }

  /**
   * Reads everything after the header; call readHead first. Stores nothing in `baselines`: see `keep`.
   * @param sender the slot that sent the packet.
   * @param packet the packet's number without wrapping.
   * @param baselines the packets that this peer has received on the connection.
   * @param newestTicks for each slot the newest tick known here, or -1; ticks are unwrapped relative to these.
   * @returns null if the packet is valid; else none of it may be used.
   */
  readBody(
    sender: Slot,
    packet: number,
    baselines: BaselineStore,
    newestTicks: Int32Array,
  ): Malformed | null {
    this.#context.sender = sender;
    const fault = this.#readAuthors(packet, baselines, newestTicks);
    if (fault !== null) return fault;
    if (this.shared !== null) codeShared(this.#reader, this.shared, this.#context.authorTicks);
    return this.#reader.failed ? 'truncated or out of range' : this.#readUpdates(packet, baselines);
  }

  /** Stores the packet that was read as baselines for later packets. Only for a packet that will be acked [W4]. */
  keep(packet: number, baselines: BaselineStore): void {
    baselines.keep(packet);
    for (let i = 0; i < this.authorCount; i++) {
      const { slot, tick, shift, hasAvatar, isAvatarless, avatar } = this.authors[i];
      baselines.putAuthor(packet, slot, tick, hasAvatar ? avatar : null, isAvatarless, shift);
    }
    for (let i = 0; i < this.updateCount; i++) baselines.put(packet, this.updates[i]);
  }

  #readAuthors(packet: number, baselines: BaselineStore, newestTicks: Int32Array): Malformed | null {
    const r = this.#reader;
    const { sender, authorTicks } = this.#context;
    authorTicks.fill(-1);
    this.authorCount = 0;
    this.baseAge = codeBase(r, 0);
    const known = this.#known;
    known.sender = sender;
    known.baseAge = this.baseAge;
    const slots = codeTableSize(r, sender, false);
    for (let i = 0; i < slots; i++) {
      const slot = i as Slot;
      knowAuthor(known, slot, packet, baselines);
      if (!codePresent(r, slot, known, false)) continue;
      const entry = this.authors[this.authorCount++];
      entry.slot = slot;
      codeAuthor(r, known, entry);
      entry.tick = unwrapTick(entry.tick, newestTicks[slot]);
      authorTicks[slot] = entry.tick;
      if (entry.hasAvatar && !this.#readAvatar(packet, baselines, entry)) return 'unknown baseline';
      if (r.failed) return 'truncated or out of range';
    }
    const isWide = this.authorCount > 0 && this.authors[this.authorCount - 1].slot >= FIRST_SLOTS;
    if (slots > FIRST_SLOTS && !isWide) return 'truncated or out of range';
    return null;
  }

  /** Reads an author's avatar; false if its baseline is not in the store. */
  #readAvatar(packet: number, baselines: BaselineStore, entry: AuthorEntry): boolean {
    const r = this.#reader;
    const { baseAge } = this;
    const inBase = baseAge > 0 && baselines.hasAvatar(packet - baseAge, entry.slot);
    const age = codeBaselineAge(r, 'avatar', baseAge, inBase, 0);
    entry.baselineAge = age;
    const hasBaseline = age > 0 && baselines.getAvatar(packet - age, entry.slot, this.#avatarBaseline);
    if (age > 0 && !hasBaseline) return false;
    codeAvatar(r, this.#context.count, entry.avatar, hasBaseline ? this.#avatarBaseline : null);
    return true;
  }

  #readUpdates(packet: number, baselines: BaselineStore): Malformed | null {
    this.updateCount = 0;
    this.#packet = packet;
    this.#updateCoder.base = this.baseAge === 0 ? -1 : packet - this.baseAge;
    this.#updateCoder.baselines = baselines;
    this.#isBaselineMissing = false;
    codeUpdates(this.#reader, this.#context, this.baseAge, this.#nonePicked, this.#updateCoder);
    this.#updateCoder.baselines = NO_BASELINES;
    if (this.#isBaselineMissing) return 'unknown baseline';
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
    const hasBaseline = age > 0 && this.#updateCoder.baselines.get(this.#packet - age, body, this.#baseline);
    if (age > 0 && !hasBaseline) {
      this.#isBaselineMissing = true;
      r.fail();
      return;
    }
    codeUpdate(r, this.#context, update, hasBaseline ? this.#baseline : null);
    this.baselineAges[this.updateCount++] = age;
  }
}

/** The greatest tick: half a year, longer than anyone plays. Every number computed from a tick fits 32 bits. */
const MAX_TICK = 2 ** 30;

/**
 * The tick with these low 16 bits that is nearest to the newest known tick; without one (-1) the 16 bits themselves.
 * Any 16 bits give a tick of 0 to MAX_TICK, since a guest with wrong ticks must not make the host's packets
 * unreadable.
 */
function unwrapTick(low: number, newest: number): number {
  const tick = newest < 0 ? low : unwrap(low, newest);
  if (tick < 0) return tick + 0x10000;
  return tick > MAX_TICK ? low : tick;
}

function authorEntry(): AuthorEntry {
  return {
    slot: 0 as Slot,
    tick: 0,
    shift: 0,
    hasAvatar: false,
    isAvatarless: false,
    baselineAge: 0,
    avatar: avatarSample(),
  };
}
