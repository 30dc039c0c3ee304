import type { Slot } from '../base/ids.ts';
import { MAX_PLAYERS } from '../base/constants.ts';

/** Offences within WINDOW_MS that no honest player's page comes near: worst seen are a few. */
const MOST_OFFENCES = 150;
const WINDOW_MS = 10_000;

/** [F1] Who has broken the rules of play so often that it can't be an accident. */
export class Offences {
  /** For each slot the count when the running window began. */
  readonly #before = new Float64Array(MAX_PLAYERS);
  #since = Number.NaN;

  /**
   * The slots that have gone too far.
   * @param offencesOf counts from when the slot was seated; where it goes down, another sits there.
   */
  judge(nowMs: number, offencesOf: (slot: Slot) => number): Slot[] {
    const begins = !(nowMs - this.#since < WINDOW_MS);
    if (begins) this.#since = nowMs;
    const guilty: Slot[] = [];
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const count = offencesOf(slot as Slot);
      if (begins || count < this.#before[slot]) this.#before[slot] = begins ? count : 0;
      if (count - this.#before[slot] > MOST_OFFENCES) guilty.push(slot as Slot);
    }
    return guilty;
  }
}
