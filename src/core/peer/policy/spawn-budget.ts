import type { Slot } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';

/** [S5] How many bodies each player may still spawn: so many a second, and as many at once, but at least one. */
export class SpawnBudget {
  readonly #perSecond: number;
  /** Ticks a second. */
  readonly #rate: number;
  /** Spawns at once. */
  readonly #most: number;
  /** For each slot the spawns that are left, with fractions, and the tick of that count. */
  readonly #left: Float64Array;
  readonly #at = new Float64Array(MAX_PLAYERS);

  /** @param perSecond of the level. @param rate ticks a second. */
  constructor(perSecond: number, rate: number) {
    this.#perSecond = perSecond;
    this.#rate = rate;
    this.#most = perSecond > 0 ? Math.max(1, perSecond) : 0;
    this.#left = new Float64Array(MAX_PLAYERS).fill(this.#most);
  }

  /**
   * True if a player may spawn one more body in this tick.
   * @param slack spawns beyond the limit that are still allowed: packets bunch on their way to the host.
   */
  allows(slot: Slot, tick: number, slack = 0): boolean {
    const gained = ((tick - this.#at[slot]) * this.#perSecond) / this.#rate;
    this.#at[slot] = tick;
    this.#left[slot] = Math.min(this.#most, this.#left[slot] + gained);
    return this.#left[slot] >= 1 - slack;
  }

  /** [S7] A player has left. The next one in its slot may spawn at once what a second gives, if that is one or more. */
  renew(slot: Slot): void {
    this.#left[slot] = this.#perSecond;
  }

  /** A player has spawned a body. */
  spend(slot: Slot): void {
    this.#left[slot]--;
  }
}
