import type { RoomCode } from '../core/room/code.ts';
import { readRoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { readRoomId } from '../core/room/identity/key.ts';

/** A link to a room, as it was read. */
export type RoomLink = {
  readonly code: RoomCode;
  /** [P3] Null for a link to any room with this code. */
  readonly room: RoomId | null;
};

/**
 * @param room [P3] null while it is not known: then the link is for any room with this code.
 * @returns the query of a link to a room.
 */
export function roomQuery(code: RoomCode, room: RoomId | null): string {
  return room === null ? `?room=${code}` : `?room=${code}&id=${room}`;
}

/** [N5] @returns the query of a link to watch a room of the site's server. */
export function watchQuery(code: RoomCode): string {
  return `?watch=${code}`;
}

/** A link to a room. @param page the address of the game's page; other fields of its query stay. */
export function roomLink(page: string, code: RoomCode, room: RoomId | null): string {
  const link = new URL(page);
  link.hash = '';
  link.searchParams.set('room', code);
  if (room === null) link.searchParams.delete('id');
  else link.searchParams.set('id', room);
  return link.href;
}

/** Reads a link to a room, or a code as a person types it; null if the text is neither. Never throws. */
export function readRoomLink(text: string): RoomLink | null {
  const fields = linkFields(text);
  const code = readRoomCode(fields?.get('room') ?? text);
  return code === null ? null : { code, room: readRoomId(fields?.get('id')) };
}

/** The fields of a link, from its query, or from behind its #; null for a text that is no link to a room. */
function linkFields(text: string): URLSearchParams | null {
  const [, after] = /[?#](.*)$/s.exec(text) ?? [];
  if (after === undefined) return null;
  const fields = new URLSearchParams(after.replaceAll('#', '&'));
  return fields.has('room') ? fields : null;
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
