import { TICK_MS } from '../../core/base/constants.ts';
import type { Member } from '../../cluster/members.ts';

/**
 * [N9.8] The part of a tick's time that a process may use in 90 of 100 ticks and still get a room: a room in play must
 * not pay for one that begins.
 */
const MOST_OF_TICK = 3 / 4;

/**
 * @param protocol [N9.10] the version that it must have.
 * @returns the process that takes the next room: the one that has the smallest share of its rooms; null if none has a place.
 */
export function leastLoaded(members: readonly Member[], protocol: number): Member | null {
  const free = members.filter(
    (member) =>
      member.protocol === protocol && member.rooms < member.most && member.tickMs < MOST_OF_TICK * TICK_MS,
  );
  let least: Member | null = null;
  for (const member of free) if (least === null || shareOf(member) < shareOf(least)) least = member;
  return least;
}

function shareOf({ rooms, most }: Member): number {
  return rooms / most;
}
