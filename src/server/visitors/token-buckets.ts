/** How fast something may happen: so many at once, and one more after each so many milliseconds. */
export type Rate = { readonly atOnce: number; readonly anotherMs: number };

type Bucket = { left: number; at: number };

/** Most buckets that are kept; each costs some hundred bytes. */
const MOST_BUCKETS = 5000;

/**
 * One token bucket for each key. Where there are too many, the one that was used least recently is forgotten,
 * and is full when it is used again. Unlike `TokenBucket` it is filled by the wall clock: when that was set back, a
 * bucket fills from there.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Takes tokens from the bucket of a key. Returns false, and takes none, if it has too few. */
  take(key: string, nowMs: number, tokens = 1): boolean {
    const { atOnce, anotherMs } = this.#rate;
    const { left, at } = this.#buckets.get(key) ?? { left: atOnce, at: nowMs };
    const filled = Math.min(atOnce, left + Math.max(0, nowMs - at) / anotherMs);
    const isEnough = filled >= tokens;
    // Moves the bucket to the end, behind those that were used before.
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: isEnough ? filled - tokens : filled, at: nowMs });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST_BUCKETS) break;
      this.#buckets.delete(oldest);
    }
    return isEnough;
  }
}
