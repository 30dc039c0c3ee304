import { cubeLaws, flightsOf } from './laws.ts';
import { Unchecked } from './unchecked-writer.ts';
import { BodySet } from '../../src/core/base/body-set.ts';
import type { BodyId, ConnectionId, Existence, Hold, Sequence, Slot } from '../../src/core/base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../src/core/base/ids.ts';
import { STATE } from '../../src/core/base/state.ts';
import { FIRST_SLOTS, MAX_PACKET_BYTES, MAX_PLAYERS, TICK_RATE } from '../../src/core/base/constants.ts';
import type { AvatarSample, HandSample } from '../../src/core/wire/avatar/avatar.ts';
import { avatarSample } from '../../src/core/wire/avatar/avatar.ts';
import { codeAvatar } from '../../src/core/wire/avatar/avatar-coder.ts';
import { BaselineStore } from '../../src/core/wire/bodies/baselines.ts';
import { BallisticCache } from '../../src/core/wire/bodies/flights.ts';
import type { PredictionMode } from '../../src/core/wire/bodies/motion.ts';
import type { AuthorEntry, Malformed } from '../../src/core/wire/packet.ts';
import {
  codeAuthor,
  codeBase,
  codeHeader,
  codePresent,
  codeTableSize,
  knowAuthor,
  knownAuthor,
  PacketReader,
} from '../../src/core/wire/packet.ts';
import { gridOf, LEAST_STATE, MOST_STATE, snapToGrid } from '../../src/core/wire/bodies/quantise.ts';
import type { Coder } from '../../src/core/wire/coder/range-coder.ts';
import type { BodyUpdate, UpdateCoderState, UpdateKind } from '../../src/core/wire/bodies/update.ts';
import {
  bodyUpdate,
  codeBaseline,
  codeBaselineAge,
  codeUpdate,
  updateCoderState,
} from '../../src/core/wire/bodies/update.ts';

import { codeUpdates } from '../../src/core/wire/bodies/updates.ts';
import type { SharedLayout } from '../../src/core/shared/layout.ts';
import type { SchemaDeclaration } from '../../src/core/shared/declaration.ts';
import { codeShared } from '../../src/core/wire/shared/shared-part.ts';
import type { Counts, PlainShared } from './shared-packets.ts';
import { layoutOf, plainShared, sharedPart } from './shared-packets.ts';

/** Packets as plain data, as test/vectors has them; -1 is "none", numbers are as quantised. */
export type PlainPacket = {
  readonly header: PlainHeader;
  /** By slot. */
  readonly authors: readonly PlainAuthor[];
  /** Packets by which the base is older; 0 for no base. */
  readonly base: number;
  /** [V], [E] Absent without a schema. */
  readonly shared?: PlainShared;
  /** By body. */
  readonly updates: readonly PlainUpdate[];
};

export type PlainHeader = {
  readonly connection: number;
  readonly term: number;
  readonly reset: number;
  readonly sequence: number;
  readonly ack: number;
  readonly ackBits: number;
};

export type PlainAuthor = {
  readonly slot: number;
  readonly tick: number;
  /** [K2.1] Absent: 0. */
  readonly shift?: number;
  readonly avatar: PlainAvatar | null;
  /** Packets by which the avatar's baseline is older; 0 for none. */
  readonly baselineAge?: number;
  /** True if the player has no avatar at all; absent: false. */
  readonly avatarless?: boolean;
};

export type PlainAvatar = {
  readonly age: number;
  /** x, y, z, then the largest component and the three others. */
  readonly head: readonly number[];
  /** Left and right; null: not tracked. */
  readonly hands: readonly (PlainHand | null)[];
  readonly voice: number;
  /** Bytes. */
  readonly name: readonly number[];
};

export type PlainHand = {
  readonly pose: readonly number[];
  readonly grip: number;
  readonly trigger: number;
  readonly pointing: boolean;
  readonly thumbUp: boolean;
  readonly held: PlainHeld | null;
  /** A body, or -1. */
  readonly reach: number;
};

export type PlainHeld = {
  readonly body: number;
  readonly ownership: number;
  readonly authority: number;
  readonly offset: readonly number[];
};

