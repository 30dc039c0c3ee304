import type { PublicKey } from './identity/key.ts';
import type { RosterPlayer } from './messages.ts';
import { isPerson } from './people.ts';

/** Milliseconds between two resets of a dedicated host: a reset sends every body anew. */
const APART_MS = 5000;

/** [N1.6] The wishes for a reset in a room. */
export type ResetPoll = {
  /** The people who are here and want the scene to be reset. */
  readonly wishes: number;
  /** How many must want it. */
  readonly needed: number;
};

/** [N1.6] Counts the wishes of the people who are not away. */
export function pollReset(players: readonly RosterPlayer[]): ResetPoll {
  const here = players.filter((player) => isPerson(player) && player.presence !== 'away');
  return {
    wishes: here.filter(wantsReset).length,
    needed: Math.floor(here.length / 2) + 1,
  };
}

function wantsReset(player: RosterPlayer): boolean {
  return player.wantsReset === true;
}

const NOBODY: ReadonlySet<PublicKey> = new Set();

/** [N1.6] Decides for a dedicated host when its players' wishes reset the scene. */
export class ResetWishes {
  /** [N1.7] The players whose wish has had its reset, until they take it back. */
  #granted: ReadonlySet<PublicKey> = NOBODY;
  #resetMs = -Infinity;

  /**
   * Call it once a tick.
   * @param players of the host's roster.
   * @param nowMs any clock that does not go back.
   * @returns true if the scene is to be reset now.
   */
  judge(players: readonly RosterPlayer[], nowMs: number): boolean {
    if (!players.some(wantsReset)) {
      this.#granted = NOBODY;
      return false;
    }
    const wishing = players.filter(wantsReset);
    this.#granted = new Set(wishing.flatMap(({ key }) => (this.#granted.has(key) ? [key] : [])));
    if (nowMs - this.#resetMs < APART_MS) return false;
    const fresh = players.map((player) =>
      this.#granted.has(player.key) ? { ...player, wantsReset: undefined } : player,
    );
    const { wishes, needed } = pollReset(fresh);
    if (wishes < needed) return false;
    this.#resetMs = nowMs;
    this.#granted = new Set(wishing.map(({ key }) => key));
    return true;
  }
}
