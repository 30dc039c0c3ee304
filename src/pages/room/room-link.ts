import type { RoomCode } from '../../core/room/code.ts';
import type { RoomId } from '../../core/room/identity/key.ts';
import { readRoomId } from '../../core/room/identity/key.ts';

/**
 * @param room [P3] null while it is not known: then the link is for any room with this code.
 * @returns the query of a link to a room.
 */
export function roomQuery(code: RoomCode, room: RoomId | null): string {
  return room === null ? `?room=${code}` : `?room=${code}&id=${room}`;
}

/**
 * Has the address bar lead to a room, in place of the page's present address. Browsers throw if a page changes its
 * address very often, and a room's rules may change as often as its host likes; so an address that is there is kept.
 */
export function showRoomAddress(code: RoomCode, room: RoomId | null): void {
  const query = roomQuery(code, room);
  if (location.search !== query) history.replaceState(null, '', query);
}

/** [P3] @returns the room of the link that opened this page; null if the link has only a code. */
export function roomOfLink(): RoomId | null {
  return readRoomId(new URLSearchParams(location.search).get('id'));
}
