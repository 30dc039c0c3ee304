import { MAX_PLAYERS } from '../base/constants.ts';
import type { Sequence, Slot } from '../base/ids.ts';
import { newer } from '../base/sequence.ts';
import type { Standing } from './messages.ts';

/**
 * [F4] Decides which player is host next. Pure functions: from what a player knows of the others to what it does.
 * If several players become host at once, the newest term counts, and the lowest slot has the newest.
 */

/**
 * [H8] The term of a player that becomes host.
 * @param term the newest term that the player knows, 0 to 0xffff.
 * @returns a newer term, 0 to 0xffff.
 */
export function nextTerm(term: number, slot: Slot): number {
  const round = Math.floor(term / MAX_PLAYERS) + 1;
  return (round * MAX_PLAYERS + (MAX_PLAYERS - 1 - slot)) & 0xffff;
}

/** True if the first term is newer. */
function isNewerTerm(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}

/** Another player that was heard within the last seconds on its standby line, and its last standing. */
export type Voter = { readonly slot: Slot; readonly standing: Standing };

/** A guest's knowledge when its host is absent. */
export type Vacancy = {
  readonly self: Slot;
  /** The term of the absent host. */
  readonly term: number;
  /** The player that the host has named as it left; null if it named nobody. */
  readonly next: Slot | null;
  readonly voters: readonly Voter[];
};

/**
 * True if this guest is to become host. It is not while another player hears the host or is host already; nor
 * while a player in a lower slot is there, unless the host has named this guest.
 */
export function isNextHost({ self, term, next, voters }: Vacancy): boolean {
  if (voters.some(({ standing }) => isNewerTerm(standing.term, term))) return false;
  if (next === self) return true;
  if (next !== null && voters.some(({ slot }) => slot === next)) return false;
  const hearsHost = ({ standing }: Voter): boolean => standing.hears && standing.term === term;
  return !voters.some((voter) => voter.slot < self || (hearsHost(voter) && next === null));
}

/**
 * The newer host that a guest is to follow; null if there is none. A guest that misses its host believes a player
 * that says it is host itself. A guest that hears its host needs a second player to say so: nobody is to take over
 * a room that is well.
 * @param term the term of the guest's host.
 * @param hostIsLost the guest hears its host no more, if only for a while.
 */
export function hostToFollow(term: number, hostIsLost: boolean, voters: readonly Voter[]): Slot | null {
  let found: Standing | null = null;
  for (const voter of voters) {
    const { standing } = voter;
    if (!isNewerTerm(standing.term, found?.term ?? term)) continue;
    if (saysItIsHost(voter) ? hostIsLost : standing.hears) found = standing;
  }
  return found?.host ?? null;
}

/** True for a player that says that it is the host itself. */
function saysItIsHost({ slot, standing }: Voter): boolean {
  return standing.host === slot;
}

/**
 * The other host for which a host steps down; null if there is none. Somebody must hear that other host. Of two
 * hosts that are alone, the one at the room's door stays, since the other looks there: if each stepped down for
 * the other, the room would have no host.
 * @param term the term of this host.
 * @param here the slots of the guests that play with this host.
 */
export function hostToStepDownFor(
  term: number,
  here: readonly Slot[],
  voters: readonly Voter[],
): Slot | null {
  const elsewhere = voters.filter(({ standing }) => standing.term !== term && standing.hears);
  const stays = here.some((guest) => !elsewhere.some(({ slot }) => slot === guest));
  if (stays || elsewhere.length === 0) return null;
  const newest = elsewhere.reduce((a, b) => (isNewerTerm(b.standing.term, a.standing.term) ? b : a));
  if (isNewerTerm(newest.standing.term, term)) return newest.standing.host;
  // An older host counts only for a host with no guests, and only if it says itself that it has guests.
  const older = elsewhere.find(saysItIsHost);
  return here.length === 0 && older !== undefined ? older.slot : null;
}
