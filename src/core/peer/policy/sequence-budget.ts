import type { BodyId, Slot } from '../../base/ids.ts';
import { LEAD_INTERVAL_SECONDS, MAX_PLAYERS, MAX_SEQUENCE_LEAD, ticksIn } from '../../base/constants.ts';

/** Grabs a second that a claimant may make all the time: five times as many as two hands can close. */
const GRABS_A_SECOND = 20;
/** Grabs that a claimant may make at once. */
const MOST_GRABS = 40;

/**
 * [H5] How far accepted claims of each claimant have moved each body's sequences in the running second: many claims
 * together must not move them farther than one claim may, or a flood of claims would turn a counter half around. It
 * also limits how often each claimant may grab. At first a claimant may grab every body once more, since a guest
 * under a new term claims its bodies again [H8]. Host only.
 */
export class SequenceBudget {
  readonly #count: number;
  /** Ticks a second. */
  readonly #rate: number;
  /** For each claimant and body, how far its sequences were moved in the running second. */
  readonly #spent: Uint16Array;
  /** For each claimant the tick in which its second began. */
  readonly #since = new Float64Array(MAX_PLAYERS).fill(-Infinity);
  /** For each claimant the grabs that are left, with fractions, and the tick of that count. */
  readonly #grabs: Float64Array;
  readonly #grabsAt = new Float64Array(MAX_PLAYERS);

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#count = count;
    this.#rate = rate;
    this.#spent = new Uint16Array(MAX_PLAYERS * count);
    this.#grabs = new Float64Array(MAX_PLAYERS).fill(MOST_GRABS + count);
  }

  /** Returns how far a claim may run ahead at this tick: 0 to MAX_SEQUENCE_LEAD. */
  left(claimant: Slot, body: BodyId, tick: number): number {
    if (tick - this.#since[claimant] >= ticksIn(LEAD_INTERVAL_SECONDS, this.#rate)) {
      this.#since[claimant] = tick;
      this.#spent.fill(0, claimant * this.#count, (claimant + 1) * this.#count);
    }
    if (this.#grabsLeft(claimant, tick) < 1) return 0;
    return MAX_SEQUENCE_LEAD - this.#spent[claimant * this.#count + body];
  }

  #grabsLeft(claimant: Slot, tick: number): number {
    const gained = (tick - this.#grabsAt[claimant]) * (GRABS_A_SECOND / this.#rate);
    this.#grabsAt[claimant] = tick;
    if (this.#grabs[claimant] < MOST_GRABS)
      this.#grabs[claimant] = Math.min(MOST_GRABS, this.#grabs[claimant] + gained);
    return this.#grabs[claimant];
  }

  /**
   * Takes an accepted claim off the budget.
   * @param lead how far it ran ahead, at most `left`.
   * @param grabs true if its ownership sequence was newer.
   */
  spend(claimant: Slot, body: BodyId, lead: number, grabs: boolean): void {
    if (grabs) this.#grabs[claimant]--;
    if (lead > 0) this.#spent[claimant * this.#count + body] += lead;
  }
}
