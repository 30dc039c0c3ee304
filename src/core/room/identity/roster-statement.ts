import type { Roster } from '../messages.ts';
import type { Elector, RosterStatement, SignedRoster } from './statements.ts';

/** [P4] The part of a roster that its host signs, without the epoch: it counts the changes of this part. */
export type RosterCore = Omit<RosterStatement, 'epoch'>;

/** @returns the part of a roster that its host signs. */
export function statementOf(roster: Omit<Roster, 'signature'>): RosterStatement {
  return { ...coreOf(roster), epoch: roster.epoch };
}

/** @returns the same, without the epoch. */
export function coreOf(roster: Omit<Roster, 'signature' | 'epoch'>): RosterCore {
  const { term, host, capacity, locked, players } = roster;
  const electors: Elector[] = players.map(({ slot, key, presence }) => {
    return { slot, key, isAway: presence === 'away' };
  });
  return { term, host, capacity, locked, electors };
}

/** @returns a roster as evidence; null if its host has not signed it. */
export function signedRosterOf(roster: Roster): SignedRoster | null {
  const { signature } = roster;
  return signature === null ? null : { ...statementOf(roster), signature };
}
