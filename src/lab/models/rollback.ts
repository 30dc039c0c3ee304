import { POSE_STRIDE } from '../../core/base/state.ts';
import { DecidedPoses } from '../game/decided-poses.ts';
import { Departures, GONE_WORD } from '../game/departures.ts';
import { Easing } from '../game/easing.ts';
import type { Hand } from '../game/hand.ts';
import { sameHand } from '../game/hand.ts';
import { HandExchange, HandTrack, HashTrack, partedWord } from '../game/hand-exchange.ts';
import type { Knock } from '../game/knocks.ts';
import { HeldKnocks, knocksBetween } from '../game/knocks.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import type { Preface } from '../network/server-line.ts';
import { posesOf } from '../game/poses.ts';
import type { LabWorld } from '../game/world.ts';

/**
 * The share of a correction that is taken back in a tick. A moving hand is corrected in each tick; with a tenth, the
 * picture would lag 150 ms behind these corrections.
 */
const EASED = 0.2;
/** The most ticks that are predicted; beyond that it waits. 0.6 s; GGPO allows an eighth of a second. */
const MOST_PREDICTED = 36;
const RING = MOST_PREDICTED + 1;
/**
 * Ticks by which one peer may be ahead of the other before it waits for one tick, and ticks between two such
 * waits.
 */
const AHEAD = 3;
const WAIT_EVERY = 8;

/** Learns of everything that can't be taken back. */
export type Listener = {
  /** An own hand acts in a tick. */
  readonly acted?: (tick: number, hand: Hand) => void;
  /** A knock happened in a tick that can't change any more. */
  readonly heard?: (knock: Knock) => void;
};

/** A peer that steps at once, guesses the hands that have not arrived, and goes back where a guess was wrong. */
export class RollbackPeer implements LabPeer {
  readonly report = peerReport();
  /** The hash of the world after each tick in which no hand is a guess. */
  readonly hashes = new HashTrack();
  readonly #self: number;
  readonly #world: LabWorld;
  readonly #own: HandTrack;
  readonly #others: readonly (HandExchange | null)[];
  readonly #departures: Departures;
  readonly #past: (Uint8Array | undefined)[] = [];
  readonly #pastHashes = new HashTrack();
  /** The hands of all players with which each tick was computed. */
  readonly #used: (readonly Hand[] | undefined)[] = [];
  /** The poses after each tick; and those of ticks in which no hand is a guess. */
  readonly #poses: (Float32Array | undefined)[] = [];
  readonly #decided: DecidedPoses;
  readonly #knocks = new HeldKnocks();
  readonly #easing: Easing;
  readonly #drawn: Float32Array;
  readonly #motionBefore: Float32Array;
  #wrongFrom = Infinity;
  #waitedAt = 0;

  readonly #listener: Listener;

  constructor(setup: GameSetup, self: number, listener: Listener = {}) {
    this.#listener = listener;
    const { homes, level } = setup.scene;
    const count = level.bodies.length;
    this.#self = self;
    this.#departures = new Departures(self, homes);
    this.#world = setup.createWorld(self);
    this.#own = new HandTrack(homes[self], 0);
    this.#others = homes.map((home, player) => (player === self ? null : new HandExchange(home, 0)));
    this.#past[0] = this.#world.snapshot();
    this.#decided = new DecidedPoses(count);
    this.#easing = new Easing(count, setup.switches.easing ? EASED : 1);
    this.#drawn = new Float32Array(count * POSE_STRIDE);
    this.#motionBefore = this.#world.motion.slice();
    posesOf(this.#world.motion, this.#drawn);
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    // The game has gone on without a player that was gone for too long, so its packets no longer count.
    if (this.#departures.isGone(from)) return;
    const isRead = this.#others[from]?.receive(
      bytes,
      (tick, hand) => this.#check(from, tick, hand),
      (c) => this.#departures.code(c, (player) => this.#trackOf(player), from),
    );
    if (isRead === true) this.#departures.hear(from);
  }

  /** A hand is known now, for which there may have been a wrong guess. */
  #check(player: number, tick: number, hand: Hand): void {
    const guess = this.#used[tick % RING]?.[player];
    if (tick > this.report.worldTick || (guess !== undefined && sameHand(guess, hand))) return;
    this.#wrongFrom = Math.min(this.#wrongFrom, tick);
  }

