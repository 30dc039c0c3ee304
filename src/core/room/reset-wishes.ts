import type { PublicKey } from './identity/key.ts';
import type { RosterPlayer } from './messages.ts';

/** Milliseconds between two resets of a dedicated host: a reset sends every body anew. */
const APART_MS = 10_000;
/** [N1.7] Milliseconds for which a wish counts: a page takes it back a little earlier. */
const LASTS_MS = 35_000;

/** [N1.6] The wishes for a reset in a room. */
export type ResetPoll = {
  /** The players whose wish counts. */
  readonly wishes: number;
  /** How many must want it. */
  readonly needed: number;
};

/** [N1.6] The wishes of a room's players to begin the level anew: which count, and when they are enough. */
export class ResetWishes {
  /** When each present wish was first seen, in milliseconds of the owner's clock. */
  readonly #begun = new Map<PublicKey, number>();
  /** The wishes that count no more until they are taken back [N1.7]. */
  readonly #over = new Set<PublicKey>();
  #resetMs = -Infinity;

  /**
   * Sees the present wishes; call it once a tick.
   * @param players the people of the roster.
   * @param nowMs any clock that does not go back.
   */
  note(players: readonly RosterPlayer[], nowMs: number): void {
    if (this.#begun.size === 0 && !players.some(isWishing)) return;
    for (const key of this.#begun.keys())
      if (!players.some((player) => player.key === key)) this.#forget(key);
    for (const player of players) {
      const { key, presence } = player;
      const begunMs = this.#begun.get(key);
      // If a player that is away comes back with a wish, that counts as the old one.
      if (!isWishing(player)) {
        if (presence !== 'away') this.#forget(key);
      } else if (begunMs === undefined) this.#begun.set(key, nowMs);
      else if (nowMs - begunMs > LASTS_MS) this.#over.add(key);
    }
  }

  /** True if the wish of a player counts. */
  counts(player: RosterPlayer): boolean {
    return isWishing(player) && !this.#over.has(player.key);
  }

  /** Counts the wishes. Players who are away may come back to what they built: they count, too. */
  poll(players: readonly RosterPlayer[]): ResetPoll {
    let wishes = 0;
    for (const player of players) if (this.counts(player)) wishes++;
    return { wishes, needed: Math.floor(players.length / 2) + 1 };
  }

  /** [N1.7] The level has begun anew: no present wish counts any more. */
  end(): void {
    for (const key of this.#begun.keys()) this.#over.add(key);
  }

  /** For a dedicated host, instead of `note`. @returns true if it is to reset the level now. */
  judge(players: readonly RosterPlayer[], nowMs: number): boolean {
    this.note(players, nowMs);
    if (this.#begun.size === 0 || nowMs - this.#resetMs < APART_MS) return false;
    const { wishes, needed } = this.poll(players);
    if (wishes < needed) return false;
    this.#resetMs = nowMs;
    this.end();
    return true;
  }

  #forget(key: PublicKey): void {
    this.#begun.delete(key);
    this.#over.delete(key);
  }
}

function isWishing(player: RosterPlayer): boolean {
  return player.wantsReset === true;
}
