import type { BodyId, Slot } from '../../core/base/ids.ts';
import { HAND_SIDES, KEPT, NO_BODY } from '../../core/base/ids.ts';
import { MAX_PLAYERS, ticksIn } from '../../core/base/constants.ts';
import { BOUNDS_SLACK, isWithin } from '../../core/world/level.ts';
import { POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import type { Numbers } from '../../core/peer/diagnostics/bodies-diagnostics.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { capacityOf } from '../../core/world/existence.ts';
import { firstDifference } from './agreement.ts';
import { MovingBodies } from './moving-bodies.ts';
import type { JudgedRoom, Violation } from './violation.ts';
import { checkIslands, wasReleased } from './islands.ts';
import { SpawnLedger } from './spawn-ledger.ts';

/** Violations that are kept. A run that breaks more has told enough. */
const MOST_VIOLATIONS = 50;
/** Seconds of truth that are kept: longer than any playout delay. */
const HISTORY_SECONDS = 64 / 15;
/** Milliseconds for which a body may rest before it is back under none, on a perfect network [I4]. */
const STUCK_MS = 2000;

/**
 * The referee belongs to no peer. It sees the state of all peers at the same instant, and checks what must
 * always be true. Its truth about a body is the state on the peer that simulates it by the host's record.
 */
export class Referee {
  readonly violations: Violation[] = [];
  /** The step from which the network loses nothing. Checks that need delivery count their time from there. */
  calmFrom = -Infinity;
  /** [I4] Milliseconds for which a body may rest before it is back under none. */
  patienceMs: number;
  /** Metres; errors of awake bodies on guests. */
  readonly shownErrors: number[] = [];
  readonly nowErrors: number[] = [];
  readonly #room: JudgedRoom;
  readonly #host: Peer;
  readonly #count: number;
  readonly #ledger: SpawnLedger;
  /** Steps in HISTORY_SECONDS. */
  readonly #history: number;
  readonly #tickMs: number;
  /** For the last `#history` steps: true positions, and whether the body was awake. */
  readonly #positions: Float32Array;
  /**
   * For each slot and tick of that player, the step in which it made the tick; and the tick itself, to detect
   * old entries.
   */
  readonly #stepOf: Int32Array;
  readonly #tickOf: Int32Array;
  readonly #awake: Uint8Array;
  readonly #simulator: Int8Array;
  readonly #holder: Int8Array;
  readonly #restSince: Int32Array;
  /** For each body the slot, or -1, under which its rest was stored. */
  readonly #restUnder: Int8Array;
  /** For each body the host's ownership sequence at that moment. */
  readonly #restOwnership: Uint16Array;
  /** For each body the ticks for which it has rested, as of the last step. */
  readonly #restedFor: Uint16Array;
  /** The count of rest places of each body's record, as it was in the step before. */
  readonly #restPlace: Uint16Array;
  readonly #restState: Int32Array;
  readonly #stuck: Uint8Array;
  readonly #eventsSeen = new WeakMap<Peer, number>();
  readonly #measures: boolean;
  readonly #moving: MovingBodies;
  /** For each slot the last step in which its line carried nothing. */
  readonly #heldUpAt = new Float64Array(MAX_PLAYERS).fill(-Infinity);
  #reset = 0;
  #agreesSince = -1;
  #awakeLast = 0;

  /**
   * @param roundTripMs the longest round trip of the network.
   * @param lossy true if it loses packets.
   * @param measures true to measure errors, too.
   */
  constructor(room: JudgedRoom, roundTripMs: number, lossy: boolean, measures = true) {
    this.#room = room;
    this.#measures = measures;
    this.#host = room.peers[0];
    this.#count = capacityOf(room.level);
    this.#ledger = new SpawnLedger(this.#host, room.level);
    this.#moving = new MovingBodies(room.level);
    const { rate } = room.level;
    const history = ticksIn(HISTORY_SECONDS, rate);
    this.#history = history;
    this.#tickMs = 1000 / rate;
    this.#stepOf = new Int32Array(MAX_PLAYERS * history);
    this.#tickOf = new Int32Array(MAX_PLAYERS * history).fill(-1);
    this.#positions = new Float32Array(history * this.#count * 3);
    this.#awake = new Uint8Array(history * this.#count);
    this.#simulator = new Int8Array(history * this.#count);
    this.#holder = new Int8Array(this.#count).fill(-1);
    this.#restSince = new Int32Array(this.#count).fill(-1);
    this.#restUnder = new Int8Array(this.#count);
    this.#restOwnership = new Uint16Array(this.#count);
    this.#restedFor = new Uint16Array(this.#count);
    this.#restPlace = new Uint16Array(this.#count);
    this.#restState = new Int32Array(this.#count * STRIDE);
    this.#stuck = new Uint8Array(this.#count);
    // Loss does not stop in such a run, so resending gets a second more.
    this.patienceMs = STUCK_MS + roundTripMs + (lossy ? 1000 : 0);
  }

  /** [I6] Call it for each peer after it has received and before it ticks. */
  afterReceive(peer: Peer): void {
    const { slot, events } = peer.diagnostics;
    events.each(this.#eventsSeen.get(peer) ?? 0, (event) => {
      if (event.kind !== 'lose' || event.slot !== slot || peer === this.#host) return;
      const inHand = HAND_SIDES.some((side) => peer.diagnostics.hands[side].held === event.body);
      const { records } = this.#host.diagnostics.bodies;
      if (inHand && records.authority[event.body] === slot && records.hold[event.body] !== 0) {
        this.#violate('I6', slot, event.body, 'lost from a hand that the host says holds it');
      }
    });
    this.#eventsSeen.set(peer, events.total);
  }

  /** Call after each step. */
  observe(): void {
    if (this.#host.diagnostics.reset !== this.#reset) this.#beginAnew();
    this.#keepTruth();
    for (const peer of this.#room.peers) {
      // A change that came in since then takes effect in the hands with the next tick.
      if (this.#hasTicked(peer)) this.#checkHands(peer);
      this.#checkBounds(peer);
      if (this.#measures && peer !== this.#host) this.#measure(peer);
    }
    this.#ledger.check((body, what) => this.#violate('I8', this.#host.diagnostics.slot, body, what));
    this.#checkHolders();
    checkIslands(this.#host, (body, what) => this.#violate('I9', this.#host.diagnostics.slot, body, what));
    this.#checkRest();
    if (firstDifference(this.#room, this.#moving) === null) {
      if (this.#agreesSince < 0) this.#agreesSince = this.#room.steps;
    } else this.#agreesSince = -1;
  }

  /** [I4] A player's line to the host has carried nothing for long. Its time counts from now on. */
  heldUp(slot: Slot): void {
    this.#heldUpAt[slot] = this.#room.steps;
  }

  /**
   * Returns the result. Call it once, at the end, when the world has come to rest: of a body that should rest and
   * still moves it says that its pose differs.
   */
  finish(): { converged: boolean; convergedAfterMs: number | null } {
    const difference = firstDifference(this.#room, this.#moving);
    const atRest = this.#awakeLast < this.#room.steps;
    const converged = difference === null && atRest;
    if (difference !== null)
      this.#violate(difference.mark, difference.peer, difference.body, difference.what);
    else this.#checkRestPoses();
    const after = Math.max(0, this.#agreesSince - Math.max(this.#awakeLast, this.calmFrom)) * this.#tickMs;
    return { converged, convergedAfterMs: converged ? Math.round(after) : null };
  }

  /** Steps for which all bodies but moving ones have rested under none, and all peers have agreed. */
  get settledFor(): number {
    const { authority } = this.#host.diagnostics.bodies.records;
    const isTaken = authority.some((slot, body) => slot >= 0 && !this.#moving.has(body as BodyId));
    if (this.#agreesSince < 0 || isTaken) return 0;
    return this.#room.steps - Math.max(this.#agreesSince, this.#awakeLast);
  }

  /**
   * [R1.5] Machines that the engine keeps trembling, and what lies on them, need not rest from now on: it is enough that
   * all draw them alike.
   * @returns the bodies that do not rest, if all of them are such; else none.
   */
  excuseMachines(): BodyId[] {
    const isMachine = new Set<string>();
    const awake: (readonly [body: BodyId, island: string])[] = [];
    for (let body = 0 as BodyId; body < this.#count; body++) {
      const { slot, bodies } = this.#truthOf(body).diagnostics;
      if (bodies.records.resting[body] === 1 || this.#moving.has(body)) continue;
      const island = `${slot} ${bodies.contactIslandOf(body)}`;
      awake.push([body, island]);
      if (bodies.records.islands.isJointed[body] === 1) isMachine.add(island);
    }
    if (!awake.every(([, island]) => isMachine.has(island))) return [];
    for (const [body] of awake) this.#moving.excuse(body);
    return awake.map(([body]) => body);
  }

  /** The scene was reset, so nothing that was stored before holds. */
  #beginAnew(): void {
    this.#reset = this.#host.diagnostics.reset;
    this.#holder.fill(-1);
    this.#restSince.fill(-1);
  }

  /** True if a peer has made a tick in this step: a clock may be slow, and a page may stall. */
  #hasTicked({ diagnostics }: Peer): boolean {
    return this.#stepIn(diagnostics.slot, diagnostics.tick) === this.#room.steps;
  }

  #truthOf(body: BodyId): Peer {
    const slot = this.#host.diagnostics.simulatorOf(body);
    return this.#room.peers.find(({ diagnostics }) => diagnostics.slot === slot) ?? this.#host;
  }

  #keepTruth(): void {
    const row = (this.#room.steps % this.#history) * this.#count;
    this.#moving.observe((body) => this.#truthOf(body).diagnostics.bodies);
    for (const { diagnostics } of this.#room.peers) {
      const { slot, tick } = diagnostics;
      const at = slot * this.#history + (tick % this.#history);
      if (this.#tickOf[at] !== tick) this.#stepOf[at] = this.#room.steps;
      this.#tickOf[at] = tick;
    }
    for (let i = 0; i < this.#count; i++) {
      const { bodies, slot } = this.#truthOf(i as BodyId).diagnostics;
      this.#simulator[row + i] = slot;
      for (let k = 0; k < 3; k++) this.#positions[(row + i) * 3 + k] = bodies.motion[i * STRIDE + k];
      this.#awake[row + i] = 1 - bodies.records.resting[i];
      const isSettled = bodies.records.resting[i] === 1 || this.#moving.has(i as BodyId);
      if (!isSettled) this.#awakeLast = this.#room.steps;
    }
  }

  /** Compares what a guest shows with what the authority had at that simulated time, and has now. */
  #measure(peer: Peer): void {
    const { diagnostics } = peer;
    const { bodies, slot: self } = diagnostics;
    for (let i = 0; i < this.#count; i++) {
      const author = diagnostics.simulatorOf(i as BodyId);
      const clock = diagnostics.playout(author);
      // If a body's simulator is outside the judged room, the referee knows none of its steps, so there is no true
      // pose.
      if (author === self || !clock.running) continue;
      // It has just been spawned or despawned.
      if (!bodies.exists(i as BodyId)) continue;
      const tick = Math.floor(clock.position);
      const step = this.#stepIn(author, tick);
      if (step <= Math.max(0, this.#room.steps - this.#history) || step >= this.#room.steps) continue;
      // A held body is shown at the exact moment, other bodies at the whole tick before.
      const share = bodies.isKinematic(i as BodyId) ? clock.position - tick : 0;
      // Against itself a guest can't err: it had the body at that time, and has lost it since.
      if (this.#simulator[(step % this.#history) * this.#count + i] === self) continue;
      if (this.#wasAwake(step, i)) this.shownErrors.push(this.#error(bodies.drawn, i, step, share));
      if (this.#wasAwake(this.#room.steps, i)) {
        this.nowErrors.push(this.#error(bodies.drawn, i, this.#room.steps, 0));
      }
    }
  }

  /** The step in which a player made one of its own ticks; -1 if that was too long ago. */
  #stepIn(author: Slot, tick: number): number {
    if (tick < 0) return -1;
    const at = author * this.#history + (tick % this.#history);
    return this.#tickOf[at] === tick ? this.#stepOf[at] : -1;
  }

  #wasAwake(step: number, body: number): boolean {
    return this.#awake[(step % this.#history) * this.#count + body] === 1;
  }

  #error(shown: Numbers, body: number, step: number, share: number): number {
    const before = ((step % this.#history) * this.#count + body) * 3;
    const after = (((step + 1) % this.#history) * this.#count + body) * 3;
    let squares = 0;
    for (let k = 0; k < 3; k++) {
      const p = this.#positions;
      const truth = share > 0 ? p[before + k] + (p[after + k] - p[before + k]) * share : p[before + k];
      squares += (shown[body * POSE_STRIDE + k] - truth) ** 2;
    }
    return Math.sqrt(squares);
  }

  /** [I2] on one peer. */
  #checkHands(peer: Peer): void {
    const { slot, hands } = peer.diagnostics;
    const [left, right] = hands;
    if (left.held !== NO_BODY && left.held === right.held) {
      this.#violate('I2', slot, left.held, 'in both hands');
    }
    for (const hand of hands) {
      if (hand.held === NO_BODY || peer.simulates(hand.held)) continue;
      this.#violate('I2', slot, hand.held, 'in a hand of one that does not have it');
    }
  }

  /** [I2] On the host, a holder changes only by release, leave, passing or giving. */
  #checkHolders(): void {
    const { records, count } = this.#host.diagnostics.bodies;
    for (let body = 0; body < count; body++) {
      const is = records.hold[body] !== 0 ? records.authority[body] : -1;
      const was = this.#holder[body];
      if (was >= 0 && is >= 0 && is !== was && !wasReleased(this.#host, body as BodyId)) {
        this.#violate('I2', 0, body, `out of the hand of ${was} into that of ${is}`);
      }
      this.#holder[body] = is;
    }
  }

  /** [I5] */
  #checkBounds(peer: Peer): void {
    const { motion } = peer.diagnostics.bodies;
    for (let body = 0; body < this.#count; body++) {
      const at = body * STRIDE;
      let sum = 0;
      for (let i = 0; i < STRIDE; i++) sum += motion[at + i];
      const within = isWithin(this.#room.level.bounds, BOUNDS_SLACK, motion, at);
      if (!Number.isFinite(sum) || !within)
        this.#violate('I5', peer.diagnostics.slot, body, 'not finite or out of bounds');
    }
  }

  /** [I3] Stores rest poses; [I4] checks for stuck bodies. */
  #checkRest(): void {
    for (let i = 0; i < this.#count; i++) {
      const { records } = this.#truthOf(i as BodyId).diagnostics.bodies;
      if (records.resting[i] === 0) {
        this.#restSince[i] = -1;
        this.#stuck[i] = 0;
        continue;
      }
      const host = this.#host.diagnostics.bodies.records;
      const authority = host.authority[i];
      // A player that takes a resting body simulates it in its own engine from then on; giving it back changes
      // nothing. A body that falls free is where the host has it.
      const isAnothers = authority >= 0 && authority !== this.#restUnder[i];
      // [R2.4] It may wake and rest again in one tick, a little further on: its first tick of rest is then 1 again.
      const isAnew =
        records.restPlaces[i] !== this.#restPlace[i] && records.restTicks[i] <= this.#restedFor[i];
      const wasWoken = authority === this.#restUnder[i] && isAnew;
      const isNew = this.#restSince[i] < 0 || isAnothers || wasWoken;
      if (isNew || host.ownershipSequence[i] !== this.#restOwnership[i]) {
        this.#restSince[i] = this.#room.steps;
        for (let k = i * STRIDE; k < (i + 1) * STRIDE; k++) this.#restState[k] = records.state[k];
      }
      this.#restUnder[i] = authority;
      this.#restedFor[i] = records.restTicks[i];
      this.#restPlace[i] = records.restPlaces[i];
      this.#restOwnership[i] = host.ownershipSequence[i];
      const since = Math.max(this.calmFrom, authority < 0 ? -Infinity : this.#heldUpAt[authority]);
      const restedMs = Math.min(records.restTicks[i], this.#room.steps - since) * this.#tickMs;
      // [A12.3] A kept body may rest for as long as it likes.
      if (host.hold[i] === KEPT || authority < 0 || restedMs <= this.patienceMs || this.#stuck[i] === 1)
        continue;
      this.#stuck[i] = 1;
      this.#violate('I4', authority, i, `at rest for ${Math.round(restedMs)} ms and not back under none`);
    }
  }

  /** [I3] at the end. */
  #checkRestPoses(): void {
    const { state } = this.#host.diagnostics.bodies.records;
    for (let i = 0; i < this.#count; i++) {
      if (this.#restSince[i] < 0 || this.#moving.has(i as BodyId)) continue;
      for (let k = i * STRIDE; k < (i + 1) * STRIDE; k++) {
        if (state[k] === this.#restState[k]) continue;
        this.#violate('I3', 0, i, 'rests elsewhere than its authority saw');
        break;
      }
    }
  }

  #violate(mark: Violation['mark'], peer: number, body: number, what: string): void {
    if (this.violations.length < MOST_VIOLATIONS) {
      this.violations.push({ mark, step: this.#room.steps, peer, body, what });
    }
  }
}
