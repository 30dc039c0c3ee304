import type { Slot } from '../base/ids.ts';
import { MAX_SERVER_ROOM_PLAYERS } from '../base/constants.ts';

/** Offences within WINDOW_MS; no honest player's page comes near: the most seen are a few. */
const MOST_OFFENCES = 150;
/** Milliseconds. */
const WINDOW_MS = 10_000;

/** [F1] Finds players that break the rules of play so often that it can't be an accident. */
export class Offences {
  /** For each slot its count when the running window began. */
  readonly #before = new Float64Array(MAX_SERVER_ROOM_PLAYERS);
  #since = Number.NaN;

  /**
   * Call it once a tick.
   * @param nowMs milliseconds on the owner's clock.
   * @param offencesOf a slot's count since it was seated; when it goes down, another player has the slot.
   * @returns the slots that have gone too far; a new array.
   */
  judge(nowMs: number, offencesOf: (slot: Slot) => number): Slot[] {
    const begins = !(nowMs - this.#since < WINDOW_MS);
    if (begins) this.#since = nowMs;
    const guilty: Slot[] = [];
    for (let slot = 0; slot < MAX_SERVER_ROOM_PLAYERS; slot++) {
      const count = offencesOf(slot as Slot);
      if (begins || count < this.#before[slot]) this.#before[slot] = begins ? count : 0;
      if (count - this.#before[slot] > MOST_OFFENCES) guilty.push(slot as Slot);
    }
    return guilty;
  }
}
