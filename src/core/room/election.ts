import type { Slot } from '../base/ids.ts';
import type { SignedVote } from './identity/lineage.ts';
import type { Ballot, Home, Standing } from './messages.ts';
import { isMajority, isNewerTerm } from './term.ts';

/**
 * [F4] Decides which player is host next. Pure functions: from what a player knows of the others to what it does.
 * Each guest counts only votes that it heard from the voters themselves. So one liar is one vote, whatever it says.
 */

/**
 * Milliseconds for which a vote counts. A voter turns to another candidate only when it has not heard the first one
 * for longer, so no vote counts for two.
 */
const VOTE_COUNTS_MS = 1500;

/** Milliseconds for which a player's standing counts: it comes once a second. */
export const STANDING_COUNTS_MS = 2500;

/** Another player that was heard within the last seconds on its standby line, and its last standing. */
export type Voter = { readonly slot: Slot; readonly standing: Standing; readonly ageMs: number };

/** A guest's knowledge of the others while it misses its host. */
export type Vacancy = {
  readonly self: Slot;
  /** The term of the missing host. */
  readonly term: number;
  /** The other guests of the roster that may be there: not away, and their lines not closed. Heard or not. */
  readonly others: readonly Slot[];
  readonly voters: readonly Voter[];
  /** This guest's vote in the tick before; null if it had none. */
  readonly vote: Slot | null;
  /** [P5] That vote, signed; null if it is not signed yet. */
  readonly ballot: Ballot | null;
  /** [P5] The guests, this one included, that have a vote by the host's last signed roster; null if there is none. */
  readonly electors: readonly Slot[] | null;
};

/** True if a player that was heard says that it hears the host that this guest misses. */
export function isHostHeard({ term, voters }: Vacancy): boolean {
  return voters.some(({ standing }) => standing.hears && standing.term === term);
}

/** True if most of the players that this guest hears, itself included, hear the host that it misses. */
export function isHostHeardByMost({ term, voters }: Vacancy): boolean {
  const hear = voters.filter(({ standing }) => standing.hears && standing.term === term);
  return hear.length * 2 > voters.length + 1;
}

/** The lowest slot of this guest and of all that were heard to miss the same host. */
export function lowestThatMisses({ self, term, voters }: Pick<Vacancy, 'self' | 'term' | 'voters'>): Slot {
  const missing = voters.flatMap(({ slot, standing }) =>
    standing.term === term && !standing.hears ? [slot] : [],
  );
  return Math.min(self, ...missing) as Slot;
}

/**
 * The slot for which a guest that misses its host votes: the lowest of its own slot and of those that vote for
 * themselves, among those that have a vote. It keeps its vote for another player as long as that player votes for
 * itself, or is host by now. Null while another player still hears the host that this guest misses: then the line of
 * this guest may be at fault, and not the host. Null also if nobody that was heard has a vote.
 */
export function voteOf(vacancy: Vacancy): Slot | null {
  if (isHostHeard(vacancy)) return null;
  const { self, term, voters, vote, electors } = vacancy;
  // [P5] Nobody would believe a host that the last host took for away.
  const mayLead = (slot: Slot): boolean => electors === null || electors.includes(slot);
  const candidates = voters.flatMap(({ slot, standing }) =>
    standing.term === term && !standing.hears && standing.vote === slot && mayLead(slot) ? [slot] : [],
  );
  const isHost = ({ slot, standing }: Voter): boolean =>
    slot === vote && standing.host === slot && isNewerTerm(standing.term, term);
  if (vote !== null && (candidates.includes(vote) || voters.some(isHost))) return vote;
  const able = mayLead(self) ? [self, ...candidates] : candidates;
  return able.length === 0 ? null : (Math.min(...able) as Slot);
}

/** The vote of a guest for itself, and what it knows of the others. */
export type Candidacy = Pick<Vacancy, 'self' | 'term' | 'voters'> & {
  readonly ballot: Ballot;
  readonly electors: readonly Slot[];
};

