import { ticksIn } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import type { SendLimits } from '../core/link/send-budget.ts';
import { SEND_LIMITS } from '../core/link/send-budget.ts';
import type { Transport } from '../core/link/transport.ts';
import { Peer } from '../core/peer/peer.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import { peerView } from '../core/peer/shown/peer-view.ts';
import type { Recorder } from '../core/peer/recording/recorder.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import type { SharedSchema } from '../core/shared/schema.ts';
import type { Level } from '../core/world/level.ts';
import type { LevelReason, LevelRecipe, LevelReference, LevelSource } from '../core/world/level-reference.ts';
import { referTo } from '../core/world/level-reference.ts';
import { refuseFaulty } from '../core/world/level-faults.ts';
import { capacityOf } from '../core/world/existence.ts';
import type { Simulation } from '../core/world/simulation.ts';

/** The game that the members of a room play: the same on all of them. */
export type Game = {
  /** Its levels. */
  readonly levels: LevelSource;
  /** [V1] The schema of what its players share besides bodies; none if left out. */
  readonly schema?: SharedSchema;
  /** Makes an engine that holds a level's bodies; the caller owns it. */
  readonly simulate: (level: Level) => Simulation;
};

/** The player's slot, the host's slot, and the player's name. */
export type Place = { readonly slot: Slot; readonly host: Slot; readonly name: string };

/** How a world begins. */
export type WorldStart = {
  /** A saved world to begin from; null or left out for none. */
  readonly saved?: SavedWorld | null;
  /** [H8.1] A host's term, 0 to MAX_TERM; 0 if left out. A guest learns it from its host's packets. */
  readonly term?: number;
  /** [B1.5] Why a guest's host has begun it; `choice` if left out. */
  readonly why?: LevelReason;
  /** A recorder of everything that the peer is given; null or left out for none. */
  readonly recorder?: Recorder | null;
  /** [T1.4] False for a member without head and hands. True if left out. */
  readonly avatar?: boolean;
  /** [W9] The most that it sends; the usual limits if left out. */
  readonly limits?: SendLimits;
};

/** Seconds that a slow connection takes to bring a full world. */
const KNOWN_AFTER_SECONDS = 4;

/** One peer with its engine, for as long as a scene lasts. Its owner calls `dispose`. */
export class World {
  readonly choice: LevelReference;
  /** [B1.5] Why a guest's host has begun it. */
  readonly why: LevelReason;
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

  /** @throws RangeError if the game has no level by this recipe, and for the level's faults. */
  constructor(game: Game, recipe: LevelRecipe, place: Place, transport: Transport, start: WorldStart = {}) {
    const { avatar = true, limits = SEND_LIMITS, why = 'choice' } = start;
    const { schema = null } = game;
    this.#transport = transport;
    this.why = why;
    this.#recorder = start.recorder ?? null;
    this.level = levelOf(game, recipe);
    this.choice = referTo(recipe, this.level);
    this.peer = new Peer({
      ...place,
      avatar,
      level: this.level,
      schema,
      simulation: game.simulate(this.level),
      limits,
      recorder: this.#recorder?.begin({ ...place, avatar, level: this.choice, schema }) ?? null,
    });
    if (start.term) this.peer.becomeHost(start.term, []);
    if (start.saved) this.peer.reset(start.saved);
    this.#savedReset = start.saved ? this.peer.diagnostics.reset : -1;
    this.view = peerView(capacityOf(this.level));
  }

  /**
   * True once its peer knows the present world, or after KNOWN_AFTER_SECONDS: a player that has authority over a body
   * but never sends its state must not keep others out.
   */
  get isKnown(): boolean {
    return this.peer.hasWorld || this.#ticks >= ticksIn(KNOWN_AFTER_SECONDS, this.level.rate);
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

/**
 * A level of the game.
 * @throws RangeError if it has none by this recipe, and with a sentence for each fault of it [B1.4].
 */
export function levelOf({ levels }: Game, recipe: LevelRecipe): Level {
  const level = levels(recipe);
  if (level === null) throw new RangeError(`The game has no level "${recipe.id}" by this recipe.`);
  // The hash of a level that is none would throw something else.
  refuseFaulty(level);
  return level;
}

/** A game's levels for a guest. Its source throws nothing: it returns null, and keeps what the game has thrown. */
export class GuardedLevels {
  readonly source: LevelSource;
  /** The error that the game threw when it was asked last; undefined if it did not throw. */
  fault: unknown;

  constructor({ levels }: Game) {
    this.source = (recipe) => {
      this.fault = undefined;
      try {
        return levels(recipe);
      } catch (error) {
        this.fault = error;
        return null;
      }
    };
  }
}
