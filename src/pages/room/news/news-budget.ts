import { TICK_RATE } from '../../../core/base/constants.ts';
import { TokenBucket } from '../../../core/link/token-bucket.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';

/** Pieces of news about one player at once, and further ones each second. A page may try to cause any number. */
const AT_ONCE = 4;
const PER_SECOND = 0.1;
/** Players that are remembered, those that have left included: who comes back has no new budget. */
const MOST_PLAYERS = 64;

/** Limits the news about each player. */
export class NewsBudget {
  readonly #limits = new Map<PublicKey, TokenBucket>();
  #nowMs = 0;

  /** Call it once a tick. */
  tick(): void {
    this.#nowMs += 1000 / TICK_RATE;
  }

  /** Takes one piece of news about a player. @returns false if it is one too many. */
  take(key: PublicKey): boolean {
    const limit = this.#limits.get(key) ?? new TokenBucket(AT_ONCE, PER_SECOND);
    // The player that was in the news last is the last of the map.
    this.#limits.delete(key);
    this.#limits.set(key, limit);
    for (const [oldest] of this.#limits) if (this.#limits.size > MOST_PLAYERS) this.#limits.delete(oldest);
    return limit.take(this.#nowMs);
  }
}
