import type { Random } from '../../src/core/base/random.ts';
import {
  MAX_BASELINE_AGE,
  MAX_NAME_BYTES,
  MAX_PLAYERS,
  MAX_SEQUENCE_LEAD,
} from '../../src/core/base/constants.ts';
import type { BodyId, Existence, Slot } from '../../src/core/base/ids.ts';
import { KEPT, NOT_HELD } from '../../src/core/base/ids.ts';
import { STATE, STRIDE } from '../../src/core/base/state.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import type { Link } from '../../src/core/peer/link.ts';
import { existing, generationOf, gone, isExistence } from '../../src/core/world/existence.ts';
import { MAX_AGE } from '../../src/core/wire/avatar/avatar.ts';
import { MAX_OFFSET, TURN_STEP } from '../../src/core/wire/bodies/quantise.ts';
import type { SharedLayout } from '../../src/core/shared/layout.ts';
import type { Counts } from '../support/shared-packets.ts';
import { randomSharedOf } from '../core/wire/random-shared.ts';
import type {
  PlainAuthor,
  PlainAvatar,
  PlainHand,
  PlainHeader,
  PlainPacket,
  PlainUpdate,
} from '../support/packets.ts';
import { encode, HIGH, LOW, snapped } from '../support/packets.ts';

/** A packet that was read whole by its receiver, and its number there. */
export type Heard = { readonly plain: PlainPacket; readonly number: number };

/**
 * One who speaks to a peer in well-formed packets, and lies: it writes against the very baselines that the
 * receiver keeps, so that what it says is decoded.
 */
export class Liar {
  readonly #to: Peer;
  readonly #from: Slot;
  readonly #link: Link;
  readonly #random: Random;
  #tick: number;

  constructor(to: Peer, from: Slot, link: Link, random: Random) {
    this.#to = to;
    this.#from = from;
    this.#link = link;
    this.#random = random;
    this.#tick = Math.max(0, to.state.authors[from].newestTick);
  }

  /** A packet that is made up. */
  invented(): Uint8Array {
    const random = this.#random;
    const number = this.#nextNumber();
    const base = this.#age(number, 0.4, this.#isBase);
    const slots = this.#slots();
    const authors = slots.map((slot) => ({
      slot,
      tick: this.#aTick(slot) & 0xffff,
      avatar: random.chance(0.6) ? this.#avatar() : null,
      baselineAge: this.#age(number, 0.4, (packet) => this.#link.received.hasAvatar(packet, slot)),
    }));
    const share = random.chance(0.1) ? 1 : 0.3;
    const updates = this.#bodies(share).map((body) => this.#update(body, slots, number));
    return this.#write(this.#header(number), { authors, base, updates, ...this.#shared(authors) }, number);
  }

  /** [V] [E] Values and events that are made up; none without a schema. */
  #shared(authors: readonly PlainAuthor[]): Pick<PlainPacket, 'shared'> {
    const { shared, bodies } = this.#to.state;
    if (shared === null) return {};
    const { declaration } = shared.layout.schema;
    const counts = { bodies: bodies.count, ...jointsIn(shared.layout) };
    return { shared: randomSharedOf(this.#random, declaration, counts, authors) };
  }

  /** A real packet in which some things are others. */
  changed(heard: Heard): Uint8Array {
    const random = this.#random;
    const { plain } = heard;
    const number = this.#nextNumber();
    const chance = [0.02, 0.1, 0.4][random.below(3)];
    const authors = plain.authors.map((author) => {
      const { slot, avatar, tick, baselineAge = 0 } = author;
      return {
        slot,
        tick: (random.chance(chance) ? this.#aTick(slot) : tick + number - heard.number) & 0xffff,
        avatar: avatar === null || random.chance(chance) ? null : this.#changedAvatar(avatar, chance),
        baselineAge: this.#age(number, baselineAge === 0 ? 0.9 : 0.1, (packet) =>
          this.#link.received.hasAvatar(packet, slot as Slot),
        ),
      };
    });
    const updates = plain.updates
      .filter(() => !random.chance(chance / 2))
      .map((update) => ({
        ...this.#changedUpdate(update, chance),
        baselineAge: this.#bodyAge(number, update.body, update.baselineAge === 0 ? 0.9 : 0.1),
      }));
    const base = this.#age(number, plain.base === 0 ? 0.9 : 0.1, this.#isBase);
    const real = plain.shared === undefined ? {} : { shared: plain.shared };
    const shared = random.chance(chance) ? this.#shared(authors) : real;
    return this.#write(this.#header(number), { authors, base, updates, ...shared }, number);
  }

  #write(header: PlainHeader, said: Omit<PlainPacket, 'header'>, number: number): Uint8Array {
    const layout = this.#to.state.shared?.layout;
    const circumstances = {
      bodies: this.#to.state.bodies.count,
      speaker: this.#from,
      packet: number,
      newestTicks: [],
      before: [],
      store: this.#link.received,
      ...(layout === undefined ? {} : { schema: layout.schema.declaration, ...jointsIn(layout) }),
    };
    return encode(circumstances, { header, ...said });
  }

