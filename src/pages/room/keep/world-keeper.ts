import type { SavedWorld } from '../../../core/wire/files/saved-world.ts';
import { isSameWorld } from '../../../core/wire/files/saved-world.ts';
import type { WorldOrigin } from '../../../storage/last-world.ts';
import { saveLastWorld } from '../../../storage/last-world.ts';
import type { World } from '../../../session/world.ts';

/** Milliseconds between two times at which the world is kept: so much is lost if the power fails. */
const KEEP_EVERY_MS = 5000;

/**
 * Keeps a host's world in the browser, for another day. A scene in its start state is not kept, so that a reset by
 * mistake loses nothing.
 */
export class WorldKeeper {
  readonly #onRefused: () => void;
  #kept: SavedWorld | null = null;
  #lookedAt = 0;
  #isRefused = false;

  /** @param onRefused called once, if the browser keeps nothing. */
  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  /** True if it is time to call `keep`. Call it once a tick. @param nowMs milliseconds. */
  isDue(nowMs: number): boolean {
    if (nowMs - this.#lookedAt < KEEP_EVERY_MS) return false;
    this.#lookedAt = nowMs;
    return true;
  }

  /** Keeps the world as it is now, if it differs from the last that was kept. @param origin of the room. */
  keep({ peer, choice, isWorthKeeping }: World, origin: WorldOrigin): void {
    if (!isWorthKeeping) return;
    const world = peer.saveWorld(choice, secondsNow());
    if (this.#kept !== null && isSameWorld(world, this.#kept)) return;
    this.#kept = world;
    void saveLastWorld(world, origin).then((isKept) => {
      if (isKept || this.#isRefused) return;
      this.#isRefused = true;
      this.#onRefused();
    });
  }
}

/** The present time, in seconds since the beginning of 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
