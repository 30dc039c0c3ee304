/**
 * A seeded random generator: mulberry32 (Tommy Ettinger, 2017), with 32 bits of state and the same numbers on every
 * machine. Core has no other randomness.
 */
export class Random {
  #state: number;

  /** @param seed any number; only its low 32 bits count. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number in [0, count). */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** True with the given chance, 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A new generator, seeded from this one, so that the draws of one consumer do not shift those of another. */
  fork(): Random {
    return new Random(this.next() * 4294967296);
  }
}
