import { TICK_RATE } from '../../src/core/base/constants.ts';
import type { NodePlayer } from './node-player.ts';

/** Seconds for which a player wants a reset: players begin to play at slightly different times. */
export const WISH_SECONDS = 10;

/** One player's wishes for a reset [N1.6]: all players of a room want one at about the same time, so the server does it. */
export class ResetRhythm {
  readonly #every: number;
  #ticks = 0;

  /** @param seconds from one wish to the next, more than 10; 0 for none. */
  constructor(seconds: number) {
    this.#every = seconds * TICK_RATE;
  }

  /** Call it once a tick. */
  tick({ session }: NodePlayer): void {
    this.#ticks++;
    if (this.#every === 0 || this.#ticks < this.#every) return;
    const since = this.#ticks % this.#every;
    if (since === 0) session.setProfile({ wantsReset: true });
    if (since === WISH_SECONDS * TICK_RATE) session.setProfile({ wantsReset: undefined });
  }
}
