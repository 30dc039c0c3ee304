import { BodySet } from '../../base/body-set.ts';
import type { BodyId, Slot } from '../../base/ids.ts';
import { FIRST_SLOTS, MAX_PACKET_BYTES, MAX_PLAYERS } from '../../base/constants.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { avatarSample } from '../../wire/avatar/avatar.ts';
import { codeAvatar } from '../../wire/avatar/avatar-coder.ts';
import type { BallisticCache } from '../../wire/bodies/flights.ts';
import type { KnownAuthor, PacketHeader } from '../../wire/packet.ts';
import { codeAuthor, codeBase, codeHeader, codePresent, codeTableSize } from '../../wire/packet.ts';
import { knowAuthor, knownAuthor } from '../../wire/packet.ts';
import { END_BITS, PARTS } from '../../wire/coder/range-coder.ts';
import { RangeWriter } from '../../wire/coder/range-writer.ts';
import type { UpdateCoderState } from '../../wire/bodies/update.ts';
import {
  authorOf,
  bodyUpdate,
  codeBaseline,
  codeBaselineAge,
  codeUpdate,
  MAX_STATE_AGE,
  updateCoderState,
} from '../../wire/bodies/update.ts';
import type { UpdateCoder } from '../../wire/bodies/updates.ts';
import { codeUpdates } from '../../wire/bodies/updates.ts';
import { codeShared } from '../../wire/shared/shared-part.ts';
import type { PacketBits } from '../diagnostics/traffic.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { OutgoingPlayer } from './sent-player.ts';
import type { SentShared } from '../shared/sent-shared.ts';
import { SizeEstimate } from './size-estimate.ts';
import type { UpdateSource } from './update-source.ts';

/** Bytes that the writer can hold beyond a packet's: a packet that is too long is written whole, to learn its size. */
const SPARE_BYTES = 4 * MAX_PACKET_BYTES;
/** Updates in a row that are expected not to fit, after which the packet counts as full. */
const FULL_AFTER = 3;
/** Shares of the room that the second, third, ... attempt at a packet uses, if the one before was too long. */
const SECOND_SHARE = 0.9;
const SHARE_STEP = 0.2;

/**
 * Bits of a packet after which no avatar begins. What is left holds the longest avatar with its name, and the ticks of
 * the players after it.
 */
const AVATARS_END = 8 * (MAX_PACKET_BYTES - 400);

/** Fills the packets to one receiver: the players first, then as many bodies as fit, by their priority [W5]. */
export class PacketWriter {
  /** Bits of the last packet. */
  readonly bits: PacketBits = { headers: 0, avatars: 0, shared: 0, bodies: 0 };
  readonly #receiver: ReceiverState;
  readonly #count: number;
  readonly #shared: SentShared | null;
  readonly #writer = new RangeWriter(MAX_PACKET_BYTES + SPARE_BYTES);
  readonly #context: UpdateCoderState;
  readonly #estimate: SizeEstimate;
  /** The bodies that go into the packet. */
  readonly #picked: BodySet;
  readonly #known: KnownAuthor;
  /** The number of the packet that is written. */
  #packet = 0;
  /** The source of its updates. */
  #source: UpdateSource = EMPTY_SOURCE;
  readonly #author = { tick: 0, shift: 0, hasAvatar: false, isAvatarless: false };
  readonly #coding: UpdateCoder;
  readonly #update = bodyUpdate();
  readonly #baseline = bodyUpdate();
  readonly #avatarBaseline = avatarSample();

