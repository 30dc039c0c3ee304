import type { RoomCode } from '../core/room/code.ts';
import { readRoomCode } from '../core/room/code.ts';
import type { PublicKey, RoomId } from '../core/room/identity/key.ts';
import { readKey, readRoomId } from '../core/room/identity/key.ts';
import { PROTOCOL_VERSION } from '../core/room/messages.ts';
import type { LevelRecipe } from '../core/world/level-reference.ts';

/** An order of a page to its own server: a new room, or [N3.4] to take a room that this page is host of. */
export type ServerOrder = {
  readonly level: LevelRecipe;
  /** [N8.1] People at most; as many as in a room of a browser if left out. */
  readonly capacity?: number;
  readonly moves?: { readonly code: RoomCode; readonly room: RoomId };
};

/** A room that the server has opened, or comes into; and the key of its dedicated host [P1], null if it is unknown. */
export type ServerRoom = {
  readonly code: RoomCode;
  readonly room: RoomId | null;
  readonly key: PublicKey | null;
};

/**
 * Why the server has no room for this page. `other version`: [N9.10] it speaks another protocol than this page. `offline`:
 * this machine has no network. `no broker`: the server does not answer.
 */
export type NoServerRoom = 'too many rooms' | 'no server room' | 'other version' | 'offline' | 'no broker';

/**
 * An answer about a room: the key of its dedicated host, null if the server has no such room; and [N9.10] the server's
 * protocol version, null if it names none.
 */
export type RoomAtServer = { readonly key: PublicKey | null; readonly protocol: number | null };

/** [N3.6] Asks the page's own server about a room. Never rejects. @returns null if it does not answer. */
export async function askAboutRoom(code: RoomCode, signal?: AbortSignal): Promise<RoomAtServer | null> {
  try {
    const response = await fetch(
      new URL(`rooms/${code}`, document.baseURI),
      signal === undefined ? {} : { signal },
    );
    if (!response.ok) return null;
    const answer = (await response.json()) as Readonly<Record<'key' | 'protocol', unknown>>;
    const protocol = typeof answer.protocol === 'number' ? answer.protocol : null;
    return { key: readKey(answer.key), protocol };
  } catch {
    return null;
  }
}

/** Asks the page's own server for a room. Never rejects. @returns why there is none, if there is none. */
export async function askServer(order: ServerOrder, signal: AbortSignal): Promise<ServerRoom | NoServerRoom> {
  try {
    const response = await fetch(new URL('rooms', document.baseURI), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...order, protocol: PROTOCOL_VERSION }),
      signal,
    });
    if (response.status === 429) return 'too many rooms';
    if (response.status === 409) return 'other version';
    if (!response.ok) return 'no server room';
    const answer = (await response.json()) as Readonly<Record<'code' | 'room' | 'key', unknown>>;
    const code = typeof answer.code === 'string' ? readRoomCode(answer.code) : null;
    return code === null
      ? 'no server room'
      : { code, room: readRoomId(answer.room), key: readKey(answer.key) };
  } catch {
    return navigator.onLine ? 'no broker' : 'offline';
  }
}
