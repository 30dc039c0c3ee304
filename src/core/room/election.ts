import { MAX_PLAYERS } from '../base/constants.ts';
import type { Sequence, Slot } from '../base/ids.ts';
import { newer } from '../base/sequence.ts';
import type { Standing } from './messages.ts';

/**
 * [F4] Who is host next. Pure: from what a player knows of the others to what it does. Of several who take the
 * lead at once, the newest term counts, and the lowest slot's is the newest.
 */

/** [H8] The term of a player that takes the lead: newer than the one that it knows. */
export function nextTerm(term: number, slot: Slot): number {
  const round = Math.floor(term / MAX_PLAYERS) + 1;
  return (round * MAX_PLAYERS + (MAX_PLAYERS - 1 - slot)) & 0xffff;
}

/** True if the first term is newer. */
function isNewerTerm(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}

/** Another player, heard within the last seconds on its standby line, and what it said last. */
export type Voter = { readonly slot: Slot; readonly standing: Standing };

/** What a guest knows when its host is absent. */
export type Vacancy = {
  readonly self: Slot;
  readonly term: number;
  /** Whom the host has named as it left. */
  readonly next: Slot | null;
  readonly voters: readonly Voter[];
};

/**
 * True if this guest is to lead. It is not as long as another hears the host, or leads already; nor while one of a
 * lower slot is there, unless the host has named this one.
 */
export function isNextHost({ self, term, next, voters }: Vacancy): boolean {
  if (voters.some(({ standing }) => isNewerTerm(standing.term, term))) return false;
  if (next === self) return true;
  if (next !== null && voters.some(({ slot }) => slot === next)) return false;
  const isHeard = ({ standing }: Voter): boolean => standing.hears && standing.term === term;
  return !voters.some((voter) => voter.slot < self || (isHeard(voter) && next === null));
}

/**
 * The newer host that a guest is to follow, if any. Who says so itself is believed by those who miss theirs; who
 * does not miss it wants to hear it from a second player: nobody is to take over a room that is well.
 */
export function hostToFollow(term: number, misses: boolean, voters: readonly Voter[]): Slot | null {
  let found: Standing | null = null;
  for (const voter of voters) {
    const { standing } = voter;
    if (!isNewerTerm(standing.term, found?.term ?? term)) continue;
    if (isClaim(voter) ? misses : standing.hears) found = standing;
  }
  return found?.host ?? null;
}

/** True for one who says that it is the host itself. */
function isClaim({ slot, standing }: Voter): boolean {
  return standing.host === slot;
}

/**
 * The other host to which a host gives way, if any: one whom somebody hears. Of two that are alone the one at the
 * room's door stays, since the other looks there; if each gave way to the other, there would be none.
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
  // An older one counts only for a host with whom nobody went, if somebody is with that, as it says itself.
  const older = elsewhere.find(isClaim);
  return here.length === 0 && older !== undefined ? older.slot : null;
}
