/** Exponential backoff: the pauses between attempts that fail, each twice as long as the one before, up to a limit. */
export class Backoff {
  readonly #firstMs: number;
  readonly #mostMs: number;
  #nextMs: number;

  /**
   * @param firstMs milliseconds of the first pause, more than 0.
   * @param mostMs milliseconds of the longest pause.
   */
  constructor(firstMs: number, mostMs: number) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
    this.#nextMs = firstMs;
  }

  /** An attempt has failed. @returns milliseconds until the next one is due: `firstMs` to `mostMs`. */
  next(): number {
    const pauseMs = this.#nextMs;
    this.#nextMs = Math.min(this.#mostMs, 2 * pauseMs);
    return pauseMs;
  }

  /** An attempt has succeeded: the next pause is the first one again. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
