import { TICK_RATE } from '../../core/base/constants.ts';
import type { Hand } from '../game/hand.ts';
import type { GameSetup, LabModel, LabPeer } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import { posesOf } from '../game/poses.ts';
import { HISTORY, PlayerLine } from '../network/server-line.ts';
import type { Snapshot } from '../network/snapshots.ts';
import { SnapshotRing } from '../network/snapshots.ts';
import type { LabWorld } from '../game/world.ts';
import { PredictingClient } from './prediction.ts';
import { SERVER } from './server.ts';

/** Ticks from a hand to the moment at which it acts: 50 ms, which few notice. */
const LEAD = 3;
/** Ticks by which a hand may be late. The window trades tolerance against the size of jumps. */
const WINDOW = 0.4 * TICK_RATE;
const RING = WINDOW + 1;

/** The hands of one player by the tick at which they act. The clocks of all machines are taken to agree. */
class ActingHands {
  readonly #ticks = new Int32Array(HISTORY).fill(-1);
  readonly #hands: Hand[];
  readonly #home: Hand;

  constructor(home: Hand) {
    this.#home = home;
    this.#hands = new Array<Hand>(HISTORY).fill(home);
  }

  has(tick: number): boolean {
    return this.#ticks[tick % HISTORY] === tick;
  }

  put(tick: number, hand: Hand): void {
    this.#ticks[tick % HISTORY] = tick;
    this.#hands[tick % HISTORY] = hand;
  }

  /** The hand that acts in a tick; where none arrived, the hand of the tick before. */
  at(tick: number): Hand {
    for (let back = 0; back <= WINDOW + LEAD && tick - back > 0; back++) {
      if (this.has(tick - back)) return this.#hands[(tick - back) % HISTORY];
    }
    return this.#home;
  }
}

export type LateCounts = {
  /** Hands that arrived after their tick but within the window, and hands that were too late for it. */
  inserted: number;
  dropped: number;
};

/**
 * A server that goes back: it keeps the states and hands of a window, puts a late hand where it belongs, and
 * computes everything since then again.
 */
export class RewindingServer implements LabPeer {
  readonly report = peerReport();
  readonly late: LateCounts = { inserted: 0, dropped: 0 };
  readonly #world: LabWorld;
  readonly #hands: readonly ActingHands[];
  readonly #lines: readonly PlayerLine[];
  /** The snapshots that each player was sent. */
  readonly #snapshots: readonly SnapshotRing[];
  readonly #bodies: readonly number[];
  readonly #sendEvery: number;
  /** The world after each tick of the window: a snapshot to go back to, and the motions to send. */
  readonly #past: (Uint8Array | undefined)[] = [];
  readonly #motions: (Float32Array | undefined)[] = [];
  /** The oldest tick that has changed since it was computed. */
  #changedFrom = Infinity;
  #tick = 0;

  constructor(setup: GameSetup) {
    const { scene } = setup;
    this.#world = setup.createWorld(SERVER);
    this.#hands = scene.homes.map((home) => new ActingHands(home));
    this.#lines = scene.homes.map((home) => new PlayerLine(home));
    this.#snapshots = scene.homes.map(() => new SnapshotRing(scene.bodies, scene.homes));
    this.#bodies = scene.bodies.bodies.map((_, body) => body);
    this.#sendEvery = setup.sendEvery;
    this.#past[0] = this.#world.snapshot();
  }

  receive(_nowMs: number, from: number, bytes: Uint8Array): void {
    this.#lines[from]?.receive(bytes, (tick, hand) => this.take(from, tick, hand));
  }

  /** A player's hand of a tick, which acts LEAD ticks later. */
  take(player: number, tick: number, hand: Hand): void {
    const acts = tick + LEAD;
    const hands = this.#hands[player];
    if (tick < 1 || acts > this.#tick + HISTORY / 2 || acts <= this.#tick - HISTORY / 2 || hands.has(acts))
      return;
    if (acts <= this.#tick - WINDOW) {
      this.late.dropped++;
      return;
    }
    hands.put(acts, hand);
    if (acts > this.#tick) return;
    this.late.inserted++;
    this.#changedFrom = Math.min(this.#changedFrom, acts);
  }

  tick(): void {
    if (this.#changedFrom <= this.#tick) this.#recompute(this.#changedFrom);
    this.#changedFrom = Infinity;
    this.#step(++this.#tick);
    this.report.worldTick = this.#tick;
    const past = this.#past.reduce((bytes, snapshot) => bytes + (snapshot?.length ?? 0), 0);
    this.report.kept = past + this.#snapshots.reduce((bytes, ring) => bytes + ring.bytes, 0);
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    if (this.#tick % this.#sendEvery !== 0) return;
    this.#lines.forEach((line, player) => {
      const applied = this.#newestOf(player);
      // A state that the player's own hands have not reached yet would only look wrong to the player.
      const worldTick = Math.max(this.#tick - WINDOW, Math.min(this.#tick, applied + LEAD), 1);
      const motion = this.#motions[worldTick % RING] ?? this.#world.motion;
      const hands = this.#hands.map((acting) => acting.at(worldTick));
      const snapshots = this.#snapshots[player];
      snapshots.keep(this.#tick, motion, hands, worldTick);
      send(player, line.write(snapshots, this.#tick, applied, this.#bodies));
    });
  }

  view(out: Float32Array): void {
    posesOf(this.#world.motion, out);
  }

  /**
   * The tick up to which a player need not send its hands again. Hands older than the window are of no use
   * either.
   */
  #newestOf(player: number): number {
    let tick = Math.max(0, this.#tick - WINDOW);
    while (this.#hands[player].has(tick + 1)) tick++;
    return Math.max(0, tick - LEAD);
  }

  #recompute(from: number): void {
    const before = this.#past[(from - 1) % RING];
    if (before === undefined) throw new Error('the window has no state of that tick');
    this.#world.restore(before);
    for (let tick = from; tick <= this.#tick; tick++) this.#step(tick);
  }

  #step(tick: number): void {
    this.#world.step(this.#hands.map((hands) => hands.at(tick)));
    this.#past[tick % RING] = this.#world.snapshot();
    this.#motions[tick % RING] = this.#world.motion.slice();
  }
}

/**
 * Server reconciliation. A hand is stamped with the moment at which it acts, a little after now. The server puts
 * it there even if it arrives late, within a window, and computes everything since then again. So an action
 * happens when the player did it, whatever the network. Clients predict their own cube, which is right but for
 * what others do meanwhile. After the rewinding servers of fighting and sports games: GGPO's idea, moved into
 * the server.
 */
export const reconciliation: LabModel = {
  id: 'reconciliation',
  title: 'Server reconciliation',
  look: 'Your cube follows 50 ms after your hand, at any latency, and is seldom drawn back. What others do late makes things jump.',
  suits:
    'Few players, small worlds, where timing is the game: sports, fighting. The server pays, in memory and in steps.',
  engine: 'fastest',
  rate: 60,
  create(setup) {
    const server = new RewindingServer(setup);
    const tickOf = (snapshot: Snapshot): number => snapshot.worldTick;
    const clients = setup.scene.homes.map(
      (_, player) => new PredictingClient(setup, player, { lead: LEAD, tickOf }),
    );
    return { peers: [...clients, server], truth: (out) => server.view(out) };
  },
};
