import type { BodyId, Slot } from '../../base/ids.ts';
import { BASELINE_STORE_PACKETS, MAX_PLAYERS } from '../../base/constants.ts';
import type { AvatarSample } from '../avatar/avatar.ts';
import { PACKED_AVATAR, packAvatar, unpackAvatar } from '../avatar/avatar.ts';
import { PACKED_UPDATE, packUpdate, unpackUpdate } from './packed-update.ts';
import type { BodyUpdate } from './update.ts';
import { indexOfKind } from './update.ts';

/** A packet number is stored with a kind in its low bits. */
const KIND_BITS = 2;
const KIND_MASK = (1 << KIND_BITS) - 1;

/** A packet has one of these of an author's avatar: nothing, the avatar, or the word that there is none at all. */
const NOTHING = 0;
const AVATAR = 1;
const AVATARLESS = 2;
/** Numbers that the store keeps of an author: one of those three, the tick, the shift, and the avatar. */
const AUTHOR_ENTRY = 3 + PACKED_AVATAR;
const SHIFT_AT = 2;
const AVATAR_AT = 3;

/** The place of a packet in the store's ring. */
function ringIndex(packet: number): number {
  return packet & (BASELINE_STORE_PACKETS - 1);
}

/** The place of an author of a packet; each packet has MAX_PLAYERS. */
function authorPlace(packet: number, slot: Slot): number {
  return ringIndex(packet) * MAX_PLAYERS + slot;
}

/** The place of a packet's update of a body: the updates of a body lie together, so that the last ones are in the cache. */
function updateAt(packet: number, body: BodyId): number {
  return (body * BASELINE_STORE_PACKETS + ringIndex(packet)) * PACKED_UPDATE;
}

/**
 * The updates and authors of recent packets of one direction of a connection, as baselines for later packets. A sender
 * stores what it sends, a receiver what it gets, and both find the same baseline. A ring: an entry stays until a packet
 * that is a multiple of BASELINE_STORE_PACKETS newer has one of the same body or author. Packets have their numbers
 * without wrapping, from 0; a negative number finds nothing. All memory is allocated once.
 */
export class BaselineStore {
  readonly #count: number;
  /**
   * For each ring place and body: the last packet with an update of the body, and its kind, as an index of KINDS. The
   * bodies of a packet lie together, since packets are written and read body by body.
   */
  readonly #updatedIn: Int32Array;
  readonly #updates: Int32Array;
  /** For each ring place the last packet that a receiver has kept there, or -1. */
  readonly #kept = new Int32Array(BASELINE_STORE_PACKETS).fill(-1);
  /** For each ring place and slot: the last packet with the author in its table, or -1. */
  readonly #authorIn = new Int32Array(BASELINE_STORE_PACKETS * MAX_PLAYERS).fill(-1);
  readonly #authors = new Int32Array(BASELINE_STORE_PACKETS * MAX_PLAYERS * AUTHOR_ENTRY);

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#updatedIn = new Int32Array(count * BASELINE_STORE_PACKETS).fill(-1);
    this.#updates = new Int32Array(count * BASELINE_STORE_PACKETS * PACKED_UPDATE);
  }

  /** Forgets everything. */
  clear(): void {
    this.#updatedIn.fill(-1);
    this.#kept.fill(-1);
    this.#authorIn.fill(-1);
  }

  /** Marks a packet as kept; a receiver calls this before it puts the packet's authors and updates. */
  keep(packet: number): void {
    this.#kept[ringIndex(packet)] = packet;
  }

  /** True if a packet was kept and no packet has taken its place since: everything in it is still there. */
  keeps(packet: number): boolean {
    return packet >= 0 && this.#kept[ringIndex(packet)] === packet;
  }

  /**
   * Stores an author's tick (its low 16 bits), and its avatar, without the name.
   * @param shift of the room's time [K2.1]; 0 without driven bodies.
   * @param avatar null if the packet has none.
   * @param isAvatarless true if the packet says that the author has no avatar at all.
   */
  putAuthor(
    packet: number,
    slot: Slot,
    tick: number,
    avatar: Readonly<AvatarSample> | null,
    isAvatarless = false,
    shift = 0,
  ): void {
    const place = authorPlace(packet, slot);
    const at = place * AUTHOR_ENTRY;
    this.#authorIn[place] = packet;
    this.#authors[at] = isAvatarless ? AVATARLESS : avatar === null ? NOTHING : AVATAR;
    this.#authors[at + 1] = tick & 0xffff;
    this.#authors[at + SHIFT_AT] = shift;
    if (avatar !== null) packAvatar(avatar, this.#authors, at + AVATAR_AT);
  }

  /** The low 16 bits of an author's tick in a packet; -1 if the author is not in its table. */
  tickIn(packet: number, slot: Slot): number {
    const place = authorPlace(packet, slot);
    return packet >= 0 && this.#authorIn[place] === packet ? this.#authors[place * AUTHOR_ENTRY + 1] : -1;
  }

  /** [K2.1] The shift of an author that is in a packet's table. */
  shiftIn(packet: number, slot: Slot): number {
    return this.#authors[authorPlace(packet, slot) * AUTHOR_ENTRY + SHIFT_AT];
  }

  /** True if a packet has an avatar of an author. */
  hasAvatar(packet: number, slot: Slot): boolean {
    return this.#saysOfAvatar(packet, slot, AVATAR);
  }

  /** True if a packet says that an author has no avatar at all. */
  isAvatarless(packet: number, slot: Slot): boolean {
    return this.#saysOfAvatar(packet, slot, AVATARLESS);
  }

  #saysOfAvatar(packet: number, slot: Slot, what: number): boolean {
    const place = authorPlace(packet, slot);
    return packet >= 0 && this.#authorIn[place] === packet && this.#authors[place * AUTHOR_ENTRY] === what;
  }

  /** Fills `out` with an author's avatar in a packet, without its name; false, and no change, if there is none. */
  getAvatar(packet: number, slot: Slot, out: AvatarSample): boolean {
    if (!this.hasAvatar(packet, slot)) return false;
    unpackAvatar(this.#authors, authorPlace(packet, slot) * AUTHOR_ENTRY + AVATAR_AT, out);
    return true;
  }

  /** Stores an update of a packet; the numbers are copied. */
  put(packet: number, update: Readonly<BodyUpdate>): void {
    const place = this.#placeOf(packet, update.body);
    this.#updatedIn[place] = (packet << KIND_BITS) | indexOfKind(update.kind);
    packUpdate(update, this.#updates, updateAt(packet, update.body));
  }

  /** Removes a packet's update of a body, if it has one. */
  remove(packet: number, body: BodyId): void {
    if (this.kindIn(packet, body) >= 0) this.#updatedIn[this.#placeOf(packet, body)] = -1;
  }

  /** The kind of a packet's update of a body, as an index of KINDS; -1 if it has none, or no longer. */
  kindIn(packet: number, body: BodyId): number {
    const entry = this.#updatedIn[this.#placeOf(packet, body)];
    return packet >= 0 && entry >> KIND_BITS === packet ? entry & KIND_MASK : -1;
  }

  /** Fills `out` with a packet's update of a body; false, and no change, if it has none, or no longer. */
  get(packet: number, body: BodyId, out: BodyUpdate): boolean {
    if (this.kindIn(packet, body) < 0) return false;
    unpackUpdate(this.#updates, updateAt(packet, body), out);
    return true;
  }

  #placeOf(packet: number, body: BodyId): number {
    return ringIndex(packet) * this.#count + body;
  }
}
