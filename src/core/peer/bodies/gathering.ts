import type { BodyId } from '../../base/ids.ts';
import { isInHand, KEPT, NO_SLOT } from '../../base/ids.ts';
import { ticksIn } from '../../base/constants.ts';
import { gather } from '../../world/authority.ts';
import type { Records } from '../../world/record.ts';
import { ignoreLateClaims } from '../policy/host-policy.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';

/** Seconds between two looks, about: a whole number of ticks. */
const LOOK_SECONDS = 1 / 6;
/** Looks a second. */
const LOOKS = 6;
/**
 * Half looks after which an island is gathered: five seconds of unrest, since an island that is left alone is at rest
 * long before. A look without unrest takes one half off only, since a swaying body pauses at each end.
 */
const PATIENCE = 2 * 5 * LOOKS;
/** Looks after which the host takes a body of which its player sends no state: three seconds. */
const UNSEEN_LOOKS = 3 * LOOKS;
/** Half looks that a look with unrest adds. */
const UNREST = 2;
/** Looks for which a touch counts after it has ended: pendulums that strike each other touch for a tick or two each time. */
const LINGERS = (3 * LOOKS) / 2;

/**
 * [A11] Bodies of several players that keep each other awake, each seen a round trip late by the others, can sway for
 * ever. The host gathers them, with all bodies that they touch: in one engine they come to rest.
 */
export class Gathering {
  /** For each body, in half looks, how long it has lately touched another player's while one of the two was awake. */
  readonly #unrest: Uint8Array;
  /** For each body the looks for which its last touch of another player's body still counts. */
  readonly #lingers: Uint8Array;
  /** For each body the other one of that touch. */
  readonly #touched: Int16Array;
  /** For each body the looks in a row in which its player sent packets, but no state of it that is believed. */
  readonly #unseen: Uint8Array;
  /** Scratch of one look: 1 for a body of an island that was found already. */
  readonly #seen: Uint8Array;
  /** Scratch: the bodies of the island that was found last. */
  readonly #island: Int32Array;

