import type { BodyId, Hold, Sequence, Slot } from '../base/ids.ts';
import { BASELINE_STORE_PACKETS, MAX_PLAYERS } from '../base/constants.ts';
import { STRIDE } from '../base/state.ts';
import type { AvatarSample } from './avatar.ts';
import { avatarSample, copyAvatar } from './avatar.ts';
import type { Course } from './motion.ts';
import type { BodyUpdate } from './update.ts';
import { KINDS } from './update.ts';

/** Numbers per entry: the packet, what it said, and the state. */
const ENTRY = 8 + STRIDE;

type AuthorSaid = { packet: number; tick: number; hasAvatar: boolean; readonly avatar: AvatarSample };

/** A packet has 8 slots. */
function authorAt(packet: number, slot: Slot): number {
  return (packet & (BASELINE_STORE_PACKETS - 1)) * MAX_PLAYERS + slot;
}

/**
 * What recent packets said of each player and body, by packet: a sender keeps what it sent, a receiver what it got, and
 * both find the same baseline in it. A newer packet takes the place of one BASELINE_STORE_PACKETS older.
 */
export class BaselineStore {
  readonly #entries: Int32Array;
  /** For each place the packet that a receiver has last kept there, or -1. */
  readonly #kept = new Int32Array(BASELINE_STORE_PACKETS).fill(-1);
  /** By packet and slot; made when they are needed. */
  readonly #authors: (AuthorSaid | undefined)[] = [];

  constructor(count: number) {
    this.#entries = new Int32Array(count * BASELINE_STORE_PACKETS * ENTRY).fill(-1);
  }

  clear(): void {
    this.#entries.fill(-1);
    this.#kept.fill(-1);
    for (const said of this.#authors) if (said !== undefined) said.packet = -1;
  }

  /** A receiver is about to keep what this packet says. */
  keep(packet: number): void {
    this.#kept[packet & (BASELINE_STORE_PACKETS - 1)] = packet;
  }

  /** True if all that a packet said is still there: it was kept, and none has taken its place since. */
  keeps(packet: number): boolean {
    return packet >= 0 && this.#kept[packet & (BASELINE_STORE_PACKETS - 1)] === packet;
  }

  /** Keeps an author's tick, and its avatar if the packet had one. */
  putAuthor(packet: number, slot: Slot, tick: number, avatar: Readonly<AvatarSample> | null): void {
    const at = authorAt(packet, slot);
    const said = (this.#authors[at] ??= { packet: -1, tick: 0, hasAvatar: false, avatar: avatarSample() });
    said.packet = packet;
    said.tick = tick & 0xffff;
    said.hasAvatar = avatar !== null;
    if (avatar !== null) copyAvatar(avatar, said.avatar);
  }

  /** The low 16 bits of an author's tick in that packet; -1 if it was not in its table. */
  tickIn(packet: number, slot: Slot): number {
    const said = this.#authors[authorAt(packet, slot)];
    return said !== undefined && packet >= 0 && said.packet === packet ? said.tick : -1;
  }

  /** What that packet said of an author's avatar, or null. */
  avatarIn(packet: number, slot: Slot): Readonly<AvatarSample> | null {
    const said = this.#authors[authorAt(packet, slot)];
    return said !== undefined && packet >= 0 && said.packet === packet && said.hasAvatar ? said.avatar : null;
  }

  /** Keeps an update of the packet with this number, counted from 0 without wrapping. */
  put(packet: number, update: Readonly<BodyUpdate>): void {
    const at = this.#at(packet, update.body);
    const e = this.#entries;
    e[at] = packet;
    e[at + 1] = KINDS.indexOf(update.kind);
    e[at + 2] = update.claim.authority;
    e[at + 3] = update.claim.hold;
    e[at + 4] = update.claim.ownershipSequence;
    e[at + 5] = update.claim.authoritySequence;
    e[at + 6] = update.tick;
    e[at + 7] = update.course;
    e.set(update.state, at + 8);
  }

  /** Takes back what was put of a body. */
  remove(packet: number, body: BodyId): void {
    const at = this.#at(packet, body);
    if (this.#entries[at] === packet) this.#entries[at] = -1;
  }

  /** What kind of thing that packet said of a body, as an index of KINDS; -1 for nothing. */
  kindIn(packet: number, body: BodyId): number {
    const at = this.#at(packet, body);
    return packet >= 0 && this.#entries[at] === packet ? this.#entries[at + 1] : -1;
  }

  /** Finds what that packet said of a body; false if it said nothing, or too long ago. */
  get(packet: number, body: BodyId, out: BodyUpdate): boolean {
    const at = this.#at(packet, body);
    const e = this.#entries;
    if (packet < 0 || e[at] !== packet) return false;
    out.body = body;
    out.kind = KINDS[e[at + 1]];
    out.claim.authority = e[at + 2] as Slot;
    out.claim.hold = e[at + 3] as Hold;
    out.claim.ownershipSequence = e[at + 4] as Sequence;
    out.claim.authoritySequence = e[at + 5] as Sequence;
    out.tick = e[at + 6];
    out.course = e[at + 7] as Course;
    for (let i = 0; i < STRIDE; i++) out.state[i] = e[at + 8 + i];
    return true;
  }

  #at(packet: number, body: BodyId): number {
    return (body * BASELINE_STORE_PACKETS + (packet & (BASELINE_STORE_PACKETS - 1))) * ENTRY;
  }
}
