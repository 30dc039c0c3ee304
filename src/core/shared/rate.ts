import { TICK_RATE } from '../base/constants.ts';

/** Counts what may be done now, if so much is allowed a second and so much at once: a token bucket in whole numbers. */
export class Rate {
  readonly #aSecond: number;
  readonly #most: number;
  /** In parts of TICK_RATE. */
  #left: number;
  #tick = 0;

  /** @param aSecond on average. @param atOnce after a pause. */
  constructor(aSecond: number, atOnce: number) {
    this.#aSecond = aSecond;
    this.#most = atOnce * TICK_RATE;
    this.#left = this.#most;
  }

  /** @param tick the present one, not before that of the last call. @returns false if it is too much; else it counts. */
  take(tick: number): boolean {
    this.#left = Math.min(this.#most, this.#left + (tick - this.#tick) * this.#aSecond);
    this.#tick = tick;
    if (this.#left < TICK_RATE) return false;
    this.#left -= TICK_RATE;
    return true;
  }
}
