import { TokenBucket } from '../../core/link/token-bucket.ts';

/** Milliseconds for which an accepted offer counts against the page that made it. */
const REMEMBERED_MS = 30_000;
/**
 * A page's next offer is accepted only if the budget has so many offers left for others, for each remembered offer of
 * that page. A page that joins makes up to 15 offers in 30 s ([F3.6], [F3.7]): all pass if nobody else makes any.
 */
const LEFT_FOR_OTHERS = 1;

/**
 * Decides which offers of connections a page accepts. A browser makes only so many connections, so the rate of all
 * offers has a bound. A page that has made offers of late is accepted only while enough is left for others. So who
 * floods gets slower, and a newcomer still gets in.
 */
export class OfferBudget {
  readonly #limit: TokenBucket;
  /** For each page the times of its remembered offers, the oldest first. The limit bounds how many there are. */
  readonly #pages = new Map<string, number[]>();

  /**
   * @param most offers that are accepted at once.
   * @param perSecond offers that are accepted besides, each second.
   */
  constructor(most: number, perSecond: number) {
    this.#limit = new TokenBucket(most, perSecond);
  }

  /** Pages with a remembered offer. */
  get pages(): number {
    return this.#pages.size;
  }

  /**
   * Takes an offer of a page.
   * @param nowMs milliseconds.
   * @returns false if the offer must be refused; it does not count then.
   */
  take(page: string, nowMs: number): boolean {
    this.#forget(nowMs);
    const before = this.#pages.get(page) ?? [];
    if (!this.#limit.has(nowMs, 1 + LEFT_FOR_OTHERS * before.length)) return false;
    this.#limit.take(nowMs);
    this.#pages.set(page, [...before, nowMs]);
    return true;
  }

  #forget(nowMs: number): void {
    for (const [page, times] of this.#pages) {
      const kept = times.filter((time) => nowMs - time < REMEMBERED_MS);
      if (kept.length === 0) this.#pages.delete(page);
      else if (kept.length < times.length) this.#pages.set(page, kept);
    }
  }
}
