import { TICK_MS } from '../../core/base/constants.ts';
import type { Hand } from '../game/hand.ts';
import type { Intake } from '../game/intake.ts';
import type { GameSetup, LabModel } from '../lab-model.ts';
import { HermitePlayback } from '../network/playback.ts';
import type { ServerLine } from '../network/server-line.ts';
import { PredictingClient } from './predicting-client.ts';
import { NumberedHands } from './prediction.ts';
import { serverOf, StateServer } from './server.ts';

/** The hands in an unreliable packet: Colyseus recommends a history of four for rollback. */
const HISTORY_SIZE = 4;
/** The most hands that wait at the server: `bufferMaxSize` of its documents' example. Older ones give way. */
const BUFFER = 64;
/** Milliseconds in which 63 % of a correction is taken back: `smoothMs` of its documents' examples. */
const SMOOTH_MS = 65;
const SMOOTHED = 1 - Math.exp(-TICK_MS / SMOOTH_MS);

/**
 * Colyseus' buffer of inputs: one a tick, in the order of their numbers. A tick without a new one idles: it repeats the
 * latest. Nothing is skipped to catch up, and what a packet's history no longer has is lost.
 */
export class BufferedIntake implements Intake {
  applied = 0;
  isGap = false;
  hasBegun = false;
  readonly #waiting: { tick: number; hand: Hand }[] = [];
  #latest: Hand;

  constructor(home: Hand) {
    this.#latest = home;
  }

  take(tick: number, hand: Hand): void {
    this.hasBegun = true;
    if (tick <= this.applied || this.#waiting.some((input) => input.tick === tick)) return;
    this.#waiting.push({ tick, hand });
    this.#waiting.sort((a, b) => a.tick - b.tick);
    if (this.#waiting.length > BUFFER) this.#waiting.shift();
  }

  next(): Hand {
    const input = this.#waiting.shift();
    this.isGap = input === undefined;
    if (input !== undefined) {
      this.applied = input.tick;
      this.#latest = input.hand;
    }
    return this.#latest;
  }
}

/** Adopts every state of the server, right or wrong, and plays the inputs since then again. */
class AdoptingClient extends NumberedHands {
  override mustReplay(): boolean {
    return true;
  }

  protected override writeTo(line: ServerLine): Uint8Array {
    return line.writeHands(Math.min(HISTORY_SIZE, line.tick));
  }
}

/**
 * Server prediction as Colyseus 0.18 offers it (its documents' "Netcode" pages, and its SDK's `predict.sim`): inputs are
 * sent in each tick and buffered by the server, which uses one a tick; the state goes out 20 times a second; both sides
 * step the same world. A client adopts each state whole (places and velocities, not what the engine remembers of
 * contacts), plays its later inputs again, and lets the difference fade. All bodies are parts of that world, the other
 * players' cubes, too; its documents' recipe for remote players, to draw them between states 100 ms late, is the switch.
 * Its unreliable mode is played here; over a WebSocket, its default, each lost packet holds up all later ones.
 */
export const colyseus: LabModel = {
  id: 'colyseus',
  title: 'Server prediction, Colyseus',
  look: 'Your own cube and what it pushes follow at once. States come 20 times a second, each is adopted, and the difference fades; the other player is a guess that is put right all the time.',
  suits:
    'Web games with a server that decides, where the rooms, the sharing of state and the prediction come from one library.',
  engine: 'fastest',
  rate: 20,
  create(setup: GameSetup) {
    const server = new StateServer(setup, (home) => new BufferedIntake(home));
    const isPredicted = setup.switches.neighbours === 'predicted';
    const clients = setup.scene.homes.map((_, player) => {
      const policy = new AdoptingClient(setup, player);
      return new PredictingClient(setup, player, policy, {
        server: serverOf(setup),
        eased: SMOOTHED,
        playback: new HermitePlayback(),
        isInterpolated: () => !isPredicted,
      });
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
