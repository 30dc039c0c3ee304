import type { RoomCode } from '../core/room/code.ts';
import { readRoomCode } from '../core/room/code.ts';
import type { PublicKey, RoomId } from '../core/room/identity/key.ts';
import { readKey, readRoomId } from '../core/room/identity/key.ts';
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

/** Why the server has no room for this page. */
export type NoServerRoom = 'too many rooms' | 'no server room';

/** [N3.6] Asks for the key of a room's dedicated host. Never rejects. @returns null if the server has no such room. */
export async function askForKey(code: RoomCode, signal: AbortSignal): Promise<PublicKey | null> {
  try {
    const response = await fetch(new URL(`rooms/${code}`, document.baseURI), { signal });
    return response.ok ? readKey(((await response.json()) as { readonly key?: unknown }).key) : null;
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
      body: JSON.stringify(order),
      signal,
    });
    if (response.status === 429) return 'too many rooms';
    if (!response.ok) return 'no server room';
    const answer = (await response.json()) as Readonly<Record<'code' | 'room' | 'key', unknown>>;
    const code = typeof answer.code === 'string' ? readRoomCode(answer.code) : null;
    return code === null
      ? 'no server room'
      : { code, room: readRoomId(answer.room), key: readKey(answer.key) };
  } catch {
    return 'no server room';
  }
}