/**
 * [P5] @returns the signed votes of others for the same candidate, under the same roster: one for each elector that was
 * heard of late to miss the host of this term. A vote of another term, or of anybody else, would spoil the proof.
 */
export function ballotsFor({ self, term, voters, ballot: own, electors }: Candidacy): SignedVote[] {
  return voters.flatMap(({ slot, standing, ageMs }) => {
    const { ballot } = standing;
    if (slot === self || ballot === null || ageMs > VOTE_COUNTS_MS || !electors.includes(slot)) return [];
    const isSame = ballot.epoch === own.epoch && ballot.candidate === own.candidate;
    return isSame && standing.term === term ? [{ slot, signature: ballot.signature }] : [];
  });
}

/** True if this guest votes for itself, and a majority of the guests does, too: then it becomes host. */
export function isElected(vacancy: Vacancy): boolean {
  const { self, voters, ballot, electors, vote } = vacancy;
  const hasVote = electors?.includes(self) === true;
  if (electors === null || !hasVote || ballot === null || vote !== self || voteOf(vacancy) !== self)
    return false;
  const forSelf = voters.filter(({ standing }) => standing.vote === self);
  return isMajority(
    ballotsFor({ ...vacancy, voters: forSelf, ballot, electors }).length + 1,
    electors.length,
  );
}

/** The vacancy, and what else matters to a guest that looks for another host. */
export type Absence = Vacancy & {
  /** The player that the host has named as it left; null if it named nobody. */
  readonly next: Slot | null;
  /** The guest has waited for so long that a majority no longer matters. */
  readonly hasWaited: boolean;
};

/**
 * The newer host that a guest follows when it misses its own host; null if there is none. That host needs the votes of
 * a majority, or the word of the host before. A guest that has waited for long follows any player that says that it is
 * host itself.
 */
export function hostToFollow(absence: Absence): Slot | null {
  const { term, next, hasWaited, voters } = absence;
  let found: Standing | null = null;
  for (const { slot, standing } of voters) {
    if (!isNewerTerm(standing.term, found?.term ?? term)) continue;
    const isHost = standing.host === slot;
    if (isHost && (slot === next || hasWaited)) found = standing;
    else if (!isHost && (!standing.hears || deniesToLead(standing.host, voters))) continue;
    else if (isBackedByMajority(standing.host, absence)) found = standing;
  }
  return found?.host ?? null;
}

/**
 * True if a player that was heard says that it has another host. It would not answer a guest that asks it too soon to
 * come in.
 */
function deniesToLead(host: Slot, voters: readonly Voter[]): boolean {
  return voters.some(({ slot, standing }) => slot === host && standing.host !== host);
}

/** True if a majority of the guests, this one included, has voted for a player or follows it. */
function isBackedByMajority(host: Slot, { term, electors, voters, vote }: Vacancy): boolean {
  if (electors === null) return false;
  const backs = ({ slot, standing }: Voter): boolean => {
    if (!electors.includes(slot)) return false;
    if (standing.term === term) return standing.vote === host;
    return isNewerTerm(standing.term, term) && standing.host === host;
  };
  return isMajority(voters.filter(backs).length + (vote === host ? 1 : 0), electors.length);
}

/** A guest of a host without a majority, or such a host itself. */
export type Survivor = {
  readonly term: number;
  /** The last host that a majority had; null if the present host has a majority. */
  readonly home: Home | null;
  readonly voters: readonly Voter[];
};

/**
 * The host to which a guest goes although it hears its own; null if it stays. Only a guest of a host without a majority
 * ever leaves: for the host that had the majority, once that host itself is heard to have guests; or for a newer host,
 * if that host itself and another player name it.
 */
