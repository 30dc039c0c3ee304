import { POSE_STRIDE } from '../../core/base/state.ts';
import { TICK_RATE } from '../../core/base/constants.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import { ActingHands } from '../game/acting-hands.ts';
import { DecidedPoses } from '../game/decided-poses.ts';
import type { Hand } from '../game/hand.ts';
import { sameHand } from '../game/hand.ts';
import { posesOf } from '../game/poses.ts';
import type { LabWorld } from '../game/world.ts';
import type { GameSetup, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import type { ClockStamp } from '../network/clock-estimate.ts';
import { ClockEstimate, codeStamp } from '../network/clock-estimate.ts';
import { HISTORY, PlayerLine } from '../network/server-line.ts';
import { SnapshotRing } from '../network/snapshots.ts';
import { codeHands, codeTick, MOST_HANDS } from '../network/wire.ts';
import { serverOf } from './server.ts';

/** Ticks from a hand to the moment at which it acts: 50 ms, which few notice. */
export const LEAD = 3;

export type LateCounts = {
  /** Hands that arrived after their tick but within the window, and hands that were too late for it. */
  inserted: number;
  dropped: number;
};

/** Codes the part of a server's packet before its snapshot. A reader ignores the arguments. */
export function codeAnswer(
  c: Coder,
  stamp: ClockStamp,
  refused: number,
): { stamp: ClockStamp; refused: number } {
  return { stamp: codeStamp(c, stamp), refused: codeTick(c, refused) };
}

/** Codes the hands of one player from a tick on, as far as they are known. `take` gets them, the newest first. */
export function codeKnownHands(
  c: Coder,
  home: Hand,
  newest: number,
  count: number,
  handOf: (tick: number) => Hand,
  take: (tick: number, hand: Hand) => void,
): void {
  const at = codeTick(c, Math.max(0, newest));
  codeHands(c, at, Math.max(0, Math.min(MOST_HANDS, count)), home, handOf, take);
}

/**
 * A server that goes back: it keeps the states and hands of a window, puts a late hand where it belongs, and computes
 * everything since then again.
 */
export class RewindingServer implements LabPeer {
  readonly report = peerReport();
  readonly late: LateCounts = { inserted: 0, dropped: 0 };
  readonly #window: number;
  readonly #ring: number;
  readonly #world: LabWorld;
  readonly #hands: readonly ActingHands[];
  readonly #homes: readonly Hand[];
  readonly #lines: readonly PlayerLine[];
  readonly #clocks: readonly ClockEstimate[];
  /** For each player the ticks whose hands were refused, so that each is counted once; and how many they are. */
  readonly #refusedTicks: readonly Int32Array[];
  readonly #refused: number[];
  /** The snapshots that each player was sent. */
  readonly #snapshots: readonly SnapshotRing[];
  readonly #bodies: readonly number[];
  readonly #sendEvery: number;
  /** The world after each tick of the window: a snapshot to go back to, and the motions to send. */
  readonly #past: (Uint8Array | undefined)[] = [];
  readonly #motions: (Float32Array | undefined)[] = [];
  /** The hands with which each tick of the window was computed. */
  readonly #used: (readonly Hand[] | undefined)[] = [];
  readonly #decided: DecidedPoses;
  readonly #poses: Float32Array;
  /** The oldest tick that has changed since it was computed. */
  #changedFrom = Infinity;
  /** The tick in which the game began: no hand acts before it. */
  readonly #begun: number;
  #tick: number;

  constructor(setup: GameSetup) {
    const { scene, switches } = setup;
    const server = serverOf(setup);
    const count = scene.level.bodies.length;
    this.#window = Math.round((switches.window * TICK_RATE) / 1000);
    this.#ring = this.#window + 1;
    this.#world = setup.createWorld(server);
    this.#homes = scene.homes;
    this.#hands = scene.homes.map((home) => new ActingHands(home, HISTORY - 1));
    this.#lines = scene.homes.map((home) => new PlayerLine(home));
    this.#clocks = scene.homes.map(() => new ClockEstimate());
    this.#refusedTicks = scene.homes.map(() => new Int32Array(HISTORY).fill(-1));
    this.#refused = scene.homes.map(() => 0);
    this.#snapshots = scene.homes.map(() => new SnapshotRing(scene.level, scene.homes));
    this.#bodies = scene.level.bodies.map((_, body) => body);
    this.#sendEvery = setup.sendEvery;
    this.#decided = new DecidedPoses(count);
    this.#poses = new Float32Array(count * POSE_STRIDE);
    this.#begun = setup.firstTick(server);
    this.#tick = this.#begun;
    this.#past[this.#tick % this.#ring] = this.#world.snapshot();
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    let stamp: ClockStamp | null = null;
    const isRead = this.#lines[from]?.receive(
      bytes,
      (tick, hand) => this.take(from, tick, hand),
      (c) => {
        stamp = codeStamp(c, NO_STAMP);
      },
    );
    if (isRead === true && stamp !== null) this.#clocks[from].take(stamp, this.#tick);
  }

  /** A player's hand of a tick, which acts LEAD ticks later. */
  take(player: number, tick: number, hand: Hand): void {
    const acts = tick + LEAD;
    const hands = this.#hands[player];
    const oldest = Math.max(this.#begun, this.#tick - HISTORY / 2);
    if (tick < 1 || acts > this.#tick + HISTORY / 2 || acts <= oldest || hands.has(acts)) return;
    if (acts <= this.#tick - this.#window) {
      const refused = this.#refusedTicks[player];
      if (refused[acts % HISTORY] === acts) return;
      refused[acts % HISTORY] = acts;
      this.#refused[player]++;
      this.late.dropped++;
      return;
    }
    hands.put(acts, hand);
    if (acts > this.#tick) return;
    this.late.inserted++;
    this.#changedFrom = Math.min(this.#changedFrom, this.#firstWrong(player, acts));
  }

  /** The first tick from one on that was computed with another hand than is known or guessed by now. */
  #firstWrong(player: number, from: number): number {
    for (let tick = from; tick <= this.#tick; tick++) {
      const used = this.#used[tick % this.#ring]?.[player];
      if (used === undefined || !sameHand(used, this.#hands[player].at(tick))) return tick;
    }
    return Infinity;
  }

  tick(): void {
    if (this.#changedFrom <= this.#tick) this.#recompute(this.#changedFrom);
    this.#changedFrom = Infinity;
    this.#step(++this.#tick);
    this.report.worldTick = this.#tick;
    this.#decide(this.#tick - this.#window);
    const past = this.#past.reduce((bytes, snapshot) => bytes + (snapshot?.length ?? 0), 0);
    this.report.kept = past + this.#snapshots.reduce((bytes, ring) => bytes + ring.bytes, 0);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    if (this.#tick % this.#sendEvery !== 0) return;
    this.#lines.forEach((line, player) => {
      const applied = this.#newestOf(player);
      // The newest state that all of the player's own hands have reached, so that its own cube is right in it. The
      // hands of all others follow, up to the newest, so that the player computes the rest as the server does.
      const worldTick = Math.max(this.#tick - this.#window, Math.min(this.#tick, applied + LEAD), 1);
      const motion = this.#motions[worldTick % this.#ring] ?? this.#world.motion;
      const hands = this.#hands.map((acting) => acting.at(worldTick));
      const snapshots = this.#snapshots[player];
      snapshots.keep(this.#tick, motion, hands, worldTick);
      const bytes = line.write(snapshots, this.#tick, applied, this.#bodies, (c) =>
        this.#writePreface(c, player, worldTick),
      );
      send(player, bytes);
    });
  }

  #writePreface(c: Coder, player: number, worldTick: number): void {
    codeAnswer(c, this.#clocks[player].stamp(this.#tick), this.#refused[player]);
    this.#hands.forEach((acting, other) => {
      if (other === player) return;
      const newest = acting.newestTo(this.#tick + HISTORY / 4);
      codeKnownHands(c, this.#homes[other], newest, newest - worldTick, (tick) => acting.at(tick), ignore);
    });
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
  }

  /** Writes the poses of a tick that no late hand can change any more. @returns false before that. */
  decided(tick: number, out: Float32Array): boolean {
    return this.#decided.read(tick, out);
  }

  #decide(tick: number): void {
    const motion = tick < 1 ? undefined : this.#motions[tick % this.#ring];
    if (motion === undefined) return;
    posesOf(motion, this.#poses);
    this.#decided.put(tick, this.#poses);
  }

  /**
   * The tick up to which a player need not send its hands again. Hands older than the window are of no use
   * either.
   */
  #newestOf(player: number): number {
    let tick = Math.max(0, this.#tick - this.#window);
    while (this.#hands[player].has(tick + 1)) tick++;
    return Math.max(0, tick - LEAD);
  }

  #recompute(from: number): void {
    const before = this.#past[(from - 1) % this.#ring];
    if (before === undefined) throw new Error('the window has no state of that tick');
    this.#world.restore(before);
    for (let tick = from; tick <= this.#tick; tick++) this.#step(tick);
  }

  #step(tick: number): void {
    const hands = this.#hands.map((acting) => acting.at(tick));
    this.#used[tick % this.#ring] = hands;
    this.#world.step(hands);
    this.#past[tick % this.#ring] = this.#world.snapshot();
    this.#motions[tick % this.#ring] = this.#world.motion.slice();
  }
}

/** For readers, who ignore it. */
export const NO_STAMP: ClockStamp = { tick: 0, echo: 0, held: 0 };
const ignore = (): void => undefined;
