import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';

/** The path of the rooms on a server, and the last part of the path below a room's code. */
export const ROOMS_PATH = '/rooms';
const LINE_PATH = 'line';

/** [N2.6] A member's id at the server's broker, and its proof that the id is its own. */
export type BrokerId = { readonly id: string; readonly token: string };

/**
 * [N2.3] Returns the address of the WebSocket to a room on a server.
 * @param rooms the address of the server's rooms, with a slash at its end.
 * @param own [N2.6] this member's id at the server's broker, and its token.
 */
export function lineAddress(rooms: URL, code: RoomCode, { id, token }: BrokerId): URL {
  const url = new URL(`${code}/${LINE_PATH}`, rooms);
  url.protocol = url.protocol.replace('http', 'ws');
  url.search = new URLSearchParams({ id, token }).toString();
  return url;
}

/**
 * Reads such an address, as a server gets it.
 * @param url path and query.
 * @returns null for another path. The code is null if no room can have it; id and token may be any texts.
 */
export function readLineAddress(
  url: string | undefined,
): (BrokerId & { readonly code: RoomCode | null }) | null {
  const [path, search] = (url ?? '').split('?', 2);
  const parts = path.split('/');
  if (parts.length !== 4 || `/${parts[1]}` !== ROOMS_PATH || parts[3] !== LINE_PATH) return null;
  const query = new URLSearchParams(search);
  return { code: readRoomCode(parts[2]), id: query.get('id') ?? '', token: query.get('token') ?? '' };
}
