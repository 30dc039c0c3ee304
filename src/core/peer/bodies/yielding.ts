import { BodiesUnlike } from '../../base/bodies-unlike.ts';
import { ticksIn } from '../../base/constants.ts';
import type { BodyId, Slot } from '../../base/ids.ts';
import { isInHand, NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { speedOf } from '../../base/motion.ts';
import { STRIDE } from '../../base/state.ts';
import type { ContactGraph } from '../../world/contacts.ts';
import { Records } from '../../world/record.ts';
import type { Ignores, Simulation } from '../../world/simulation.ts';
import type { Bodies } from './bodies.ts';

/** Seconds that a touch lasts before a body gives way: longer than any knock. */
const PATIENCE = 0.25;
/** Seconds: the most that is counted, so that a touch is soon forgotten. */
const MOST = 1 / 3;
/** By how much the count falls in a tick without touch. */
const FORGOTTEN = 2;
/**
 * Metres a second: a slower body is not driven on, and has no right of way beside another. A body that is wedged between
 * two that have it could not come free.
 */
const DRIVEN = 0.25;

/** By sideOf: a body of no other player, or one that rests or is in a hand. */
const NOBODY = 0;
/** By sideOf: an awake body of a player with a lower or a higher slot, in no hand. */
const OF_LOWER_SLOT = 1;
const OF_HIGHER_SLOT = 2;

/**
 * [A10] Two bodies of different players that stay in touch drive each other on, or sway for ever, since each player
 * sees the other's body a little behind, and is pushed from there. So one of the two has the right of way: on its own
 * peer the other gives way, and does not push it. The body that carries the other has it; of two bodies side by side
 * the one of the lower slot, as long as it moves.
 */
export class Yielding {
  /** For each body of this peer, for how many ticks it has touched one that is to give way to it; at most `#most`. */
  readonly #touched: Uint8Array;
  /** The bodies with such a count. */
  readonly #touching: BodiesUnlike;
  /** This peer's slot, its records, and the motions of the tick that is under way. */
  #self: Slot = NO_SLOT;
  #records: Records = new Records(0);
  #motion: Float32Array = new Float32Array(0);
  /** The times above in ticks. */
  readonly #patience: number;
  readonly #most: number;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#patience = ticksIn(PATIENCE, rate);
    this.#most = ticksIn(MOST, rate);
    this.#touched = new Uint8Array(count);
    this.#touching = new BodiesUnlike(this.#touched, 0);
  }

  /** Call before each step. Returns a function that is true for two bodies that are not to push each other in it. */
  before(self: Slot, { records, motion, simulation }: Bodies): Ignores {
    this.#motion = motion;
    this.#self = self;
    this.#records = records;
    const { authority, owned } = records;
    const touching = this.#touching;
    // Both in one ascending order: the engine is asked in the order of ids.
    let nextOwned = owned.next(NO_BODY);
    let nextCounted = touching.next(NO_BODY);
    while (nextOwned !== NO_BODY || nextCounted !== NO_BODY) {
      const body =
        nextCounted === NO_BODY || (nextOwned !== NO_BODY && nextOwned < nextCounted)
          ? nextOwned
          : nextCounted;
      const touches = authority[body] === self && this.#touchesYielding(body, simulation.contacts);
      this.#count(simulation, body, touches);
      if (nextOwned === body) nextOwned = owned.next(body);
      if (nextCounted === body) nextCounted = touching.next(body);
    }
    return this.#ignores;
  }

  /** Counts a tick of a body with or without touch. */
  #count(simulation: Simulation, body: BodyId, touches: boolean): void {
    const before = this.#touched[body];
    if (!touches && before === 0) return;
    const now = touches ? Math.min(this.#most, before + 1) : Math.max(0, before - FORGOTTEN);
    this.#touched[body] = now;
    const asks = now >= this.#patience;
    if (asks !== before >= this.#patience) simulation.askAbout(body, asks);
  }

  #touchesYielding(body: BodyId, contacts: ContactGraph): boolean {
    const neighbours = contacts.neighbours[body];
    for (let n = 0; n < neighbours.length; n++) if (this.#hasRightOfWay(body, neighbours[n])) return true;
    return false;
  }

  readonly #ignores: Ignores = (a, b) =>
    (this.#touched[a] >= this.#patience && this.#hasRightOfWay(a, b)) ||
    (this.#touched[b] >= this.#patience && this.#hasRightOfWay(b, a));

  /** True if another body is to give way to one of this peer. */
  #hasRightOfWay(body: BodyId, other: BodyId): boolean {
    const side = sideOf(this.#self, this.#records, other);
    if (side === NOBODY) return false;
    const m = this.#motion;
    const [i, k] = [body * STRIDE, other * STRIDE];
    const [x, y, z] = [m[i] - m[k], m[i + 1] - m[k + 1], m[i + 2] - m[k + 2]];
    // If the line between the two is steep, the lower body carries the other.
    if (y * y > x * x + z * z) return y < 0;
    return side === OF_HIGHER_SLOT && speedOf(m, body) > DRIVEN;
  }
}

function sideOf(self: Slot, { authority, hold, resting, islands }: Records, body: number): number {
  const slot = authority[body];
  // [J3.1] A jointed body that a hand pulls pushes others.
  const isCarried = isInHand(hold[body]) && islands.isJointed[body] === 0;
  if (slot < 0 || slot === self || isCarried || resting[body] === 1) return NOBODY;
  return slot > self ? OF_HIGHER_SLOT : OF_LOWER_SLOT;
}