  #header(number: number): PlainHeader {
    const random = this.#random;
    const { term, reset } = this.#to.state;
    const { nextSequence } = this.#link.acks;
    const header = {
      connection: this.#link.connection & 0xffff,
      term: Math.max(0, term) & 0xffff,
      reset: Math.max(0, reset) & 0xffff,
      sequence: number & 0xffff,
      ack: random.chance(0.1) ? -1 : (nextSequence - 1 - random.below(8)) & 0xffff,
      ackBits: random.chance(0.8) ? 0xffffffff : random.below(2 ** 32),
    };
    if (!random.chance(0.02)) return header;
    const field = (['connection', 'term', 'reset', 'ack'] as const)[random.below(4)];
    return { ...header, [field]: random.chance(0.5) ? (header[field] + 1) & 0xffff : random.below(0x10000) };
  }

  /** Mostly the next; now and then one that was, or one that races ahead. */
  #nextNumber(): number {
    const random = this.#random;
    const next = this.#link.acks.newestReceived + 1;
    if (random.chance(0.85)) return next + random.below(3);
    if (random.chance(0.6)) return Math.max(0, next - random.below(70));
    return next + random.below(random.chance(0.5) ? 200 : 0x7fff);
  }

  /** By how many packets something is older: none, one that the receiver has, or, seldom, any. */
  #age(number: number, none: number, has: (packet: number) => boolean): number {
    const random = this.#random;
    if (random.chance(none)) return 0;
    if (random.chance(0.02)) return 1 + random.below(MAX_BASELINE_AGE);
    let chosen = 0;
    for (let age = 1, found = 0; age <= MAX_BASELINE_AGE && found < 4; age++) {
      if (has(number - age) && random.chance(1 / ++found)) chosen = age;
    }
    return chosen;
  }

  #bodyAge(number: number, body: number, none: number): number {
    return this.#age(number, none, (packet) => this.#link.received.kindIn(packet, body as BodyId) >= 0);
  }

  readonly #isBase = (packet: number): boolean => this.#link.received.tickIn(packet, this.#from) >= 0;

  #slots(): Slot[] {
    const random = this.#random;
    const isHost = this.#to.state.host === this.#from;
    if (!isHost && random.chance(0.95)) return [this.#from];
    return Array.from({ length: MAX_PLAYERS }, (_, slot) => slot as Slot).filter((slot) =>
      random.chance(slot === this.#from ? 0.98 : slot < 3 ? 0.7 : 0.1),
    );
  }

  #aTick(slot: number): number {
    const random = this.#random;
    const newest = Math.max(0, this.#to.state.authors[slot].newestTick);
    if (slot === this.#from) this.#tick = Math.max(this.#tick, newest) + 1;
    if (random.chance(0.85)) return newest + random.below(4);
    return random.chance(0.5) ? newest + random.below(200) - 100 : random.below(0x10000);
  }

  #bodies(share: number): number[] {
    const { count } = this.#to.state.bodies;
    return Array.from({ length: count }, (_, body) => body).filter(() => this.#random.chance(share));
  }

  #update(body: number, slots: readonly number[], number: number): PlainUpdate {
    const random = this.#random;
    const kind = (['record', 'rest', 'motion', 'motion'] as const)[random.below(4)];
    const state = this.#state(body);
    if (kind === 'rest') state.fill(0, STATE.linear);
    const claim = this.#claim(body, slots);
    const baselineAge = this.#bodyAge(number, body, 0.4);
    return { body, baselineAge, claim, kind, tick: this.#aTick(slots[0] ?? 0), state: this.#onGrid(state) };
  }

  /** Anywhere at any speed, or near where the receiver has the body. */
  #state(body: number): number[] {
    const random = this.#random;
    const { state } = this.#to.state.bodies.records;
    const [isNear, slower] = [random.chance(0.5), random.below(10)];
    return LOW.map((low, i) => {
      if (i >= STATE.linear) return Math.trunc(this.#number(low, HIGH[i]) / 2 ** slower);
      return isNear ? state[body * STRIDE + i] : this.#number(low, HIGH[i]);
    });
  }

  /** Off its grid a state is refused whole, which is soon tried enough [W2]. */
  #onGrid(state: readonly number[]): readonly number[] {
    return this.#random.chance(0.98) && state.length > 0 ? snapped(state) : state;
  }

  #changedUpdate(update: PlainUpdate, chance: number): PlainUpdate {
    const random = this.#random;
    const body = update.body;
    const claim = random.chance(chance)
      ? this.#claim(body, [this.#from])
      : update.claim.map((n, i) => (i > 1 && random.chance(chance) ? this.#sequence(n) : n));
    const state = update.state.map((n, i) => (random.chance(chance) ? this.#number(LOW[i], HIGH[i]) : n));
    const kinds = ['record', 'rest', 'motion'] as const;
    const isChanged = update.state.length > 0 && random.chance(chance);
    const kind = isChanged ? kinds[random.below(3)] : update.kind;
    if (kind === 'rest') state.fill(0, STATE.linear);
    return { ...update, claim, state: this.#onGrid(state), kind };
  }

  /** For itself, mostly; for nobody or for others; in a hand or not; newer by a little, older, or far off. */
  #claim(body: number, slots: readonly number[]): number[] {
    const random = this.#random;
    const { ownershipSequence, authoritySequence } = this.#to.state.bodies.records;
    const isHost = this.#to.state.host === this.#from;
    const who = random.chance(0.85) ? slots[random.below(slots.length)] : random.below(MAX_PLAYERS + 1) - 1;
    // A guest's update says nothing of hands, but that it keeps the body [A12].
    const anyHold = isHost ? 1 + random.below(3) : KEPT;
    const hold = who < 0 || random.chance(isHost ? 0.6 : 0.8) ? NOT_HELD : anyHold;
    const sequences = [ownershipSequence[body], authoritySequence[body]].map((n) => this.#sequence(n));
    return [who, hold, ...sequences, this.#existence(body)];
  }

  /** [S1] As the receiver has it, mostly; or a body of any template, of this generation or the next; or gone. */
  #existence(body: number): number {
    const random = this.#random;
    const { level, records } = this.#to.state.bodies;
    const is = records.existence[body] as Existence;
    if (level.spawning.perPlayer === 0 || random.chance(0.5)) return is;
    const generation = (generationOf(is) + random.below(2)) & 0xff;
    if (random.chance(0.5)) return existing(generation, random.below(level.templates.length + 1));
    if (random.chance(0.8)) return gone(is, 'despawned');
    const any = random.below(0x10000);
    return isExistence(any) ? any : is;
  }

  #sequence(near: number): number {
    const random = this.#random;
    if (random.chance(0.8)) return (near + random.below(4) - 1) & 0xffff;
    const steps = [MAX_SEQUENCE_LEAD, MAX_SEQUENCE_LEAD + 1, 0x7fff, 0x8000];
    return random.chance(0.7) ? (near + steps[random.below(4)]) & 0xffff : random.below(0x10000);
  }

  #number(low: number, high: number): number {
    const random = this.#random;
    if (random.chance(0.3)) return [low, high, 0, low + 1, high - 1][random.below(5)];
    return low + random.below(high - low + 1);
  }

  #pose(): number[] {
    return LOW.slice(0, 7).map((low, i) => {
      const value = this.#number(low, HIGH[i]);
      // On the avatar's grid.
      return i === STATE.largest ? value : Math.trunc(value / TURN_STEP) * TURN_STEP;
    });
  }

  #avatar(): PlainAvatar {
    const random = this.#random;
    const hands = [this.#hand(), random.chance(0.3) ? null : this.#hand()];
    const name = Array.from({ length: random.chance(0.5) ? 0 : random.below(MAX_NAME_BYTES + 1) }, () =>
      random.below(256),
    );
    const age = random.below(random.chance(0.8) ? 256 : MAX_AGE + 1);
    return { age, head: this.#pose(), hands, voice: random.below(16), name };
  }

  #hand(): PlainHand {
    const random = this.#random;
    const body = random.below(this.#to.state.bodies.count);
    const [, , ownership, authority] = this.#claim(body, [this.#from]);
    const reachOf = MAX_OFFSET * (random.chance(0.5) ? 1 : 0.02);
    const place = [0, 1, 2].map(() => Math.trunc(random.between(-reachOf, reachOf)));
    const offset = [...place, ...this.#pose().slice(3)];
    const holds = random.chance(0.6);
    return {
      pose: this.#pose(),
      grip: random.below(64),
      trigger: random.below(64),
      pointing: random.chance(0.5),
      thumbUp: random.chance(0.5),
      held: holds ? { body, ownership, authority, offset } : null,
      reach: !holds && random.chance(0.6) ? body : -1,
    };
  }

  #changedAvatar(avatar: PlainAvatar, chance: number): PlainAvatar {
    const random = this.#random;
    const hands = avatar.hands.map((hand) => {
      if (random.chance(chance)) return this.#hand();
      if (hand === null || hand.held === null || !random.chance(chance)) return hand;
      return { ...hand, held: { ...hand.held, ownership: this.#sequence(hand.held.ownership) } };
    });
    const head = random.chance(chance) ? this.#pose() : avatar.head;
    const name = random.chance(chance) ? [random.below(256)] : avatar.name;
    return { ...avatar, hands, head, name };
  }
}

/** The joints that have entries in a layout. */
function jointsIn({ groups }: SharedLayout): Omit<Counts, 'bodies'> {
  const found = groups.filter(({ scope }) => scope === 'joint');
  const [ofLevel] = found.filter(({ set }) => set.words === 1);
  const [made] = found.filter(({ set }) => set.words > 1);
  return {
    ...(ofLevel === undefined ? {} : { joints: ofLevel.count }),
    ...(made === undefined ? {} : { made: { count: made.count, kinds: made.set.places[0].highest } }),
  };
}
