import { DEDICATED_SLOT, MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../base/constants.ts';
import type { Slot } from '../base/ids.ts';
import { DOOR_PREFIX } from './code.ts';
import type { PublicKey } from './identity/key.ts';

/** [N1] True for the slot of a person; false for that of a dedicated host. */
export function isPerson({ slot }: { readonly slot: Slot }): boolean {
  return slot !== DEDICATED_SLOT;
}

/** [N8.1] True for a room with so many people that none of them may be its host. @param capacity people at most. */
export function isLarge({ capacity }: { readonly capacity: number }): boolean {
  return capacity > MAX_ROOM_PLAYERS;
}

/** @returns the number of slots that people may have in a room of this capacity: the first ones. */
export function slotsOfPeople(room: { readonly capacity: number }): number {
  return isLarge(room) ? MAX_SERVER_ROOM_PLAYERS : MAX_ROOM_PLAYERS;
}

/**
 * Finds the id at the broker of a player's page. A line that was opened to the room's door has the door's id in place of
 * the page's: then it is the one in the roster, unless another player there has the same.
 * @param page the id that the line has.
 * @returns null if the page at the other end of the line is no player's.
 */
export function pageIn(
  players: readonly { readonly key: PublicKey; readonly id: string }[],
  { key, page }: { readonly key: PublicKey; readonly page: string },
): string | null {
  const player = players.find((one) => one.key === key);
  if (player === undefined) return null;
  const isOnlyOne = players.filter(({ id }) => id === player.id).length === 1;
  return page.startsWith(DOOR_PREFIX) && isOnlyOne ? player.id : page;
}
