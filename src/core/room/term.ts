import { MAX_PLAYERS } from '../base/constants.ts';
import type { Sequence, Slot } from '../base/ids.ts';
import { newer } from '../base/sequence.ts';

/** [H8] Terms wrap at 16 bits. */
export const MAX_TERM = 0xffff;

/**
 * [H8] The term of a player that becomes host.
 * @param term the newest term that the player knows, 0 to MAX_TERM.
 * @returns a newer term, 0 to MAX_TERM.
 */
export function nextTerm(term: number, slot: Slot): number {
  const round = Math.floor(term / MAX_PLAYERS) + 1;
  return (round * MAX_PLAYERS + (MAX_PLAYERS - 1 - slot)) & MAX_TERM;
}

/** @returns the slot of the host of a term, as `nextTerm` makes it; of a founder's term it means nothing. */
export function slotOfTerm(term: number): Slot {
  return (MAX_PLAYERS - 1 - (term % MAX_PLAYERS)) as Slot;
}

/** [H6.5] Connections that a host may begin before it uses the numbers of the next round of hosts. */
const CONNECTIONS_IN_ROUND = 0x800;

/**
 * [H6.5] The number before the first connection of a term: two pages keep their line while the host changes, and
 * packets of an earlier term may still wait there, unread.
 * @param term 0 to MAX_TERM.
 * @returns a whole number; its low 16 bits, which packets carry, come again after 32 rounds.
 */
export function connectionBefore(term: number): number {
  return Math.floor(term / MAX_PLAYERS) * CONNECTIONS_IN_ROUND;
}

/** True if the first term is newer. */
export function isNewerTerm(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}

/** [F4] Votes that a player needs: a strict majority of all guests, and never its own alone. */
export function majorityOf(guests: number): number {
  return Math.max(2, Math.floor(guests / 2) + 1);
}

/** [F4] True if a player has as many votes as it needs. */
export function isMajority(votes: number, guests: number): boolean {
  return votes >= majorityOf(guests);
}
