/** Answers and candidates that may follow an OFFER, in each direction; PeerJS sends some twenty. */
const FOLLOWING = 100;
/** Most of them that may be left, after several OFFERs. */
const MOST_FOLLOWING = 400;
/** Most pairs of ids that are remembered. */
const MOST_PAIRS = 20_000;

/**
 * Which ids have exchanged an OFFER. Only they may send each other ANSWERs and CANDIDATEs: PeerJS in a page keeps
 * those of a connection that it does not know, without limit.
 */
export class Introductions {
  readonly #left = new Map<string, number>();

  /** An OFFER was sent. */
  introduce(from: string, to: string): void {
    this.#add(`${from} ${to}`);
    this.#add(`${to} ${from}`);
  }

  /** Counts a message that is no OFFER. Returns false if it belongs to no OFFER, or to none any more. */
  follows(from: string, to: string): boolean {
    const pair = `${from} ${to}`;
    const left = this.#left.get(pair) ?? 0;
    if (left === 0) return false;
    this.#left.set(pair, left - 1);
    return true;
  }

  #add(pair: string): void {
    const left = Math.min(MOST_FOLLOWING, (this.#left.get(pair) ?? 0) + FOLLOWING);
    this.#left.delete(pair);
    this.#left.set(pair, left);
    for (const oldest of this.#left.keys()) {
      if (this.#left.size <= MOST_PAIRS) break;
      this.#left.delete(oldest);
    }
  }
}
