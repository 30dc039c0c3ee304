import type { ChosenLevel, LevelObstacle, LevelSource } from '../../world/level-reference.ts';
import { obstacleTo } from '../../world/level-reference.ts';
import type { Stay } from './guest-state.ts';

/** Milliseconds between two levels, at least: no person chooses so fast, a hostile host does. */
const LEVEL_EVERY_MS = 1000;

/**
 * Holds back the levels that a host chooses too fast: each makes a new world, which takes a while. Of several in a
 * short time, the last one counts.
 */
export class LevelGate {
  #isWaiting = false;
  /** Milliseconds since the last level began. */
  #sinceMs = Infinity;

  /** The host has chosen a level. */
  choose(): void {
    this.#isWaiting = true;
  }

  /** The level that waits does not begin. */
  drop(): void {
    this.#isWaiting = false;
  }

  /**
   * Call it once a tick, and after `choose`.
   * @param step milliseconds since the last call.
   * @param stay the guest's, with the level that the host has chosen last; null before the first welcome.
   * @param levels the levels that this page has.
   * @returns the level that begins now; why this page can't play in it [B1.2]; null if none begins.
   */
  next(step: number, stay: Stay | null, levels: LevelSource): ChosenLevel | LevelObstacle | null {
    if (!this.#begins(step) || stay === null) return null;
    const { level, connection, why } = stay;
    return connection === null ? null : (obstacleTo(level, levels) ?? { level, connection, why });
  }

  /** @returns true if a level is to begin now. */
  #begins(step: number): boolean {
    this.#sinceMs += step;
    if (!this.#isWaiting || this.#sinceMs < LEVEL_EVERY_MS) return false;
    this.#isWaiting = false;
    this.#sinceMs = 0;
    return true;
  }
}
