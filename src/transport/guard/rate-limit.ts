/** A token bucket: allows a number of something at once, and a further number each second. */
export class RateLimit {
  readonly #most: number;
  readonly #perSecond: number;
  #left: number;
  #at = -Infinity;

  /** @param most how many are left at the beginning, and at the most later. */
  constructor(most: number, perSecond: number) {
    this.#most = most;
    this.#perSecond = perSecond;
    this.#left = most;
  }

  /** How many are left. @param nowMs milliseconds; it may stand still, but a step back counts as none. */
  left(nowMs: number): number {
    const seconds = Math.max(0, nowMs - this.#at) / 1000;
    this.#at = Math.max(this.#at, nowMs);
    this.#left = Math.min(this.#most, this.#left + seconds * this.#perSecond);
    return this.#left;
  }

  /** Takes some. @returns false if fewer are left; then nothing is taken. */
  take(nowMs: number, count = 1): boolean {
    if (this.left(nowMs) < count) return false;
    this.#left -= count;
    return true;
  }
}
