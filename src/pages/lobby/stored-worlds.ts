import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import { isSameLevel } from '../../core/world/level-reference.ts';
import { gameLevels } from '../../levels/levels.ts';

/** The worlds with which a room of this browser can begin. */
export class StoredWorlds {
  /** The world that can be continued; null if there is none or it is not read yet. */
  last: SavedWorld | null = null;
  #carried: SavedWorld | null = null;

  /** The world of a host that comes back in another colour; null for a guest's. */
  carry(world: SavedWorld | null): void {
    this.#carried = world;
  }

  /**
   * @returns the world that was carried, once; else the newest world of the browser; null if there is none of this
   * scene.
   */
  async take(scene: LevelRecipe): Promise<SavedWorld | null> {
    const carried = this.#carried;
    this.#carried = null;
    return newestOf(carried === null ? await readWorlds() : [carried], scene);
  }

  /** Reads the last world, so that the lobby can offer to continue it. */
  async find(): Promise<void> {
    [this.last = null] = await readWorlds().catch(() => []);
  }
}

/** A lobby without a last world does not need the module. */
async function readWorlds(): Promise<SavedWorld[]> {
  const { loadWorlds } = await import('../../storage/last-world.ts');
  return loadWorlds(gameLevels);
}

/** Returns the world of a scene that was saved last; null if there is none. */
export function newestOf(worlds: readonly SavedWorld[], scene: LevelRecipe): SavedWorld | null {
  const [newest] = worlds
    .filter((world) => isSameLevel(world.level, scene))
    .sort((a, b) => b.savedAt - a.savedAt);
  return newest ?? null;
}
