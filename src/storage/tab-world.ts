import type { RoomCode } from '../core/room/code.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../core/wire/files/saved-world.ts';
import type { LevelSource } from '../core/world/level-reference.ts';
import type { Store } from './store.ts';
import { readFields, sessionStore } from './store.ts';

/** The world of the room whose host this tab is: a reload of the page goes on with it. Other tabs do not see it. */

const KEY = 'handover.world';

/**
 * Returns the world that this tab kept for a room; null if there is none, or if it is not valid.
 * @param levels those of the game.
 */
export function loadTabWorld(
  code: RoomCode,
  levels: LevelSource,
  store: Store = sessionStore(),
): SavedWorld | null {
  const fields = readFields(store, KEY);
  const file = fields?.code === code ? readBytes(fields.file) : null;
  const world = file === null ? 'damaged' : readWorldFile(file, levels);
  return typeof world === 'string' ? null : world;
}

/** Keeps a world for a room, at once: the page may be closing. It replaces the one before. */
export function saveTabWorld(code: RoomCode, world: SavedWorld, store: Store = sessionStore()): void {
  const bytes = Array.from(writeWorldFile(world), (byte) => String.fromCharCode(byte));
  store.write(KEY, JSON.stringify({ code, file: btoa(bytes.join('')) }));
}

/** Deletes the world. */
export function clearTabWorld(store: Store = sessionStore()): void {
  store.write(KEY, null);
}

/** Reads base64; null if it is none. */
function readBytes(value: unknown): Uint8Array | null {
  if (typeof value !== 'string') return null;
  try {
    return Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