export type PlainUpdate = {
  readonly body: number;
  /** Packets by which the baseline is older; 0 for none. */
  readonly baselineAge: number;
  /** Authority, hold, ownership sequence, authority sequence. */
  readonly claim: readonly number[];
  readonly kind: UpdateKind;
  /** -1 and no numbers for a record. */
  readonly tick: number;
  readonly state: readonly number[];
  /** The prediction mode of the motion of an earlier packet; absent: 0. The vector files have this name for it. */
  readonly course?: PredictionMode;
};

/** The knowledge of both ends about a direction of a connection when a packet is written or read. */
export type Circumstances = Counts & {
  readonly speaker: number;
  /** [B2] Ticks a second; absent: the usual rate. */
  readonly rate?: number;
  /** [K2.1] True if the level has driven bodies. */
  readonly hasTime?: boolean;
  /** [V1] Absent: the room shares nothing but bodies. */
  readonly schema?: SchemaDeclaration;
  /** The packet's number without wrapping. */
  readonly packet: number;
  /** For each slot the newest tick that the reader has had, or -1. */
  readonly newestTicks: readonly number[];
  /** Earlier packets, as far as they matter. */
  readonly before: readonly Before[];
  /** A peer's own store to use instead of `before`; then a packet may also have baselines that are not in the store. */
  readonly store?: BaselineStore;
};

/** An earlier packet, as both ends have stored it. */
export type Before = {
  readonly packet: number;
  readonly authors?: readonly PlainAuthor[];
  readonly updates: readonly PlainUpdate[];
};

/** The least and the greatest value of each number of a state. */
export const LOW: readonly number[] = [...LEAST_STATE];
export const HIGH: readonly number[] = [...MOST_STATE];

/** The nearest state on the grids that its velocities give [W2], as a peer quantises it. */
export function snapped(state: readonly number[]): number[] {
  const whole = Int32Array.from(state);
  const [moving, turning] = [STATE.linear, STATE.angular].map((at) => gridOf(whole, at));
  return state.map((value, at) => {
    const moves = at < STATE.largest || (at >= STATE.linear && at < STATE.angular);
    // No number of a packet is -0, which is what rounding may give.
    return snapToGrid(value, at, moves ? moving : turning) + 0;
  });
}

export const NO_TICKS: readonly number[] = Array.from({ length: MAX_PLAYERS }, () => -1);

/** The bytes of a packet, by the functions that PacketWriter uses. */
export function encode(circumstances: Circumstances, packet: PlainPacket): Uint8Array {
  const w = new Unchecked(2 * MAX_PACKET_BYTES);
  code(w, circumstances, packet);
  return w.finish().slice();
}

/** Gives a packet to any coder. */
export function code(c: Coder, circumstances: Circumstances, packet: PlainPacket): void {
  const { bodies, speaker } = circumstances;
  codeHeader(c, { ...packet.header, connection: packet.header.connection as ConnectionId });
  codeBase(c, packet.base);
  const authorTicks = new Int32Array(MAX_PLAYERS).fill(-1);
  const isWide = packet.authors.some(({ slot }) => slot >= FIRST_SLOTS);
  const slots = codeTableSize(c, speaker as Slot, isWide);
  for (let slot = 0; slot < slots; slot++) {
    const plain = packet.authors.find((author) => author.slot === slot);
    codeOneAuthor(c, circumstances, packet.base, slot as Slot, plain);
    authorTicks[slot] = plain?.tick ?? -1;
  }
  if (circumstances.schema !== undefined)
    codeShared(
      c,
      sharedPart(layoutOf(circumstances.schema, circumstances), packet.shared ?? NOTHING_SHARED),
      authorTicks,
    );
  const flights = flightsOf(bodies, circumstances.rate, circumstances.hasTime);
  const context = updateCoderState(bodies, authorTicks, flights);
  context.sender = speaker as Slot;
  const updates = new Map(packet.updates.map((plain) => [plain.body, plain]));
  const picked = new BodySet(bodies);
  for (const body of updates.keys()) if (body < bodies) picked.add(body);
  const base = packet.base === 0 ? -1 : circumstances.packet - packet.base;
  codeUpdates(c, context, packet.base, picked, {
    baselines: storeOf(circumstances),
    base,
    code: (body, kindInBase) => {
      const plain = updates.get(body);
      if (plain !== undefined) codeOne(c, circumstances, context, kindInBase, plain);
    },
  });
}

