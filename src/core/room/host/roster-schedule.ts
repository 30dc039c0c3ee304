import { isLarge } from '../people.ts';

/** Milliseconds between two measurements of round trips, and between two rosters that bring nothing else. */
const SECOND_MS = 1000;
/** [N8.3] The same in a large room: a roster of 31 players has 8 kB, and goes to all of them. */
const LARGE_APART_MS = 10_000;
/** Milliseconds between two rosters that bring new profiles: a guest may change its profile all the time. */
const PROFILES_APART_MS = 100;

/** Says when a host sends its roster: when something in it has changed. It has no clock. */
export class RosterSchedule {
  #hasChanged = false;
  #hasNewProfile = false;
  #hasNewRoundTrips = false;
  #isLarge = false;
  #sentMs = Infinity;
  #secondMs = 0;

  /** Something in the roster has changed that all are to know at once. */
  change(): void {
    this.#hasChanged = true;
  }

  /** Round trips have changed. */
  changeRoundTrips(room: { readonly capacity: number }): void {
    this.#hasNewRoundTrips = true;
    this.#isLarge = isLarge(room);
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
    return true;
  }

  get #isDue(): boolean {
    if (this.#hasChanged || (this.#hasNewProfile && this.#sentMs >= PROFILES_APART_MS)) return true;
    return this.#hasNewRoundTrips && (!this.#isLarge || this.#sentMs >= LARGE_APART_MS);
  }

  /** True if the roster is to be sent now; the caller does it. */
  take(): boolean {
    if (!this.#isDue) return false;
    this.#hasChanged = this.#hasNewProfile = this.#hasNewRoundTrips = false;
    this.#sentMs = 0;
    return true;
  }
}
