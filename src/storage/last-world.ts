import type { LevelSource } from '../core/world/level-reference.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../core/wire/files/saved-world.ts';
import { keep, readKept } from './database.ts';

/**
 * A browser keeps two worlds, which all its tabs share: the last one of a room that its player began, and the last one
 * of a room that the player took over as host. So the cubes of somebody else's room never replace the player's own.
 */
export type WorldOrigin = 'own' | 'taken over';

const KEYS: Readonly<Record<WorldOrigin, string>> = { own: 'last', 'taken over': 'taken over' };

/** Returns the worlds that can be read, the player's own first. Never rejects. */
export async function loadWorlds(levels: LevelSource): Promise<SavedWorld[]> {
  const worlds = await Promise.all([loadWorld('own', levels), loadWorld('taken over', levels)]);
  return worlds.filter((world) => world !== null);
}

async function loadWorld(origin: WorldOrigin, levels: LevelSource): Promise<SavedWorld | null> {
  const file = await readKept('worlds', KEYS[origin]);
  const world = file instanceof Uint8Array ? readWorldFile(file, levels) : 'damaged';
  return typeof world === 'string' ? null : world;
}

/**
 * Replaces the last world of an origin. A page that is being closed may call it: if the database is open already, the
 * world is still written, although the page does not see the result.
 * @returns false if the browser refused. Never rejects.
 */
export function saveLastWorld(world: SavedWorld, origin: WorldOrigin): Promise<boolean> {
  return keep('worlds', KEYS[origin], writeWorldFile(world));
}
