import { DEDICATED_SLOT } from '../../base/constants.ts';
import type { Other } from '../identity/authenticated-lines.ts';
import type { PublicKey } from '../identity/key.ts';
import type { Join, Refusal, Roster } from '../messages.ts';
import type { Tenure } from './host-options.ts';
import type { Guest, NewSeat, Seats } from './seats.ts';

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

/** The parts of a host by which it decides who comes in. */
export type AdmissionRules = {
  readonly seats: Seats;
  readonly removed: RemovedPlayers;
  readonly roster: Pick<Roster, 'locked' | 'capacity'>;
  /** [N3.4] The key of the dedicated host that is invited; null if none is. */
  readonly invited: PublicKey | null;
  /** [N3.5] A dedicated host that founded the room, and has lost its seat, gets a person's slot, and leaves. */
  readonly founder: PublicKey;
};

/** The answer to a page that asks to come in. */
export type Admission =
  /** The line is closed without a word: the page may try again. */
  | { readonly kind: 'drop'; readonly why: 'second seat' | 'not invited' }
  | { readonly kind: 'refuse'; readonly why: Refusal }
  /** It has a seat already. */
  | { readonly kind: 'known'; readonly guest: Guest }
  | ({ readonly kind: 'new' } & NewSeat);

/** Decides about a page that asks to come in. */
export function admissionOf(
  { key, page }: Other,
  { colour }: Join,
  { seats, removed, roster: { locked, capacity }, invited, founder }: AdmissionRules,
): Admission {
  const known = seats.ofKey(key);
  // A page has one seat, whatever keys it has, also while that seat waits for it.
  if (known === null && seats.ofPage(page) !== null) return { kind: 'drop', why: 'second seat' };
  const isDedicated = known === null && colour === DEDICATED_SLOT && key !== founder;
  if (isDedicated && (key !== invited || !seats.hasPlaceOfDedicated))
    return { kind: 'drop', why: 'not invited' };
  if (removed.has(key)) return { kind: 'refuse', why: 'removed' };
  if (known !== null) return { kind: 'known', guest: known };
  if (isDedicated) return { kind: 'new', slot: colour, yielding: null };
  if (locked) return { kind: 'refuse', why: 'locked' };
  const yielding = seats.people >= capacity ? seats.yielding() : null;
  const isFull = seats.people >= capacity && yielding === null;
  return isFull ? { kind: 'refuse', why: 'full' } : { kind: 'new', slot: null, yielding };
}

/**
 * True if the player was not absent in between, so that its connection goes on.
 * @param page the id at the broker of this host's page.
 */
export function keepsConnection(known: Guest, { keeps }: Join, { term }: Tenure, page: string): boolean {
  if (known.line === null || keeps === null) return false;
  return keeps.connection === known.connection && keeps.term === term && keeps.host === page;
}
