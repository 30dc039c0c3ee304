import type { BodyId, Slot } from '../../base/ids.ts';
import { LEAD_INTERVAL_TICKS, MAX_PLAYERS, MAX_SEQUENCE_LEAD, TICK_RATE } from '../../base/constants.ts';

/** Grabs in a tick, on and on, and at once: two hands that close as fast as they can don't need a fifth of it. */
const GRABS_A_TICK = 20 / TICK_RATE;
const MOST_GRABS = 40;

/**
 * [H5] By how much accepted claims of each claimant have moved each body's sequences in the running second: many
 * steps must not lead further than one may, or a flood of claims would turn a counter half around. And how many
 * bodies each may grab: all of them once, since a guest under a new term claims again what it has [H8].
 */
export class SequenceBudget {
  readonly #count: number;
  readonly #spent: Uint16Array;
  /** For each claimant the tick in which its second began. */
  readonly #since = new Float64Array(MAX_PLAYERS).fill(-Infinity);
  readonly #grabs: Float64Array;
  readonly #grabsAt = new Float64Array(MAX_PLAYERS);

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#spent = new Uint16Array(MAX_PLAYERS * count);
    this.#grabs = new Float64Array(MAX_PLAYERS).fill(MOST_GRABS + count);
  }

  /** How far a claim may lead at this tick, 0 to MAX_SEQUENCE_LEAD. */
  left(claimant: Slot, body: BodyId, tick: number): number {
    if (tick - this.#since[claimant] >= LEAD_INTERVAL_TICKS) {
      this.#since[claimant] = tick;
      this.#spent.fill(0, claimant * this.#count, (claimant + 1) * this.#count);
    }
    if (this.#grabsLeft(claimant, tick) < 1) return 0;
    return MAX_SEQUENCE_LEAD - this.#spent[claimant * this.#count + body];
  }

  #grabsLeft(claimant: Slot, tick: number): number {
    const gained = (tick - this.#grabsAt[claimant]) * GRABS_A_TICK;
    this.#grabsAt[claimant] = tick;
    if (this.#grabs[claimant] < MOST_GRABS)
      this.#grabs[claimant] = Math.min(MOST_GRABS, this.#grabs[claimant] + gained);
    return this.#grabs[claimant];
  }

  /** A claim that led by this much, no more than was left, was accepted; `grabs`: of a newer ownership. */
  spend(claimant: Slot, body: BodyId, lead: number, grabs: boolean): void {
    if (grabs) this.#grabs[claimant]--;
    if (lead > 0) this.#spent[claimant * this.#count + body] += lead;
  }
}
