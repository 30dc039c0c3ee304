import type { BodyId, Slot } from '../base/ids.ts';
import { NOT_HELD } from '../base/ids.ts';
import { STRIDE } from '../base/state.ts';
import type { ContactGraph } from '../world/contacts.ts';
import type { Records } from '../world/record.ts';
import type { Ignores } from '../world/simulation.ts';
import type { Bodies } from './bodies.ts';

/** Ticks that a touch lasts before somebody gives way: a quarter of a second, longer than any knock. */
const PATIENCE = 15;
/** The most that is counted, so that it is soon forgotten; by so much a tick. */
const MOST = 20;
const FORGOTTEN = 2;

/**
 * [A10] Two bodies of different players that stay in touch side by side drive each other on, since each is a little
 * behind where the other's player sees it, and so seems to push from there. That of the lower slot stands: on its own
 * peer it is pushed no more, until they part. What lies on another is still carried.
 */
export class Yielding {
  /** For each body of this peer for how many ticks it has touched one that has to give way. */
  readonly #touched: Uint8Array;
  /** 1 for another player's awake body that has to give way to this peer's. */
  readonly #yields: Uint8Array;
  #motion: Float32Array = new Float32Array(0);

  constructor(count: number) {
    this.#touched = new Uint8Array(count);
    this.#yields = new Uint8Array(count);
  }

  /** Call before each step. @returns what is not to push each other in it. */
  before(self: Slot, { records, motion, simulation }: Bodies): Ignores {
    this.#motion = motion;
    for (let body = 0; body < records.count; body++) this.#yields[body] = yieldsTo(self, records, body);
    for (let i = 0; i < records.count; i++) {
      const body = i as BodyId;
      const before = this.#touched[body];
      const touches = records.authority[body] === self && this.#touchesYielding(body, simulation.contacts);
      if (!touches && before === 0) continue;
      const now = touches ? Math.min(MOST, before + 1) : Math.max(0, before - FORGOTTEN);
      this.#touched[body] = now;
      if (now >= PATIENCE !== before >= PATIENCE) simulation.askAbout(body, now >= PATIENCE);
    }
    return this.#ignores;
  }

  #touchesYielding(body: BodyId, contacts: ContactGraph): boolean {
    const neighbours = contacts.neighbours[body];
    for (let n = 0; n < neighbours.length; n++)
      if (this.#yields[neighbours[n]] === 1 && this.#areBeside(body, neighbours[n])) return true;
    return false;
  }

  /** True if these two are not to push each other in this peer's engine. */
  readonly #ignores: Ignores = (a, b) => {
    const isStanding =
      (this.#touched[a] >= PATIENCE && this.#yields[b] === 1) ||
      (this.#touched[b] >= PATIENCE && this.#yields[a] === 1);
    return isStanding && this.#areBeside(a, b);
  };

  /** True unless one lies on the other. */
  #areBeside(a: BodyId, b: BodyId): boolean {
    const [i, k] = [a * STRIDE, b * STRIDE];
    const m = this.#motion;
    const [x, z] = [m[i] - m[k], m[i + 2] - m[k + 2]];
    const y = m[i + 1] - m[k + 1];
    return x * x + z * z > y * y;
  }
}

function yieldsTo(self: Slot, { authority, hold, resting }: Records, body: number): number {
  return authority[body] > self && hold[body] === NOT_HELD && resting[body] === 0 ? 1 : 0;
}
