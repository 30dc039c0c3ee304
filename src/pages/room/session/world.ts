import { TICK_RATE } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { PlayerInput } from '../../../core/hands/hand-input.ts';
import type { Transport } from '../../../core/link/transport.ts';
import { Peer } from '../../../core/peer/peer.ts';
import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import { peerView } from '../../../core/peer/shown/peer-view.ts';
import type { Recorder } from '../../../core/peer/recording/recorder.ts';
import type { SavedWorld } from '../../../core/wire/files/saved-world.ts';
import type { Level } from '../../../core/world/level.ts';
import type { LevelRecipe, LevelReference } from '../../../core/world/level-reference.ts';
import { referTo } from '../../../core/world/level-reference.ts';
import { createLevel } from '../../../levels/levels.ts';
import { createRapierSimulation } from '../../../physics/rapier-simulation.ts';

/** The player's slot, the host's slot, and the player's name. */
export type Place = { readonly slot: Slot; readonly host: Slot; readonly name: string };

/** How a world begins. */
export type WorldStart = {
  /** A saved world to begin from; null or left out for none. */
  readonly saved?: SavedWorld | null;
  /** [H8.1] A host's term, 0 to MAX_TERM; 0 if left out. A guest learns it from its host's packets. */
  readonly term?: number;
  /** A recorder of everything that the peer is given; null or left out for none. */
  readonly recorder?: Recorder | null;
};

/** Ticks: four seconds, as long as a slow connection takes to bring a full world. */
const KNOWN_AFTER_TICKS = 4 * TICK_RATE;

/** One peer with its engine, for as long as a scene lasts. Its owner calls `dispose`. */
export class World {
  readonly choice: LevelReference;
  readonly level: Level;
  readonly peer: Peer;
  readonly view: PeerView;
  #ticks = 0;
  /** Packets that were not sent because an earlier packet still waited [F2]. */
  skipped = 0;
  readonly #transport: Transport;
  readonly #recorder: Recorder | null;
  /** The number of the reset that brought a saved world, or -1. */
  readonly #savedReset: number;

  constructor(recipe: LevelRecipe, place: Place, transport: Transport, start: WorldStart = {}) {
    this.#transport = transport;
    this.#recorder = start.recorder ?? null;
    this.level = createLevel(recipe);
    this.choice = referTo(recipe, this.level);
    this.peer = new Peer({
      ...place,
      level: this.level,
      simulation: createRapierSimulation(this.level),
      recorder: this.#recorder?.begin({ ...place, level: this.choice }) ?? null,
    });
    if (start.term) this.peer.becomeHost(start.term, []);
    if (start.saved) this.peer.restart(start.saved);
    this.#savedReset = start.saved ? this.peer.diagnostics.reset : -1;
    this.view = peerView(this.level.bodies.length);
  }

  /**
   * True once its peer knows the present world, or after KNOWN_AFTER_TICKS: a player that has authority over a body
   * but never sends its state must not keep others out.
   */
  get isKnown(): boolean {
    return this.peer.hasWorld || this.#ticks >= KNOWN_AFTER_TICKS;
  }

  /**
   * True if something in it can be lost: somebody has touched a body, or it is the saved world from which it began.
   * False after a reset, until somebody touches a body.
   */
  get isWorthKeeping(): boolean {
    return this.peer.isTouched || this.peer.diagnostics.reset === this.#savedReset;
  }

  /** Takes in the packets that have arrived. @param nowMs milliseconds. */
  receive(nowMs: number): void {
    this.#recorder?.at(nowMs);
    this.#transport.receive(nowMs, (from, bytes) => this.peer.receive(nowMs, from, bytes));
  }

  /** Runs one tick, and sends its packets. @param nowMs milliseconds. */
  tick(nowMs: number, input: PlayerInput): void {
    this.#ticks++;
    this.peer.tick(input);
    this.peer.poll(nowMs, this.#send, this.#ready);
  }

  readonly #send = (to: Slot, bytes: Uint8Array): void => {
    this.#transport.send(to, bytes);
  };

  readonly #ready = (to: Slot): boolean => {
    const isReady = this.#transport.ready(to);
    if (!isReady) this.skipped++;
    return isReady;
  };

  /** Frees the engine's memory; the world can't be used any more. */
  dispose(): void {
    this.peer.dispose();
  }
}
