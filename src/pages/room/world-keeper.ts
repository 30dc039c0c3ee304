import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import { isSameScene } from '../../core/world/scene.ts';
import { keepWorld } from '../../storage/kept-world.ts';
import type { World } from './world.ts';

/** Milliseconds between two looks at whether there is something new to keep: what is lost if the power goes. */
const KEEP_EVERY_MS = 5000;

/**
 * Keeps a host's world in the browser, for another day. A scene as it begins is not kept: so a reset by mistake
 * loses nothing.
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

  /** Asked once a tick: whether it is time to look again. */
  isDue(nowMs: number): boolean {
    if (nowMs - this.#lookedAt < KEEP_EVERY_MS) return false;
    this.#lookedAt = nowMs;
    return true;
  }

  /** Keeps the world as it is now, if there is something new. */
  keep({ peer, choice, isWorthKeeping }: World): void {
    if (!isWorthKeeping) return;
    const world = peer.saveWorld(choice, secondsNow());
    if (this.#kept !== null && isSame(world, this.#kept)) return;
    this.#kept = world;
    void keepWorld(world).then((isKept) => {
      if (isKept || this.#isRefused) return;
      this.#isRefused = true;
      this.#onRefused();
    });
  }
}

/** The present in seconds since the beginning of 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}

function isSame(a: SavedWorld, b: SavedWorld): boolean {
  return isSameScene(a.scene, b.scene) && isEqual(a.resting, b.resting) && isEqual(a.state, b.state);
}

function isEqual(a: Uint8Array | Int32Array, b: Uint8Array | Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}