const NOTHING_SHARED: PlainShared = { complete: false, entries: [], events: [] };

/** A reader for each number of bodies, and each layout, at the usual rate, which reads packet after packet, as a peer's does. */
const readers = new Map<number | SharedLayout, PacketReader>();

function readerOf(circumstances: Circumstances): PacketReader {
  const { bodies, schema, hasTime, rate = TICK_RATE } = circumstances;
  const layout = schema === undefined ? undefined : layoutOf(schema, circumstances);
  if (rate !== TICK_RATE || hasTime === true)
    return new PacketReader(bodies, flightsOf(bodies, rate, hasTime), layout);
  const key = layout ?? bodies;
  const made = readers.get(key) ?? new PacketReader(bodies, new BallisticCache(cubeLaws(bodies)), layout);
  readers.set(key, made);
  return made;
}

function codeOneAuthor(
  c: Coder,
  circumstances: Circumstances,
  baseAge: number,
  slot: Slot,
  plain: PlainAuthor | undefined,
): void {
  const { bodies, packet } = circumstances;
  const store = storeOf(circumstances);
  const known = {
    ...knownAuthor(circumstances.rate ?? TICK_RATE, circumstances.hasTime),
    sender: circumstances.speaker as Slot,
    baseAge,
  };
  knowAuthor(known, slot, packet, store);
  if (!codePresent(c, slot, known, plain !== undefined) || plain === undefined) return;
  const { tick, shift = 0, avatar, baselineAge = 0, avatarless: isAvatarless = false } = plain;
  codeAuthor(c, known, { tick, shift, hasAvatar: avatar !== null, isAvatarless });
  if (avatar === null) return;
  const inBase = baseAge > 0 && store.hasAvatar(packet - baseAge, slot);
  codeBaselineAge(c, 'avatar', baseAge, inBase, baselineAge);
  const before = avatarSample();
  const hasBefore = baselineAge > 0 && store.getAvatar(packet - baselineAge, slot, before);
  codeAvatar(c, bodies, sampleOf(avatar), hasBefore ? before : null);
}

function codeOne(
  c: Coder,
  circumstances: Circumstances,
  context: UpdateCoderState,
  kindInBase: number,
  plain: PlainUpdate,
): void {
  const baseline = bodyUpdate();
  const from = circumstances.packet - plain.baselineAge;
  const known = plain.baselineAge > 0 && storeOf(circumstances).get(from, plain.body as BodyId, baseline);
  if (plain.baselineAge > 0 && !known && circumstances.store === undefined)
    throw new Error(`body ${plain.body}: no such baseline`);
  const update = updateOf(plain);
  codeBaseline(c, context, kindInBase, plain.baselineAge, update, known ? baseline : null);
  codeUpdate(c, context, update, known ? baseline : null);
}

/** Reads bytes with the project's reader: a packet, or the reason why it is none. */
export function decode(circumstances: Circumstances, bytes: Uint8Array): PlainPacket | Malformed {
  const { speaker, packet, newestTicks } = circumstances;
  const reader = readerOf(circumstances);
  const fault =
    reader.readHead(bytes) ??
    reader.readBody(
      speaker as Slot,
      packet,
      storeOf(circumstances),
      Int32Array.from(NO_TICKS, (none, slot) => newestTicks[slot] ?? none),
    );
  return fault ?? plainPacket(reader);
}

/** The packet that a reader has read last. */
export function plainPacket(reader: PacketReader): PlainPacket {
  return {
    header: { ...reader.header },
    authors: reader.authors.slice(0, reader.authorCount).map(plainAuthor),
    base: reader.baseAge,
    ...(reader.shared === null ? {} : { shared: plainShared(reader.shared) }),
    updates: reader.updates
      .slice(0, reader.updateCount)
      .map((update, i) => ({ ...plainUpdate(update), baselineAge: reader.baselineAges[i] })),
  };
}

/** A store for each circumstances, since making one takes longer than coding a packet. */
const stores = new WeakMap<Circumstances, BaselineStore>();