export function hostToReturnTo({ term, home, voters }: Survivor): Slot | null {
  if (home === null) return null;
  if (isHeardItself(home, voters)) return home.host;
  for (const { slot, standing } of voters) {
    const { host, hears } = standing;
    if (host !== slot || !isNewerTerm(standing.term, term)) continue;
    const isSeconded = voters.some(
      (other) => other.slot !== slot && other.standing.host === host && other.standing.hears && hears,
    );
    if (isSeconded) return host;
  }
  return null;
}

/** True if the room goes on with the other host rather than with this host. */
function hasMore(rival: Rival, { term, present }: Rivalry): boolean {
  const { prevails, voters, mayBeOlder } = rival;
  const counts = mayBeOlder || isNewerTerm(rival.term, term);
  return prevails || (counts && isMajority(voters, present.length + voters));
}

function isHeardItself(home: Home, voters: readonly Voter[]): boolean {
  return voters.some(({ slot, standing: { host, term, hears } }) => {
    return slot === home.host && host === slot && term === home.term && hears;
  });
}

/** A host, its guests, and the players that name other hosts. */
export type Rivalry = Survivor & {
  readonly self: Slot;
  /** True if a guest plays with this host. */
  readonly hasGuests: boolean;
  /** The guests that are not away. */
  readonly present: readonly Slot[];
  /** Another host that has shown its lineage; null if there is none. */
  readonly rival: Rival | null;
};

/** [F4.23] Another host that has shown its lineage. */
export type Rival = {
  readonly host: Slot;
  readonly term: number;
  /**
   * True if the room goes on with the other host whichever of the two is newer. Either this host went on without a
   * majority, and the other is the host before, or has had a majority for more changes of host, unless most of its voters
   * play here [F4.24]. Or as many play with the other host as here [F4.37].
   */
  readonly prevails: boolean;
  /** [F4.23] How many of the players that have chosen the other host are heard to play with it, and do not play here. */
  readonly voters: number;
  /**
   * [F4.39] True if the voters count although the other host's term is older: this host is new, and nobody has voted for
   * it since the two parted. If both were chosen by votes, only the older host steps down.
   */
  readonly mayBeOlder: boolean;
};

/**
 * Returns the other host for which a host steps down; null if there is none. Somebody must hear that other host.
 *
 * A host with guests steps down for a newer host that a majority of its guests names and that does not vote for this
 * host, for the host that had the majority before, for a host with more voters [F4.23], and for one with which as many play
 * as here [F4.37]. A host without guests goes where guests are. Of two hosts that are alone, the one at the room's door
 * stays, since the other looks there: if each stepped down for the other, the room would have no host.
 */
export function hostToStepDownFor(rivalry: Rivalry): Slot | null {
  const { self, term, home, hasGuests, present, voters, rival } = rivalry;
  const elsewhere = voters.filter(({ standing: { host, hears, ...other } }) => {
    return hears && other.term !== term && host !== self;
  });
  if (elsewhere.length === 0) return null;
  if (home !== null && isHeardItself(home, voters)) return home.host;
  if (rival !== null && isHeardItself(rival, voters) && hasMore(rival, rivalry)) return rival.host;
  if (hasGuests) {
    // Players without a majority vote for the last host that had one: they come back by themselves.
    const named = elsewhere.filter(
      ({ standing }) => isNewerTerm(standing.term, term) && standing.vote !== self,
    );
    const guests = new Set([...present, ...named.map(({ slot }) => slot)]);
    const isNamed = ({ standing: { host } }: Voter): boolean => {
      const namers = named.filter((other) => other.standing.host === host);
      return isMajority(namers.length, guests.size);
    };
    return named.find(isNamed)?.standing.host ?? null;
  }
  const newest = elsewhere.reduce((a, b) => (isNewerTerm(b.standing.term, a.standing.term) ? b : a));
  if (isNewerTerm(newest.standing.term, term)) return newest.standing.host;
  // An older host counts only if it says itself that it has guests.
  return elsewhere.find(({ slot, standing }) => standing.host === slot)?.slot ?? null;
}
