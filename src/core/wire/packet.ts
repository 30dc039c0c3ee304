import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_PACKET_BYTES, MAX_PLAYERS } from '../base/constants.ts';
import type { AvatarSample } from './avatar.ts';
import { avatarSample, readAvatar } from './avatar.ts';
import { unwrap } from '../base/sequence.ts';
import type { BaselineStore } from './baselines.ts';
import { BitReader, type BitWriter } from './bits.ts';
import type { BodyUpdate, UpdateContext } from './update.ts';
import { bodyUpdate, readUpdate, readUpdateHead } from './update.ts';

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

export function writeHeader(w: BitWriter, header: Readonly<PacketHeader>): void {
  w.write(header.connection & 0xffff, 16);
  w.write(header.term & 0xffff, 16);
  w.write(header.reset & 0xffff, 16);
  w.write(header.sequence & 0xffff, 16);
  w.writeFlag(header.ack >= 0);
  if (header.ack < 0) return;
  w.write(header.ack & 0xffff, 16);
  w.write(header.ackBits >>> 0, 32);
}

function readHeader(r: BitReader, out: PacketHeader): void {
  out.connection = r.read(16) as ConnectionId;
  out.term = r.read(16);
  out.reset = r.read(16);
  out.sequence = r.read(16);
  const acks = r.readFlag();
  out.ack = acks ? r.read(16) : -1;
  out.ackBits = acks ? r.read(32) : 0;
}

/** A player in a packet's table: its newest tick, and its avatar if there is news of it. */
export type AuthorEntry = { slot: Slot; tick: number; hasAvatar: boolean; readonly avatar: AvatarSample };

export function writeAuthorHead(w: BitWriter, slot: Slot, tick: number, hasAvatar: boolean): void {
  w.writeRange(slot, 0, MAX_PLAYERS - 1);
  w.write(tick & 0xffff, 16);
  w.writeFlag(hasAvatar);
}

/** Bits for the number of authors. */
export const AUTHOR_COUNT_BITS = 4;

/** Why bytes are not a packet. Each is counted; none throws. */
export type Malformed =
  | 'too long'
  | 'truncated or out of range'
  | 'author twice'
  | 'body twice'
  | 'trailing bits'
  | 'unknown baseline';

/** Everything a packet says. Reused: valid until the next packet is read. */
export class PacketReader {
  readonly header = packetHeader();
  readonly authors: readonly AuthorEntry[] = Array.from({ length: MAX_PLAYERS }, authorEntry);
  authorCount = 0;
  /** Grows to what packets hold, and stays. */
  readonly updates: BodyUpdate[] = [];
  updateCount = 0;
  readonly #reader = new BitReader();
  readonly #context: UpdateContext;
  readonly #baseline = bodyUpdate();
  /** For each body, the number of the reading in which it was last seen. */
  readonly #seen: Uint32Array;
  #reading = 0;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#context = { count, speaker: 0 as Slot, authorTicks: new Int32Array(MAX_PLAYERS) };
    this.#seen = new Uint32Array(count);
  }

  /** Reads the header alone, which says whether the rest is worth reading. */
  readHead(bytes: Uint8Array): Malformed | null {
    if (bytes.length > MAX_PACKET_BYTES) return 'too long';
    this.#reader.start(bytes);
    readHeader(this.#reader, this.header);
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
    this.#reading++;
    this.#context.speaker = speaker;
    return this.#readAuthors(newestTicks) ?? this.#readUpdates(packet, baselines);
  }

  #readAuthors(newestTicks: Int32Array): Malformed | null {
    const r = this.#reader;
    const ticks = this.#context.authorTicks.fill(-1);
    this.authorCount = r.readRange(0, MAX_PLAYERS);
    if (r.failed) this.authorCount = 0;
    for (let i = 0; i < this.authorCount; i++) {
      const entry = this.authors[i];
      entry.slot = r.readRange(0, MAX_PLAYERS - 1) as Slot;
      entry.tick = unwrapTick(r.read(16), newestTicks[entry.slot]);
      entry.hasAvatar = r.readFlag();
      if (entry.hasAvatar) readAvatar(r, this.#context.count, entry.avatar);
      if (r.failed) return 'truncated or out of range';
      if (ticks[entry.slot] >= 0) return 'author twice';
      ticks[entry.slot] = entry.tick;
    }
    return r.failed ? 'truncated or out of range' : null;
  }

  #readUpdates(packet: number, baselines: BaselineStore): Malformed | null {
    const r = this.#reader;
    this.updateCount = 0;
    while (r.readFlag()) {
      if (this.updateCount === this.updates.length) this.updates.push(bodyUpdate());
      const update = this.updates[this.updateCount];
      const age = readUpdateHead(r, this.#context, update);
      if (r.failed) return 'truncated or out of range';
      const known = age > 0 && baselines.get(packet - age, update.body, this.#baseline);
      if (age > 0 && !known) return 'unknown baseline';
      if (!readUpdate(r, this.#context, known ? this.#baseline : null, update))
        return 'truncated or out of range';
      if (!this.#see(update.body)) return 'body twice';
      this.updateCount++;
    }
    if (r.failed) return 'truncated or out of range';
    return r.atEnd() ? null : 'trailing bits';
  }

  /** False if this packet has named the body before. */
  #see(body: number): boolean {
    if (this.#seen[body] === this.#reading) return false;
    this.#seen[body] = this.#reading;
    return true;
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
  return { slot: 0 as Slot, tick: 0, hasAvatar: false, avatar: avatarSample() };
}
