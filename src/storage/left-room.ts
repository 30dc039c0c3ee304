import { readRoomCode } from '../core/room/code.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { readRoomId } from '../core/room/identity/key.ts';
import type { Store } from './store.ts';
import { readFields, sessionStore } from './store.ts';

/** The room that this tab's player has left, and that others may still be in. */
export type LeftRoom = {
  readonly code: RoomCode;
  /** [P3] Null if it is not known. */
  readonly room: RoomId | null;
  /** The names of the others who were there, as the page called them. */
  readonly players: readonly string[];
};

const KEY = 'handover.left';
/** The most names that are read, and characters of one. A large room has more players: only the first are read. */
const MOST_PLAYERS = 8;
const LONGEST_NAME = 40;

/** Returns the room that was left last; null if there is none, or if it is not valid. */
export function loadLeftRoom(store: Store = sessionStore()): LeftRoom | null {
  const fields = readFields(store, KEY);
  const code = typeof fields?.code === 'string' ? readRoomCode(fields.code) : null;
  if (fields === null || code === null) return null;
  const players = Array.isArray(fields.players) ? fields.players : [];
  return {
    code,
    room: readRoomId(fields.room),
    players: players
      .filter((name): name is string => typeof name === 'string' && name.length <= LONGEST_NAME)
      .slice(0, MOST_PLAYERS),
  };
}

/** @param room null: there is none to go back to. */
export function saveLeftRoom(room: LeftRoom | null, store: Store = sessionStore()): void {
  store.write(KEY, room === null ? null : JSON.stringify(room));
}
