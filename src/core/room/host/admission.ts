import type { PublicKey } from '../identity/key.ts';
import type { Join, Refusal } from '../messages.ts';
import type { Tenure } from './host-options.ts';
import type { Guest } from './seats.ts';

/** Decides whether a host lets a page in, and as which player. */

/** Removals that a host remembers; a player that was removed before those may come back as somebody new anyway. */
const MOST_REMOVED = 1024;

/** The players that may not come back. */
export class RemovedPlayers {
  readonly #keys = new Set<PublicKey>();

  has(key: PublicKey): boolean {
    return this.#keys.has(key);
  }

  add(key: PublicKey): void {
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MOST_REMOVED) this.#keys.delete(oldest);
  }
}

/** A host's decisions about its room. */
export type AdmissionRules = {
  readonly removed: RemovedPlayers;
  /** Only players with a seat come in. */
  readonly locked: boolean;
  readonly isFull: boolean;
};

/**
 * @param known the guest with this key; null if it has no seat.
 * @returns why the page may not come in; null if it may.
 */
export function refusalOf(key: PublicKey, known: Guest | null, rules: AdmissionRules): Refusal | null {
  if (rules.removed.has(key)) return 'removed';
  if (known !== null) return null;
  if (rules.locked) return 'locked';
  return rules.isFull ? 'full' : null;
}

/**
 * True if the player was not absent in between, so that its connection goes on.
 * @param page the id at the broker of this host's page.
 */
export function keepsConnection(known: Guest, { keeps }: Join, { term }: Tenure, page: string): boolean {
  if (known.line === null || keeps === null) return false;
  return keeps.connection === known.connection && keeps.term === term && keeps.host === page;
}
