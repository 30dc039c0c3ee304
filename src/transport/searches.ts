/**
 * Milliseconds after the first call of a search for an id: a report that nobody has the id is about an earlier search
 * if it comes sooner.
 */
const NEWS_AFTER_MS = 1000;
/** Milliseconds between two calls of an id that count as one search: a search calls every two seconds [F3.7]. */
const SAME_SEARCH_MS = 2900;
/** Ids of which it is remembered when they were dialled. */
const MOST_ASKED = 64;

/** Milliseconds of performance.now: the first and the last call of a search for an id. */
type Asked = { readonly firstMs: number; readonly lastMs: number };

/** The ids that a member has dialled, and what the broker says of them. Times are of performance.now. */
export class Searches {
  /** Ids that nobody has, as the broker said. */
  readonly #missing = new Set<string>();
  readonly #askedAt = new Map<string, Asked>();

  /** The id is being dialled. */
  dialled(id: string, nowMs: number): void {
    this.#missing.delete(id);
    const asked = this.#askedAt.get(id);
    const goesOn = asked !== undefined && nowMs - asked.lastMs < SAME_SEARCH_MS;
    this.#askedAt.delete(id);
    this.#askedAt.set(id, { firstMs: goesOn ? asked.firstMs : nowMs, lastMs: nowMs });
    for (const oldest of this.#askedAt.keys())
      if (this.#askedAt.size > MOST_ASKED) this.#askedAt.delete(oldest);
  }

  /** The broker says that nobody has the id. */
  nobodyHas(id: string, nowMs: number): void {
    const asked = this.#askedAt.get(id);
    if (asked !== undefined && nowMs - asked.firstMs > NEWS_AFTER_MS) this.#missing.add(id);
  }

  /** True if the broker has said since the last call of this method that nobody has this id. */
  isMissing(id: string): boolean {
    return this.#missing.delete(id);
  }
}
