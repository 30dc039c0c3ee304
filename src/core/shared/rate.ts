/** Counts what may be done now, if so much is allowed a second and so much at once: a token bucket in whole numbers. */
export class Rate {
  /** Ticks a second. */
  readonly #rate: number;
  readonly #aSecond: number;
  readonly #most: number;
  /** In parts of `#rate`. */
  #left: number;
  #tick = 0;

  /** @param rate ticks a second. @param aSecond on average. @param atOnce after a pause. */
  constructor(rate: number, aSecond: number, atOnce: number) {
    this.#rate = rate;
    this.#aSecond = aSecond;
    this.#most = atOnce * rate;
    this.#left = this.#most;
  }

  /** @param tick the present one, not before that of the last call. @returns false if it is too much; else it counts. */
  take(tick: number): boolean {
    this.#left = Math.min(this.#most, this.#left + (tick - this.#tick) * this.#aSecond);
    this.#tick = tick;
    if (this.#left < this.#rate) return false;
    this.#left -= this.#rate;
    return true;
  }
}
