import type { RoomCode } from '../../../core/room/code.ts';
import { readRoomCode } from '../../../core/room/code.ts';
import type { RoomId } from '../../../core/room/identity/key.ts';
import { readRoomId } from '../../../core/room/identity/key.ts';
import type { LevelRecipe } from '../../../core/world/level-reference.ts';
import type { Failure } from '../../room/sentences.ts';

/** Where a new room runs: in the player's browser, or on the site's server [N1]. */
export type RoomPlace = 'browser' | 'server';

/** A room that the server has opened. */
export type OpenedRoom = { readonly code: RoomCode; readonly room: RoomId | null };

/** The two ends of a wish for a room on the server. */
export type ServerRoomHandlers = {
  readonly onRoom: (room: OpenedRoom) => void;
  readonly onFailure: (why: Failure) => void;
};

/** Asks the page's own server for a room, and tells what it says, unless that was aborted. Never rejects. */
export async function openServerRoom(
  level: LevelRecipe,
  signal: AbortSignal,
  { onRoom, onFailure }: ServerRoomHandlers,
): Promise<void> {
  const opened = await askFor(level, signal);
  if (signal.aborted) return;
  if (typeof opened === 'string') onFailure(opened);
  else onRoom(opened);
}

/** @returns why there is no room, if there is none. */
async function askFor(level: LevelRecipe, signal: AbortSignal): Promise<OpenedRoom | Failure> {
  try {
    const response = await fetch(new URL('rooms', document.baseURI), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ level }),
      signal,
    });
    if (response.status === 429) return 'too many rooms';
    if (!response.ok) return 'no server room';
    const answer = (await response.json()) as { readonly code?: unknown; readonly room?: unknown };
    const code = typeof answer.code === 'string' ? readRoomCode(answer.code) : null;
    return code === null ? 'no server room' : { code, room: readRoomId(answer.room) };
  } catch {
    return 'no server room';
  }
}
