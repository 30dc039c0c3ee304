import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../core/wire/files/saved-world.ts';
import { keep, readKept } from './database.ts';

/** A browser keeps one world: the last one that its player hosted. All tabs share it. */

const KEY = 'last';

/** Returns the last world; null if there is none, or if it can't be read. Never rejects. */
export async function loadLastWorld(): Promise<SavedWorld | null> {
  const file = await readKept('worlds', KEY);
  const world = file instanceof Uint8Array ? readWorldFile(file) : 'damaged';
  return typeof world === 'string' ? null : world;
}

/**
 * Replaces the last world. A page that is being closed may call it: if the database is open already, the
 * world is still written, although the page does not see the result.
 * @returns false if the browser refused. Never rejects.
 */
export function saveLastWorld(world: SavedWorld): Promise<boolean> {
  return keep('worlds', KEY, writeWorldFile(world));
}
