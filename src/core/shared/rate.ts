/** Counts what may be done now, if so much is allowed a second and so much at once: a token bucket. */
export class Rate {
  readonly #units: number;
  readonly #aSecond: number;
  readonly #most: number;
  /** In parts of `#units`. */
  #left: number;
  #at = 0;

  /**
   * @param units of time in a second: ticks, or 1000 for milliseconds. Who judges another peer takes milliseconds, since
   * its own ticks may be late.
   * @param aSecond on average.
   * @param atOnce after a pause.
   */
  constructor(units: number, aSecond: number, atOnce: number) {
    this.#units = units;
    this.#aSecond = aSecond;
    this.#most = atOnce * units;
    this.#left = this.#most;
  }

  /** True if one more is not too much now. @param now in units; if it goes back, no time has passed. */
  has(now: number): boolean {
    const passed = Math.max(0, now - this.#at);
    this.#at += passed;
    this.#left = Math.min(this.#most, this.#left + passed * this.#aSecond);
    return this.#left >= this.#units;
  }

  /** The same; then it counts. */
  take(now: number): boolean {
    const has = this.has(now);
    if (has) this.#left -= this.#units;
    return has;
  }
}