  /** Ticks between two looks. */
  readonly #lookTicks: number;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#lookTicks = ticksIn(LOOK_SECONDS, rate);
    this.#unseen = new Uint8Array(count);
    this.#unrest = new Uint8Array(count);
    this.#lingers = new Uint8Array(count);
    this.#touched = new Int16Array(count);
    this.#seen = new Uint8Array(count);
    this.#island = new Int32Array(count);
  }

  /** Host: call after each step; looks six times a second. */
  run(peer: PeerState): void {
    const { records } = peer.bodies;
    this.#noticeTouches(peer);
    if (peer.tick % this.#lookTicks !== 0) return;
    const busy = playersThatHold(records);
    this.#seen.fill(0);
    for (let body = 0 as BodyId; body < records.count; body++) {
      this.#takeUnseen(peer, body);
      const before = this.#unrest[body];
      const restless = this.#isRestless(peer, body, busy);
      if (!restless && before === 0) continue;
      // A body under nobody has rested, or begun anew.
      const rested = records.authority[body] === NO_SLOT ? 0 : before - 1;
      this.#unrest[body] = restless ? Math.min(PATIENCE, before + UNREST) : rested;
      if (this.#unrest[body] === PATIENCE && this.#seen[body] === 0) this.#gatherIsland(peer, body, busy);
    }
  }

  /**
   * [A11.7] A newcomer waits for a state of every body. A page that sends none would keep it waiting. [H9.6] A body of
   * which no state is believed would be elsewhere for its player than for all others.
   */
  #takeUnseen(peer: PeerState, body: BodyId): void {
    const { authority, hold, islands } = peer.bodies.records;
    const has = authority[body];
    const isUnseen =
      has !== NO_SLOT &&
      has !== peer.self &&
      // [J3.1] A jointed body has a pose of its own in a hand, too.
      (!isInHand(hold[body]) || islands.isJointed[body] === 1) &&
      (peer.relay.author[body] !== has || peer.relay.doubted[body] === 1) &&
      peer.tick - peer.authors[has].receivedTick <= this.#lookTicks;
    this.#unseen[body] = isUnseen ? this.#unseen[body] + 1 : 0;
    if (this.#unseen[body] < UNSEEN_LOOKS) return;
    this.#unseen[body] = 0;
    gatherBody(peer, body);
  }

  /** Bodies of two players began to touch in this tick: for a while that counts, for both. */
  #noticeTouches({ bodies: { records, simulation } }: PeerState): void {
    const { started, startedCount } = simulation.contacts;
    for (let i = 0; i < startedCount; i += 2) {
      const a = started[i];
      const b = started[i + 1];
      // [A12] A kept body is acted upon: what it strikes now and then is played with.
      if (records.hold[a] === KEPT || records.hold[b] === KEPT) continue;
      this.#linger(a, b);
      this.#linger(b, a);
    }
  }

  #linger(body: BodyId, other: BodyId): void {
    this.#lingers[body] = LINGERS;
    this.#touched[body] = other;
  }

  /**
   * True if a guest's body touches another player's, or has just done so, neither of the two holds anything, and one body
   * is awake.
   */
  #isRestless(peer: PeerState, body: BodyId, busy: number): boolean {
    const { records, simulation } = peer.bodies;
    const has = records.authority[body];
    const lingers = this.#lingers[body] > 0;
    if (lingers) this.#lingers[body]--;
    if (records.hold[body] === KEPT) return false;
    if (has === NO_SLOT || has === peer.self || isAmong(busy, has)) return false;
    const neighbours = simulation.contacts.neighbours[body];
    for (let n = 0; n < neighbours.length; n++) {
      const other = neighbours[n];
      if (!isUnrest(records, body, other, busy)) continue;
      if (records.hold[other] !== KEPT) this.#linger(body, other);
      return true;
    }
    return lingers && isUnrest(records, body, this.#touched[body] as BodyId, busy);
  }

  /**
   * Gathers an island, unless a player with a body in it holds something: that player may be at work there, and what
   * its hand pushes is not felt in this engine [G5].
   */
  #gatherIsland(peer: PeerState, first: BodyId, busy: number): void {
    const { authority, hold } = peer.bodies.records;
    const count = this.#findIsland(peer, first);
    for (let i = 0; i < count; i++) if (isAmong(busy, authority[this.#island[i]])) return;
    for (let i = 0; i < count; i++) {
      const body = this.#island[i] as BodyId;
      this.#unrest[body] = 0;
      if (authority[body] !== peer.self && hold[body] !== KEPT) gatherBody(peer, body);
    }
  }

  /**
   * Fills `#island` with the bodies under any player that touch the first, directly or through others.
   * @returns how many they are.
   */
  #findIsland({ bodies: { records, simulation } }: PeerState, first: BodyId): number {
    this.#seen[first] = 1;
    this.#island[0] = first;
    let count = 1;
    for (let i = 0; i < count; i++) {
      for (const other of simulation.contacts.neighbours[this.#island[i]]) {
        if (this.#seen[other] === 1 || records.authority[other] === NO_SLOT) continue;
        this.#seen[other] = 1;
        this.#island[count++] = other;
      }
    }
    return count;
  }
}

/** [A11] The host takes authority over a guest's body, and simulates it from now on. */
export function gatherBody(peer: PeerState, body: BodyId): void {
  ignoreLateClaims(peer, body);
  gather(peer.bodies.records, body, peer.self);
  peer.bodies.startSimulating(body);
  logEvent(peer, 'take', 'A11', body, peer.self);
}

/** The slots of the players that hold something, as bits. */
function playersThatHold({ count, authority, hold }: Records): number {
  let slots = 0;
  for (let body = 0; body < count; body++)
    if (isInHand(hold[body]) && authority[body] !== NO_SLOT) slots = (slots | (1 << authority[body])) >>> 0;
  return slots;
}

/** True if another player has the other body, does not hold anything, and one of the two bodies is awake. */
function isUnrest({ authority, resting }: Records, body: BodyId, other: BodyId, busy: number): boolean {
  const has = authority[other];
  if (has === NO_SLOT || has === authority[body] || isAmong(busy, has)) return false;
  return resting[body] === 0 || resting[other] === 0;
}

/** True if the bits of `slots` have this slot. */
function isAmong(slots: number, slot: number): boolean {
  return ((slots >>> slot) & 1) === 1;
}
