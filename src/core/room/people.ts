import { MAX_ROOM_PLAYERS } from '../base/constants.ts';
import type { Slot } from '../base/ids.ts';

/** [N1] Members of a room at most: its people, and a dedicated host. */
export const MAX_MEMBERS = MAX_ROOM_PLAYERS + 1;

/** [N1] True for the slot of a person; false for that of a dedicated host. */
export function isPerson({ slot }: { readonly slot: Slot }): boolean {
  return slot < MAX_ROOM_PLAYERS;
}
