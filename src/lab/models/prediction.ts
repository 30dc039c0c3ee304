import type { Hand } from '../game/hand.ts';
import { goOn } from '../game/hand.ts';
import { OrderedIntake } from '../game/intake.ts';
import type { GameSetup, LabModel } from '../lab-model.ts';
import { JUMP_GAP } from '../network/playback.ts';
import { ServerLine } from '../network/server-line.ts';
import type { Snapshot } from '../network/snapshots.ts';
import type { PredictionPolicy } from './predicting-client.ts';
import { PredictingClient } from './predicting-client.ts';
import { serverOf, StateServer } from './server.ts';

/** A client whose ticks are numbered by its own hands: the server says the newest hand that a snapshot has. */
export class NumberedHands implements PredictionPolicy {
  /** This server uses every hand that arrives, however late. */
  readonly refused = 0;
  readonly word = '';
  readonly #line: ServerLine;
  /** The hands in the newest snapshot and in the one before, and the ticks between both. */
  #hands: readonly Hand[];
  #earlier: readonly Hand[];
  #apart = 0;
  #worldTick = 0;

  constructor(setup: GameSetup, player: number) {
    this.#line = new ServerLine(setup.scene, player);
    this.#hands = setup.scene.homes;
    this.#earlier = this.#hands;
  }

  receive(bytes: Uint8Array): Snapshot | null {
    const snapshot = this.#line.receive(bytes);
    if (snapshot === null) return null;
    this.#earlier = this.#hands;
    this.#hands = snapshot.hands;
    this.#apart = snapshot.worldTick - this.#worldTick;
    this.#worldTick = snapshot.worldTick;
    return snapshot;
  }

  advance(hand: Hand): number {
    this.#line.note(hand);
    return this.#line.tick;
  }

  ownHand(tick: number): Hand {
    return this.#line.handOf(tick);
  }

  /** Other players' hands are taken to go on as they moved between the last two snapshots, for a while. */
  otherHand(player: number, tick: number): Hand {
    const [before, last] = [this.#earlier[player], this.#hands[player]];
    if (this.#apart <= 0 || this.#apart > JUMP_GAP) return last;
    return goOn(before, last, Math.max(0, tick - this.#line.applied), this.#apart);
  }

  tickOf(): number {
    return this.#line.applied;
  }

  mustReplay(): boolean {
    return false;
  }

  write(): Uint8Array {
    return this.writeTo(this.#line);
  }

  /** All hands that the server may not have used yet. */
  protected writeTo(line: ServerLine): Uint8Array {
    return line.write(true);
  }

  get kept(): number {
    return this.#line.snapshots.bytes;
  }
}

/**
 * Client-side prediction with rewind and replay, the usual way of action games with a server. QuakeWorld had it
 * first (1996); Gabriel Gambetta's "Client-Server Game Architecture", Glenn Fiedler's "Networked Physics" (2004) and
 * Joe Best's "Client-Side Prediction with Physics in Unity" (2018) describe it. Hands carry the number of their tick
 * and are sent until the server has used them. Everything that the client may touch is drawn as the client predicts
 * it; a switch draws it between snapshots instead.
 */
export const prediction: LabModel = {
  id: 'prediction',
  title: 'Prediction, rewind and replay',
  look: 'Your own cube, and what it pushes, follow at once. When the server saw it otherwise, they are drawn back; the other player is guessed to go on as it moved, and put right all the time.',
  suits:
    'Action games with a server that decides: shooters, racing, and physics that players seldom share at the same moment.',
  engine: 'fastest',
  rate: 60,
  create(setup) {
    const server = new StateServer(setup, (home) => new OrderedIntake(home));
    const isInterpolated = (): boolean => setup.switches.neighbours === 'interpolated';
    const clients = setup.scene.homes.map((_, player) => {
      const policy = new NumberedHands(setup, player);
      return new PredictingClient(setup, player, policy, { server: serverOf(setup), isInterpolated });
    });
    return {
      peers: [...clients, server],
      truth: (out) => server.view(out),
      timeline: {
        present: (player) => clients[player].report.worldTick,
        decided: (player, tick, out) => server.decided(player, tick, out),
      },
    };
  },
};
