import type { BodyId, Slot } from '../../base/ids.ts';
import { NOT_HELD } from '../../base/ids.ts';
import { speedOf } from '../../base/motion.ts';
import { STRIDE } from '../../base/state.ts';
import type { ContactGraph } from '../../world/contacts.ts';
import type { Records } from '../../world/record.ts';
import type { Ignores } from '../../world/simulation.ts';
import type { Bodies } from './bodies.ts';

/** Ticks that a touch lasts before somebody gives way: a quarter of a second, longer than any knock. */
const PATIENCE = 15;
/** The most that is counted, so that it is soon forgotten; by so much a tick. */
const MOST = 20;
const FORGOTTEN = 2;
/** Metres a second: what is slower is not driven on, and what is wedged between two that stand could not come free. */
const DRIVEN = 0.25;

/** Whose a body is, to this peer: nobody's that matters, or another player's, awake and in no hand. */
const OF_LOWER_SLOT = 1;
const OF_HIGHER_SLOT = 2;

/**
 * [A10] Two bodies of different players that stay in touch drive each other on, or sway for ever, since each is a
 * little behind where the other's player sees it, and so seems to push from there. One of them stands: on its own
 * peer the other pushes it no more. That is what carries the other; of two side by side, that of the lower slot, as
 * long as it moves.
 */
export class Yielding {
  /** For each body of this peer for how many ticks it has touched one against which it stands. */
  readonly #touched: Uint8Array;
  readonly #whose: Uint8Array;
  #motion: Float32Array = new Float32Array(0);

  constructor(count: number) {
    this.#touched = new Uint8Array(count);
    this.#whose = new Uint8Array(count);
  }

  /** Call before each step. @returns what is not to push each other in it. */
  before(self: Slot, { records, motion, simulation }: Bodies): Ignores {
    this.#motion = motion;
    for (let body = 0; body < records.count; body++) this.#whose[body] = whoseIs(self, records, body);
    for (let i = 0; i < records.count; i++) {
      const body = i as BodyId;
      const before = this.#touched[body];
      const touches = records.authority[body] === self && this.#standsSomewhere(body, simulation.contacts);
      if (!touches && before === 0) continue;
      const now = touches ? Math.min(MOST, before + 1) : Math.max(0, before - FORGOTTEN);
      this.#touched[body] = now;
      if (now >= PATIENCE !== before >= PATIENCE) simulation.askAbout(body, now >= PATIENCE);
    }
    return this.#ignores;
  }

  #standsSomewhere(body: BodyId, contacts: ContactGraph): boolean {
    const neighbours = contacts.neighbours[body];
    for (let n = 0; n < neighbours.length; n++) if (this.#stands(body, neighbours[n])) return true;
    return false;
  }

  readonly #ignores: Ignores = (a, b) =>
    (this.#touched[a] >= PATIENCE && this.#stands(a, b)) ||
    (this.#touched[b] >= PATIENCE && this.#stands(b, a));

  /** True if a body of this peer is to stand against another. */
  #stands(body: BodyId, other: BodyId): boolean {
    const whose = this.#whose[other];
    if (whose === 0) return false;
    const m = this.#motion;
    const [i, k] = [body * STRIDE, other * STRIDE];
    const [x, y, z] = [m[i] - m[k], m[i + 1] - m[k + 1], m[i + 2] - m[k + 2]];
    // The line between the two is steep: one carries the other.
    if (y * y > x * x + z * z) return y < 0;
    return whose === OF_HIGHER_SLOT && speedOf(m, body) > DRIVEN;
  }
}

function whoseIs(self: Slot, { authority, hold, resting }: Records, body: number): number {
  const slot = authority[body];
  if (slot < 0 || slot === self || hold[body] !== NOT_HELD || resting[body] === 1) return 0;
  return slot > self ? OF_HIGHER_SLOT : OF_LOWER_SLOT;
}
