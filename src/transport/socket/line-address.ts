import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';

/** The path of the rooms on a server, and the last part of the path below a room's code. */
export const ROOMS_PATH = '/rooms';
const LINE_PATH = 'line';
const WATCH_PATH = 'watch';
const VOICE_PATH = 'voice';

/** [N2.6] A member's id at the server's broker, and its proof that the id is its own. */
export type BrokerId = { readonly id: string; readonly token: string };

/** An address that has the id of whoever asks. */
type AskedAddress = BrokerId & { readonly code: RoomCode | null };

/**
 * [N2.3] Returns the address of the WebSocket to a room on a server.
 * @param rooms the address of the server's rooms, with a slash at its end.
 * @param own [N2.6] this member's id at the server's broker, and its token.
 */
export function lineAddress(rooms: URL, code: RoomCode, own: BrokerId): URL {
  return withId(socketAddress(rooms, code, LINE_PATH), own);
}

/**
 * Reads such an address, as a server gets it.
 * @param url path and query.
 * @returns null for another path. The code is null if no room can have it; id and token may be any texts.
 */
export function readLineAddress(url: string | undefined): AskedAddress | null {
  return readWithId(url, LINE_PATH);
}

/** [N8.6] Returns the address of the WebSocket for the voices of a room on a server. The parameters are lineAddress'. */
export function voiceAddress(rooms: URL, code: RoomCode, own: BrokerId): URL {
  return withId(socketAddress(rooms, code, VOICE_PATH), own);
}

/** Reads such an address as readLineAddress does. */
export function readVoiceAddress(url: string | undefined): AskedAddress | null {
  return readWithId(url, VOICE_PATH);
}

/** [N5] Returns the address of the WebSocket of those that watch a room. @param rooms see lineAddress. */
export function watchAddress(rooms: URL, code: RoomCode): URL {
  return socketAddress(rooms, code, WATCH_PATH);
}

/** Reads such an address; null for another path. The code is null if no room can have it. */
export function readWatchAddress(url: string | undefined): { readonly code: RoomCode | null } | null {
  return readPath(url, WATCH_PATH);
}

function socketAddress(rooms: URL, code: RoomCode, last: string): URL {
  const url = new URL(`${code}/${last}`, rooms);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}

function withId(url: URL, { id, token }: BrokerId): URL {
  url.search = new URLSearchParams({ id, token }).toString();
  return url;
}

function readWithId(url: string | undefined, last: string): AskedAddress | null {
  const read = readPath(url, last);
  const query = new URLSearchParams(url?.split('?', 2)[1]);
  return read && { ...read, id: query.get('id') ?? '', token: query.get('token') ?? '' };
}

function readPath(url: string | undefined, last: string): { readonly code: RoomCode | null } | null {
  const parts = (url ?? '').split('?', 1)[0].split('/');
  const isOurs = parts.length === 4 && `/${parts[1]}` === ROOMS_PATH && parts[3] === last;
  return isOurs ? { code: readRoomCode(parts[2]) } : null;
}
