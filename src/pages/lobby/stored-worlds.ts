import type { SavedWorld } from '../../core/wire/files/saved-world.ts';

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
   * @param isNew the room is new; otherwise this page comes back to it, and goes on with what it kept last.
   * @returns the world that was carried, once; else a world of this browser; null if there is none.
   */
  async take(isNew: boolean): Promise<SavedWorld | null> {
    const carried = this.#carried;
    this.#carried = null;
    return carried ?? (await (isNew ? readLastWorld() : readNewestWorld()));
  }

  /** Reads the last world, so that the lobby can offer to continue it. */
  async find(): Promise<void> {
    this.last = await readLastWorld().catch(() => null);
  }
}

/** A lobby without a last world does not need the module. */
async function readLastWorld(): Promise<SavedWorld | null> {
  const { loadLastWorld } = await import('../../storage/last-world.ts');
  return loadLastWorld();
}

async function readNewestWorld(): Promise<SavedWorld | null> {
  const { loadNewestWorld } = await import('../../storage/last-world.ts');
  return loadNewestWorld();
}
