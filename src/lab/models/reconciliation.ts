import { ActingHands } from '../game/acting-hands.ts';
import type { Hand } from '../game/hand.ts';
import { sameHand } from '../game/hand.ts';
import type { GameSetup, LabModel } from '../lab-model.ts';
import { ClockEstimate, codeStamp } from '../network/clock-estimate.ts';
import { HISTORY, ServerLine } from '../network/server-line.ts';
import type { Snapshot } from '../network/snapshots.ts';
import type { PredictionPolicy } from './predicting-client.ts';
import { PredictingClient } from './predicting-client.ts';
import { codeAnswer, codeKnownHands, LEAD, NO_STAMP, RewindingServer } from './rewinding-server.ts';
import { serverOf } from './server.ts';

/** Ticks by which the own ticks may differ from the estimate of the server's before they follow it. */
const DRIFT = 1;
/** Ticks for which the player is told that hands were refused. */
const TOLD_FOR = 60;

/** A client that plays in the server's ticks, as far as it can tell them from packets. */
class SharedTicks implements PredictionPolicy {
  readonly #line: ServerLine;
  readonly #clock = new ClockEstimate();
  readonly #others: readonly ActingHands[];
  /** For each player the hands with which the ticks were computed last. */
  readonly #used: readonly (Hand | undefined)[][];
  readonly #homes: readonly Hand[];
  readonly #self: number;
  readonly #window: number;
  #now: number;
  #hasNews = false;
  #refused = 0;
  #refusedAt = -Infinity;

  constructor(setup: GameSetup, player: number) {
    this.#self = player;
    this.#homes = setup.scene.homes;
    this.#line = new ServerLine(setup.scene, player);
    this.#others = setup.scene.homes.map((home) => new ActingHands(home, HISTORY - 1));
    this.#used = setup.scene.homes.map(() => []);
    this.#window = setup.switches.window;
    this.#now = setup.firstTick(player);
  }

  receive(bytes: Uint8Array): Snapshot | null {
    let answer = { stamp: NO_STAMP, refused: 0 };
    const heard: { player: number; tick: number; hand: Hand }[] = [];
    const snapshot = this.#line.receive(bytes, (c) => {
      answer = codeAnswer(c, NO_STAMP, 0);
      this.#homes.forEach((home, player) => {
        if (player === this.#self) return;
        codeKnownHands(
          c,
          home,
          0,
          0,
          () => home,
          (tick, hand) => heard.push({ player, tick, hand }),
        );
      });
    });
    if (snapshot === null) return null;
    this.#clock.take(answer.stamp, this.#now);
    if (answer.refused > this.#refused) this.#refusedAt = this.#now;
    this.#refused = answer.refused;
    for (const { player, tick, hand } of heard) this.#take(player, tick, hand);
    // The state has the hands of all players in its tick.
    snapshot.hands.forEach((hand, player) => {
      if (player !== this.#self) this.#take(player, snapshot.worldTick, hand);
    });
    return snapshot;
  }

  #take(player: number, tick: number, hand: Hand): void {
    const hands = this.#others[player];
    if (tick < 1) return;
    hands.put(tick, hand);
    for (let at = tick; at <= this.#line.tick && !this.#hasNews; at++) {
      const used = this.#used[player][at % HISTORY];
      this.#hasNews = used === undefined || !sameHand(used, hands.at(at));
    }
  }

  advance(hand: Hand): number {
    this.#now++;
    if (!this.#clock.isKnown) return 0;
    const target = this.#now + this.#clock.ahead;
    if (this.#line.tick === 0) this.#line.begin(Math.round(target) - 1);
    const off = target - (this.#line.tick + 1);
    const ticks = Math.abs(off) <= DRIFT ? 1 : Math.max(0, 1 + Math.trunc(off));
    for (let i = 0; i < ticks; i++) this.#line.note(hand);
    return this.#line.tick;
  }

  ownHand(tick: number): Hand {
    return this.#line.handOf(tick - LEAD);
  }

  otherHand(player: number, tick: number): Hand {
    const hand = this.#others[player].at(tick);
    this.#used[player][tick % HISTORY] = hand;
    return hand;
  }

  tickOf(snapshot: Snapshot): number {
    return snapshot.worldTick;
  }

  mustReplay(): boolean {
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    return hasNews;
  }

  write(): Uint8Array {
    return this.#line.write(true, (c) => codeStamp(c, this.#clock.stamp(this.#now)));
  }

  get kept(): number {
    return this.#line.snapshots.bytes;
  }

  get refused(): number {
    return this.#refused;
  }

  get word(): string {
    return this.#now - this.#refusedAt > TOLD_FOR
      ? ''
      : `The server refuses your hands: they come later than the ${this.#window} ms that it takes them late.`;
  }
}

/**
 * Server reconciliation. A hand is stamped with the moment at which it acts, a little after now. The server puts
 * it there even if it arrives late, within a window, and computes everything since then again. So an action
 * happens when the player did it, whatever the network. Clients play in the server's ticks and predict everything:
 * they get the newest state that has all of their own hands, and what the server knows of other hands since then.
 * After the rewinding servers of fighting and sports games: GGPO's idea, moved into the server.
 */
export const reconciliation: LabModel = {
  id: 'reconciliation',
  title: 'Server reconciliation',
  look: 'Your cube, and what it pushes, follow 50 ms after your hand, at any latency. What others do late is eased into its place. Beyond the window the server refuses your hands, and says so.',
  suits:
    'Few players, small worlds, where timing is the game: sports, fighting. The server pays, in memory and in steps.',
  engine: 'fastest',
  rate: 60,
  create(setup) {
    const server = new RewindingServer(setup);
    const isInterpolated = (): boolean => setup.switches.neighbours === 'interpolated';
    const clients = setup.scene.homes.map((_, player) => {
      const policy = new SharedTicks(setup, player);
      return new PredictingClient(setup, player, policy, { server: serverOf(setup), isInterpolated });
    });
    return {
      peers: [...clients, server],
      truth: (out) => server.view(out),
      timeline: {
        present: (player) => (clients[player].report.worldTick > 0 ? clients[player].report.worldTick : -1),
        decided: (_player, tick, out) => server.decided(tick, out),
      },
    };
  },
};