function storeOf(circumstances: Circumstances): BaselineStore {
  if (circumstances.store !== undefined) return circumstances.store;
  const known = stores.get(circumstances);
  if (known !== undefined) return known;
  const store = new BaselineStore(circumstances.bodies);
  for (const { packet, authors, updates } of circumstances.before) {
    for (const plain of updates) store.put(packet, updateOf(plain));
    for (const { slot, tick, shift, avatar, avatarless } of authors ?? []) {
      const sample = avatar === null ? null : sampleOf(avatar);
      store.putAuthor(packet, slot as Slot, tick, sample, avatarless, shift);
    }
  }
  stores.set(circumstances, store);
  return store;
}

export function updateOf(plain: PlainUpdate): BodyUpdate {
  const [authority, hold, ownership, sequence, existence = 0] = plain.claim;
  const update = bodyUpdate();
  update.body = plain.body as BodyId;
  update.claim.authority = authority as Slot;
  update.claim.hold = hold as Hold;
  update.claim.ownershipSequence = ownership as Sequence;
  update.claim.authoritySequence = sequence as Sequence;
  update.claim.existence = existence as Existence;
  update.kind = plain.kind;
  update.tick = plain.tick;
  update.state.set(plain.state);
  update.mode = plain.course ?? 0;
  return update;
}

export function plainUpdate({ body, claim, kind, tick, state }: Readonly<BodyUpdate>): PlainUpdate {
  const { authority, hold, ownershipSequence, authoritySequence, existence } = claim;
  return {
    body,
    baselineAge: 0,
    claim: [authority, hold, ownershipSequence, authoritySequence, ...(existence === 0 ? [] : [existence])],
    kind,
    tick: kind === 'record' ? -1 : tick,
    state: kind === 'record' ? [] : [...state],
  };
}

function plainAuthor(author: Readonly<AuthorEntry>): PlainAuthor {
  const { slot, tick, hasAvatar, isAvatarless, baselineAge, avatar } = author;
  const shift = author.shift === 0 ? {} : { shift: author.shift };
  if (!hasAvatar) {
    const avatarless = isAvatarless ? { avatarless: true } : {};
    return { slot, tick, ...shift, avatar: null, baselineAge: 0, ...avatarless };
  }
  const { age, head, hands, voice, name } = avatar;
  const plain = { age, head: [...head], hands: hands.map(plainHand), voice, name: [...name] };
  return { slot, tick, ...shift, avatar: plain, baselineAge };
}

function plainHand(hand: Readonly<HandSample>): PlainHand | null {
  if (!hand.tracked) return null;
  const { grip, trigger, pointing, thumbUp, held, ownershipSequence, authoritySequence, offset } = hand;
  const plain = { pose: [...hand.pose], grip, trigger, pointing, thumbUp, reach: hand.reach };
  if (held === NO_BODY) return { ...plain, held: null };
  const carried = { body: held, ownership: ownershipSequence, authority: authoritySequence };
  return { ...plain, held: { ...carried, offset: [...offset] } };
}

function sampleOf({ age, head, hands, voice, name }: PlainAvatar): AvatarSample {
  const sample = avatarSample();
  sample.age = age;
  sample.head.set(head);
  sample.voice = voice;
  sample.name = Uint8Array.from(name);
  hands.forEach((hand, side) => {
    if (hand !== null) fillHand(hand, sample.hands[side]);
  });
  return sample;
}

function fillHand(plain: PlainHand, out: HandSample): void {
  const { pose, held, ...rest } = plain;
  Object.assign(out, rest, { tracked: true });
  out.pose.set(pose);
  if (held === null) return;
  out.held = held.body as BodyId;
  out.ownershipSequence = held.ownership as Sequence;
  out.authoritySequence = held.authority as Sequence;
  out.offset.set(held.offset);
}

/** A header as a peer's first packets have it. */
export function plainHeader(values: Partial<PlainHeader> = {}): PlainHeader {
  return { connection: 1, term: 0, reset: 0, sequence: 0, ack: -1, ackBits: 0, ...values };
}

/** A claim without authority. */
export const UNCLAIMED: readonly number[] = [NO_SLOT, 0, 0, 0];

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
