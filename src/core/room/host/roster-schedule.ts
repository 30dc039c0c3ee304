import { isLarge } from '../people.ts';

/** Milliseconds between two measurements of round trips, and between two rosters that bring nothing else. */
const SECOND_MS = 1000;
/** Milliseconds between two rosters that bring new profiles: a guest may change its profile all the time. */
const PROFILES_APART_MS = 100;
/**
 * [N8.3] Milliseconds between two rosters in a large room: for figures, for profiles, and for anything else. A roster
 * of 31 players has 8 kB, and goes to all of them.
 */
const LARGE = { figures: 10_000, profiles: 2000, others: 500 };
const SMALL = { figures: 0, profiles: PROFILES_APART_MS, others: 0 };

/** Says when a host sends its roster: when something in it has changed. It has no clock. */
export class RosterSchedule {
  #hasChanged = false;
  #hasNewProfile = false;
  #hasNewFigures = false;
  #sentMs = Infinity;
  #secondMs = 0;
  /** [N5.7] How many watch the room; 0 at first. */
  watchers = 0;
  /** How many watched a second ago. */
  #watchersThen = 0;

  /** The part of the roster about those that watch. */
  get watched(): { readonly watchers?: number } {
    return this.watchers === 0 ? {} : { watchers: this.watchers };
  }

  /** Something in the roster has changed that all are to know at once. */
  change(): void {
    this.#hasChanged = true;
  }

  /** Figures have changed that need no haste: round trips, or how many watch. */
  changeFigures(): void {
    this.#hasNewFigures = true;
  }

  /** A guest's profile has changed: all are to know it, but not in every tick. */
  changeProfile(): void {
    this.#hasNewProfile = true;
  }

  /**
   * Call it once a tick.
   * @param step milliseconds since the last tick.
   * @returns true once a second: then round trips are to be measured anew.
   */
  tick(step: number): boolean {
    this.#sentMs += step;
    this.#secondMs += step;
    if (this.#secondMs < SECOND_MS) return false;
    this.#secondMs = 0;
    // Not in every tick: strangers can come and go as often as they like.
    if (this.watchers !== this.#watchersThen) this.changeFigures();
    this.#watchersThen = this.watchers;
    return true;
  }

  /** True if the roster is to be sent now; the caller does it. */
  take(room: { readonly capacity: number }): boolean {
    const apart = isLarge(room) ? LARGE : SMALL;
    const isDue =
      (this.#hasChanged && this.#sentMs >= apart.others) ||
      (this.#hasNewProfile && this.#sentMs >= apart.profiles) ||
      (this.#hasNewFigures && this.#sentMs >= apart.figures);
    if (!isDue) return false;
    this.#hasChanged = this.#hasNewProfile = this.#hasNewFigures = false;
    this.#sentMs = 0;
    return true;
  }
}