  /**
   * @param receiver is asked for baselines and priorities, and learns what each packet contains.
   * @param count bodies in the world.
   * @param flights the cache that all packets of the peer share.
   * @param shared fills the part of shared state and events; null without a schema.
   */
  constructor(
    receiver: ReceiverState,
    count: number,
    flights: BallisticCache,
    shared: SentShared | null = null,
  ) {
    this.#receiver = receiver;
    this.#shared = shared;
    this.#count = count;
    this.#coding = {
      baselines: receiver.packets,
      base: -1,
      code: (body, kindInBase) => this.#code(body, kindInBase),
    };
    this.#known = knownAuthor(flights.laws.rate, flights.laws.hasTime);
    this.#context = updateCoderState(count, new Int32Array(MAX_PLAYERS), flights);
    this.#estimate = new SizeEstimate(count);
    this.#picked = new BodySet(count);
  }

  /**
   * Writes the next packet, which counts as sent from then on.
   * @param packet its number, from 0 without wrapping.
   * @param speaker the slot of the sender.
   * @param players by slot; null for a player that is not in the packet.
   * @param most bytes of the packet; bodies are left out to keep to it, but players are not.
   * @returns the packet's bytes, valid until the next call.
   */
  write(
    header: PacketHeader,
    packet: number,
    speaker: Slot,
    players: readonly (OutgoingPlayer | null)[],
    source: UpdateSource,
    most = MAX_PACKET_BYTES,
  ): Uint8Array {
    const receiver = this.#receiver;
    this.#context.sender = speaker;
    this.#packet = packet;
    this.#source = source;
    receiver.begin(packet);
    let bytes = this.#tryWrite(header, players, most, false);
    // The sizes of updates are estimates: with those of this attempt, and less room, fewer are picked.
    for (
      let share = SECOND_SHARE;
      bytes.length > most && receiver.bodiesIn(packet) > 0;
      share -= SHARE_STEP
    ) {
      receiver.takeBackBodies(packet);
      bytes = this.#tryWrite(header, players, most * Math.max(0, share), true);
    }
    receiver.sent(packet);
    this.bits.headers = bytes.length * 8 - this.bits.bodies - this.bits.avatars - this.bits.shared;
    return bytes;
  }

  /** @param most bytes that the packet is to take; it may come out longer. */
  #tryWrite(
    header: PacketHeader,
    players: readonly (OutgoingPlayer | null)[],
    most: number,
    isAgain: boolean,
  ): Uint8Array {
    const w = this.#writer;
    w.clear();
    codeHeader(w, header);
    const baseAge = codeBase(w, this.#receiver.baseAge(this.#packet));
    this.bits.avatars = this.#writePlayers(baseAge, players) / PARTS;
    const ahead = w.parts;
    if (this.#shared !== null) this.#writeShared(this.#shared, most, isAgain);
    const before = w.parts;
    this.bits.shared = (before - ahead) / PARTS;
    const any = this.#pick(most * 8 - this.#writtenBits() - END_BITS, isAgain);
    this.#coding.base = baseAge === 0 ? -1 : this.#packet - baseAge;
    codeUpdates(w, this.#context, baseAge, this.#picked, this.#coding);
    this.bits.bodies = any ? (w.parts - before) / PARTS : 0;
    if (any) this.#estimate.end(this.bits.bodies);
    return w.finish();
  }

  /** [V3.5] */
  #writeShared(shared: SentShared, most: number, isAgain: boolean): void {
    const w = this.#writer;
    const { authorTicks } = this.#context;
    const written = this.#writtenBits();
    if (!isAgain) shared.fill(this.#packet, authorTicks, most * 8 - written - END_BITS, written);
    codeShared(w, shared.part, authorTicks);
  }

  /** The bits of the packet so far, rounded up: fractions would be allocated. */
  #writtenBits(): number {
    return Math.ceil(this.#writer.parts / PARTS) | 0;
  }

  /** @returns the size of the avatars, in 1/PARTS of a bit. */
  #writePlayers(baseAge: number, players: readonly (OutgoingPlayer | null)[]): number {
    const w = this.#writer;
    const packet = this.#packet;
    const { packets } = this.#receiver;
    const { sender: speaker, authorTicks } = this.#context;
    const known = this.#known;
    known.sender = speaker;
    known.baseAge = baseAge;
    let avatarParts = 0;
    authorTicks.fill(-1);
    const slots = codeTableSize(w, speaker, isWide(players));
    for (let i = 0; i < slots; i++) {
      const slot = i as Slot;
      const player = players[slot];
      knowAuthor(known, slot, packet, packets);
      if (!codePresent(w, slot, known, player !== null) || player === null) continue;
      authorTicks[slot] = player.tick;
      if (this.#writtenBits() > AVATARS_END) player.avatar = null;
      this.#author.tick = player.tick;
      this.#author.shift = player.shift;
      this.#author.isAvatarless = player.isAvatarless;
      this.#author.hasAvatar = player.avatar !== null;
      codeAuthor(w, known, this.#author);
      const before = w.parts;
      if (player.avatar !== null) this.#writeAvatar(baseAge, slot, player.avatar);
      avatarParts += w.parts - before;
      this.#receiver.putPlayer(packet, slot, player);
    }
    return avatarParts;
  }

  #writeAvatar(baseAge: number, slot: Slot, avatar: AvatarSample): void {
    const packet = this.#packet;
    const { packets } = this.#receiver;
    const inBase = baseAge > 0 && packets.hasAvatar(packet - baseAge, slot);
    const age = this.#receiver.avatarBaselineAge(packet, slot);
    const known = age > 0 && packets.getAvatar(packet - age, slot, this.#avatarBaseline);
    codeBaselineAge(this.#writer, 'avatar', baseAge, inBase, known ? age : 0);
    codeAvatar(this.#writer, this.#count, avatar, known ? this.#avatarBaseline : null);
  }

  /**
   * [W5] Marks the bodies that go in, those of the highest priority first.
   * @param room bits.
   * @param isAgain true if the last attempt at the same packet came out too long.
   * @returns false if there are none.
   */
  #pick(room: number, isAgain: boolean): boolean {
    const { priorities } = this.#receiver;
    let any = false;
    this.#picked.clear();
    priorities.rank();
    this.#estimate.begin(room, isAgain);
    for (
      let body = priorities.next(), misses = 0;
      body >= 0 && misses < FULL_AFTER;
      body = priorities.next()
    ) {
      if (this.#picked.has(body)) continue;
      // [J2.5] An island goes in whole. If it is longer than a packet may be, as much of it as fits goes first.
      const parts = this.#source.partsOf(body as BodyId);
      if (parts === null) {
        if (!this.#hasUpdate(body as BodyId)) continue;
        if (this.#estimate.add(body, this.#hasBaseline(body as BodyId))) this.#picked.add(body);
        else misses++;
      } else if (this.#estimate.addAll(parts, this.#hasBaseline))
        for (const part of parts) this.#pickOne(part);
      else if (any || !this.#pickSome(parts)) misses++;
      any ||= this.#picked.has(body);
    }
    return any;
  }

  #pickOne(part: BodyId): void {
    if (this.#hasUpdate(part)) this.#picked.add(part);
    else this.#picked.delete(part);
  }

  /** Marks as many parts of an island as are expected to fit into an empty packet. @returns false if none is. */
  #pickSome(parts: readonly BodyId[]): boolean {
    let some = false;
    for (const part of parts) {
      if (!this.#hasUpdate(part) || !this.#estimate.add(part, this.#hasBaseline(part))) continue;
      this.#picked.add(part);
      some = true;
    }
    return some;
  }

  /**
   * True if this peer has something to send of a body. It may not have of each part of an island: until the host has
   * decided, a joint may tie a body of this peer to one that another player has.
   */
  #hasUpdate(body: BodyId): boolean {
    return this.#source.describe(body, this.#update);
  }

  readonly #hasBaseline = (body: BodyId): boolean => this.#receiver.bodyBaselineAge(this.#packet, body) > 0;

  #code(body: BodyId, kindInBase: number): void {
    const before = this.#writer.parts;
    const hasBaseline = this.#writeUpdate(body, kindInBase);
    this.#estimate.took(body, hasBaseline, this.#writer.parts - before);
  }

  /** @returns true if there was a baseline for it. */
  #writeUpdate(body: BodyId, kindInBase: number): boolean {
    const packet = this.#packet;
    const receiver = this.#receiver;
    // Else the update of the body before would go out in its place.
    if (!this.#source.describe(body, this.#update)) throw new Error(`Nothing is to be sent of body ${body}.`);
    this.#clampTick();
    const age = receiver.bodyBaselineAge(packet, body);
    const known = age > 0 && receiver.packets.get(packet - age, body, this.#baseline);
    const baseline = known ? this.#baseline : null;
    codeBaseline(this.#writer, this.#context, kindInBase, known ? age : 0, this.#update, baseline);
    codeUpdate(this.#writer, this.#context, this.#update, baseline);
    receiver.putBody(packet, this.#update, this.#source.versions[body]);
    return known;
  }

  /** A relayed state that is older than a packet can express counts as that old, on both sides. */
  #clampTick(): void {
    const author = authorOf(this.#update.claim, this.#context.sender);
    const oldest = this.#context.authorTicks[author] - MAX_STATE_AGE;
    if (this.#update.kind !== 'record' && this.#update.tick < oldest) this.#update.tick = oldest;
  }
}

/** True if a player is beyond the first slots. */
function isWide(players: readonly (OutgoingPlayer | null)[]): boolean {
  for (let slot = FIRST_SLOTS; slot < MAX_PLAYERS; slot++) if (players[slot] !== null) return true;
  return false;
}

/** Before the first packet. */
const EMPTY_SOURCE: UpdateSource = {
  versions: new Int32Array(0),
  changed: new BodySet(0),
  describe: () => false,
  partsOf: () => [],
  insists: () => false,
  urgency: () => 0,
};
