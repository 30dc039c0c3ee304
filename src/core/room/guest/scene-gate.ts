/** Milliseconds between two scenes, at least: no person chooses so fast, a hostile host does. */
const SCENE_EVERY_MS = 1000;

/**
 * Holds back the scenes that a host chooses too fast: each makes a new world, which takes a while. Of several in a
 * short time, the last one counts.
 */
export class SceneGate {
  #isWaiting = false;
  /** Milliseconds since the last scene began. */
  #sinceMs = Infinity;

  /** The host has chosen a scene. */
  choose(): void {
    this.#isWaiting = true;
  }

  /** The scene that waits does not begin. */
  drop(): void {
    this.#isWaiting = false;
  }

  /**
   * Call it once a tick, and after `choose`.
   * @param step milliseconds since the last call.
   * @returns true if a scene is to begin now.
   */
  begins(step: number): boolean {
    this.#sinceMs += step;
    if (!this.#isWaiting || this.#sinceMs < SCENE_EVERY_MS) return false;
    this.#isWaiting = false;
    this.#sinceMs = 0;
    return true;
  }
}
