import type { BodyId, Slot } from '../../base/ids.ts';
import { BASELINE_STORE_PACKETS, MAX_PLAYERS } from '../../base/constants.ts';
import type { AvatarSample } from '../avatar/avatar.ts';
import { PACKED_AVATAR, packAvatar, unpackAvatar } from '../avatar/avatar.ts';
import { PACKED_UPDATE, packUpdate, unpackUpdate } from './packed-update.ts';
import type { BodyUpdate } from './update.ts';
import { indexOfKind } from './update.ts';

/** Bits of a kind below a packet's number. */
const KIND_BITS = 2;
const KIND_MASK = (1 << KIND_BITS) - 1;

/** Numbers of what a packet said of an author: 1 if it had an avatar, the tick, and the avatar. */
const AUTHOR_ENTRY = 2 + PACKED_AVATAR;
const AVATAR_AT = 2;

/** The place of a packet in a ring of them. */
function rowOf(packet: number): number {
  return packet & (BASELINE_STORE_PACKETS - 1);
}

/** A packet has 8 slots. */
function authorAt(packet: number, slot: Slot): number {
  return rowOf(packet) * MAX_PLAYERS + slot;
}

/**
 * What recent packets said of each player and body, by packet: a sender keeps what it sent, a receiver what it got, and
 * both find the same baseline in it. A newer packet takes the place of one BASELINE_STORE_PACKETS older.
 */
export class BaselineStore {
  readonly #count: number;
  /**
   * For each row and body the packet that said something of it last, and its kind: an index of KINDS. All of a row
   * lies together, since packets are written and read body by body.
   */
  readonly #said: Int32Array;
  readonly #entries: Int32Array;
  /** For each place the packet that a receiver has last kept there, or -1. */
  readonly #kept = new Int32Array(BASELINE_STORE_PACKETS).fill(-1);
  /** For each row and slot the packet that said something of it last, or -1. */
  readonly #saidOf = new Int32Array(BASELINE_STORE_PACKETS * MAX_PLAYERS).fill(-1);
  readonly #authors = new Int32Array(BASELINE_STORE_PACKETS * MAX_PLAYERS * AUTHOR_ENTRY);

  constructor(count: number) {
    this.#count = count;
    this.#said = new Int32Array(count * BASELINE_STORE_PACKETS).fill(-1);
    this.#entries = new Int32Array(count * BASELINE_STORE_PACKETS * PACKED_UPDATE);
  }

  clear(): void {
    this.#said.fill(-1);
    this.#kept.fill(-1);
    this.#saidOf.fill(-1);
  }

  /** A receiver is about to keep what this packet says. */
  keep(packet: number): void {
    this.#kept[rowOf(packet)] = packet;
  }

  /** True if all that a packet said is still there: it was kept, and none has taken its place since. */
  keeps(packet: number): boolean {
    return packet >= 0 && this.#kept[rowOf(packet)] === packet;
  }

  /** Keeps an author's tick, and its avatar if the packet had one. */
  putAuthor(packet: number, slot: Slot, tick: number, avatar: Readonly<AvatarSample> | null): void {
    const place = authorAt(packet, slot);
    const at = place * AUTHOR_ENTRY;
    this.#saidOf[place] = packet;
    this.#authors[at] = avatar === null ? 0 : 1;
    this.#authors[at + 1] = tick & 0xffff;
    if (avatar !== null) packAvatar(avatar, this.#authors, at + AVATAR_AT);
  }

  /** The low 16 bits of an author's tick in that packet; -1 if it was not in its table. */
  tickIn(packet: number, slot: Slot): number {
    const place = authorAt(packet, slot);
    return packet >= 0 && this.#saidOf[place] === packet ? this.#authors[place * AUTHOR_ENTRY + 1] : -1;
  }

  /** True if that packet said something of an author's avatar. */
  hasAvatar(packet: number, slot: Slot): boolean {
    const place = authorAt(packet, slot);
    return packet >= 0 && this.#saidOf[place] === packet && this.#authors[place * AUTHOR_ENTRY] === 1;
  }

  /** Finds what that packet said of an author's avatar, all but its name; false if it said nothing. */
  getAvatar(packet: number, slot: Slot, out: AvatarSample): boolean {
    if (!this.hasAvatar(packet, slot)) return false;
    unpackAvatar(this.#authors, authorAt(packet, slot) * AUTHOR_ENTRY + AVATAR_AT, out);
    return true;
  }

  /** Keeps an update of the packet with this number, counted from 0 without wrapping. */
  put(packet: number, update: Readonly<BodyUpdate>): void {
    const place = this.#placeOf(packet, update.body);
    this.#said[place] = (packet << KIND_BITS) | indexOfKind(update.kind);
    packUpdate(update, this.#entries, place * PACKED_UPDATE);
  }

  /** Takes back what was put of a body. */
  remove(packet: number, body: BodyId): void {
    if (this.kindIn(packet, body) >= 0) this.#said[this.#placeOf(packet, body)] = -1;
  }

  /** What kind of thing that packet said of a body, as an index of KINDS; -1 for nothing. */
  kindIn(packet: number, body: BodyId): number {
    const said = this.#said[this.#placeOf(packet, body)];
    return packet >= 0 && said >> KIND_BITS === packet ? said & KIND_MASK : -1;
  }

  /** Finds what that packet said of a body; false if it said nothing, or too long ago. */
  get(packet: number, body: BodyId, out: BodyUpdate): boolean {
    if (this.kindIn(packet, body) < 0) return false;
    unpackUpdate(this.#entries, this.#placeOf(packet, body) * PACKED_UPDATE, out);
    return true;
  }

  #placeOf(packet: number, body: BodyId): number {
    return rowOf(packet) * this.#count + body;
  }
}