  #trackOf(player: number): HandTrack {
    return this.#others[player]?.theirs ?? this.#own;
  }

  /** Others pass on hands of a player who is gone: they are checked like hands of its own packets. */
  #checkGone(): void {
    const { worldTick } = this.report;
    for (let player = 0; player < this.#others.length; player++) {
      if (!this.#departures.isGone(player)) continue;
      const track = this.#trackOf(player);
      for (let tick = Math.max(1, worldTick - MOST_PREDICTED + 1); tick <= worldTick; tick++)
        this.#check(player, tick, track.at(tick));
    }
  }

  tick(hand: Hand): void {
    const { report } = this;
    this.#departures.advance();
    this.#checkGone();
    if (this.#wrongFrom <= report.worldTick) this.#rollBack(this.#wrongFrom);
    this.#wrongFrom = Infinity;
    if (!this.#mustWait()) {
      report.worldTick++;
      this.#own.put(report.worldTick, hand);
      this.#listener.acted?.(report.worldTick, hand);
      this.#step(report.worldTick);
    }
    posesOf(this.#world.motion, this.#drawn);
    this.#easing.apply(this.#drawn);
    this.#settle(Math.min(report.worldTick, this.#complete));
    for (const other of this.#others) other?.compare(this.hashes);
    // No tick before the newest one without a guess is ever gone back to.
    for (
      let tick = Math.max(0, report.worldTick - RING + 1);
      tick < Math.min(report.worldTick, this.#complete);
      tick++
    )
      this.#past[tick % RING] = undefined;
    report.kept = this.#past.reduce((bytes, snapshot) => bytes + (snapshot?.length ?? 0), 0);
    report.word = this.#word();
  }

  /** All ticks up to this one are computed for good. */
  #settle(known: number): void {
    for (let tick = this.hashes.newest + 1; tick <= known; tick++) {
      this.hashes.put(tick, this.#pastHashes.at(tick));
      const poses = this.#poses[tick % RING];
      if (poses !== undefined) this.#decided.put(tick, poses);
    }
    for (const knock of this.#knocks.take(known)) this.#listener.heard?.(knock);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    this.#others.forEach((other, player) => {
      if (player !== this.#self && other !== null) {
        const preface: Preface = (c) => this.#departures.code(c, (gone) => this.#trackOf(gone));
        send(player, other.write(this.#own, this.hashes, preface));
      }
    });
  }

  view(out: Float32Array): void {
    out.set(this.#drawn);
  }

  /** Writes where the bodies are now in this peer's world, without easing. */
  viewWorld(out: Float32Array): void {
    posesOf(this.#world.motion, out);
  }

  /** Writes the poses of a tick in which no hand is a guess. @returns false before it is one. */
  decided(tick: number, out: Float32Array): boolean {
    return this.#decided.read(tick, out);
  }

  /** All hands up to this tick are known. */
  get #complete(): number {
    return this.#others.reduce((least, other, player) => {
      const known = this.#trackOf(player).complete;
      const isOver = other === null || this.#departures.lastTick(player, known) >= 0;
      return isOver ? least : Math.min(least, known);
    }, this.#own.complete);
  }

  #step(tick: number): void {
    const hands = this.#others.map((_, player) => this.#handOf(player, tick));
    this.#used[tick % RING] = hands;
    this.#motionBefore.set(this.#world.motion);
    this.#world.step(hands);
    const poses = (this.#poses[tick % RING] ??= new Float32Array(this.#drawn.length));
    posesOf(this.#world.motion, poses);
    if (this.#listener.heard !== undefined)
      this.#knocks.put(tick, knocksBetween(this.#motionBefore, this.#world.motion, tick));
    this.#past[tick % RING] = this.#world.snapshot();
    this.#pastHashes.put(tick, this.#world.hash());
  }

  /** A hand that is not known is guessed to go on as it moved; that of a player who is gone stands still. */
  #handOf(player: number, tick: number): Hand {
    const track = this.#trackOf(player);
    return this.#departures.isGone(player) ? track.at(tick) : track.guess(tick);
  }

  #rollBack(from: number): void {
    const before = this.#past[(from - 1) % RING];
    if (before === undefined) throw new Error('there is no state to go back to');
    this.report.corrections++;
    const { worldTick } = this.report;
    const wrong = this.#poses[worldTick % RING]?.slice();
    this.#world.restore(before);
    for (let tick = from; tick <= worldTick; tick++) this.#step(tick);
    const right = this.#poses[worldTick % RING];
    if (wrong !== undefined && right !== undefined) this.#easing.correct(wrong, right);
  }

  /**
   * True if too much would be guessed, or if this peer runs ahead of another, which then has to do all the
   * guessing.
   */
  #mustWait(): boolean {
    const tick = this.report.worldTick;
    if (tick - this.#complete >= MOST_PREDICTED) return true;
    if (tick - this.#waitedAt < WAIT_EVERY) return false;
    const isAhead = this.#others.some((other, player) => {
      if (other === null || this.#departures.isGone(player)) return false;
      const ours = this.#own.complete - other.newest;
      const theirs = other.newest - other.acked;
      return ours - theirs > AHEAD;
    });
    if (isAhead) this.#waitedAt = tick;
    return isAhead;
  }

  #word(): string {
    const parted = this.#others.find((other) => (other?.partedAt ?? 0) > 0);
    if (parted !== undefined && parted !== null) return partedWord(parted.partedAt);
    const isStuck = this.report.worldTick - this.#complete >= MOST_PREDICTED;
    if (isStuck) return 'Waiting for the other player: too much would have to be guessed.';
    return this.#others.some((_, player) => this.#departures.isGone(player)) ? GONE_WORD : '';
  }
}

/**
 * Rollback, after Tony Cannon's GGPO (2006): lockstep that does not wait. It assumes that others' hands go on as they
 * moved. When the truth arrives, the world goes back to the wrong guess, and all ticks since then are computed again;
 * the picture is eased from the wrong world to the right one. Sounds wait until their tick is certain. Own hands act at
 * once: the input delay of one to five frames, which GGPO advises for less guessing, is left out. The price is computing: up to as many steps in
 * each tick as the network has ticks of delay.
 */
export const rollback: LabModel = {
  id: 'rollback',
  title: 'Rollback',
  look: 'Your hand, and what it pushes, act at once, and everything ends up exact; what the other player does is eased into its place. Watch the steps per tick as the latency grows.',
  suits: 'Fighting games and other duels with small worlds that are cheap to compute many times over.',
  engine: 'deterministic',
  rate: 60,
  create(setup) {
    const peers = setup.scene.homes.map((_, player) => new RollbackPeer(setup, player));
    return {
      peers,
      truth: (out) => peers[0].viewWorld(out),
      timeline: {
        present: (player) => peers[player].report.worldTick,
        decided: (player, tick, out) => peers[player].decided(tick, out),
      },
    };
  },
};
