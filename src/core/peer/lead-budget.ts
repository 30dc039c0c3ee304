import type { BodyId, Slot } from '../base/ids.ts';
import { LEAD_INTERVAL_TICKS, MAX_PLAYERS, MAX_SEQUENCE_LEAD } from '../base/constants.ts';

/**
 * [H5] By how much accepted claims of each claimant have moved each body's sequences in the running second: many
 * steps must not lead further than one may, or a flood of claims would turn a counter half around.
 */
export class LeadBudget {
  readonly #count: number;
  readonly #spent: Uint16Array;
  /** For each claimant the tick in which its second began. */
  readonly #since = new Float64Array(MAX_PLAYERS).fill(-Infinity);

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#spent = new Uint16Array(MAX_PLAYERS * count);
  }

  /** How far a claim may lead at this tick, 0 to MAX_SEQUENCE_LEAD. */
  left(claimant: Slot, body: BodyId, tick: number): number {
    if (tick - this.#since[claimant] >= LEAD_INTERVAL_TICKS) {
      this.#since[claimant] = tick;
      this.#spent.fill(0, claimant * this.#count, (claimant + 1) * this.#count);
    }
    return MAX_SEQUENCE_LEAD - this.#spent[claimant * this.#count + body];
  }

  /** A claim that led by this much, no more than was left, was accepted. */
  spend(claimant: Slot, body: BodyId, lead: number): void {
    if (lead > 0) this.#spent[claimant * this.#count + body] += lead;
  }
}
