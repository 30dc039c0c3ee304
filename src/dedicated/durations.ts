/** Durations that are remembered: those of ten seconds of ticks. */
const REMEMBERED = 600;

/** The last durations of something, for their percentiles. */
export class Durations {
  readonly #last = new Float64Array(REMEMBERED);
  #count = 0;

  /** @param ms milliseconds. */
  add(ms: number): void {
    this.#last[this.#count++ % REMEMBERED] = ms;
  }

  /** True once so many are known that a few long ones at the beginning count for little. */
  get isFull(): boolean {
    return this.#count >= REMEMBERED;
  }

  /** @returns milliseconds that a share of the last durations does not exceed; 0 before the first. @param share 0 to 1. */
  percentile(share: number): number {
    const known = Math.min(this.#count, REMEMBERED);
    if (known === 0) return 0;
    const sorted = this.#last.slice(0, known).sort();
    return sorted[Math.min(known - 1, Math.floor(share * known))];
  }
}
