/** A token bucket: allows a number of something at once, and a further number each second. */
export class TokenBucket {
  readonly #most: number;
  readonly #perSecond: number;
  readonly #units: number;
  /** In parts of `#units`, so that whole numbers stay whole. */
  #left: number;
  #at = -Infinity;

  /**
   * @param atOnce tokens at the beginning, and at most later.
   * @param perSecond tokens that come in besides, each second; more than 0.
   * @param units of time in a second: 1000 for milliseconds, or ticks. A peer that judges another peer takes
   * milliseconds, since its own ticks may be late.
   */
  constructor(atOnce: number, perSecond: number, units = 1000) {
    this.#most = atOnce * units;
    this.#perSecond = perSecond;
    this.#units = units;
    this.#left = this.#most;
  }

  /** True if so many tokens are left. @param now in units; if it goes back, or is no number, no time has passed. */
  has(now: number, count = 1): boolean {
    const passed = Math.max(0, now - this.#at) || 0;
    if (now > this.#at) this.#at = now;
    this.#left = Math.min(this.#most, this.#left + passed * this.#perSecond);
    return this.#left >= count * this.#units;
  }

  /** The same; then they are taken. */
  take(now: number, count = 1): boolean {
    const has = this.has(now, count);
    if (has) this.#left -= count * this.#units;
    return has;
  }
}
