import { TICK_RATE } from '../../../core/base/constants.ts';
import type { RoomCode } from '../../../core/room/code.ts';
import type { RoomAtServer } from '../../server-rooms.ts';

/** Ticks until a site that does not answer is asked again. */
const AGAIN_TICKS = 10 * TICK_RATE;

/** Asks the site about a room; null if it does not answer. Never rejects. */
export type AskSite = (code: RoomCode) => Promise<RoomAtServer | null>;

/**
 * [N9.11] Notices that the site has got another version while its page is in a room: when the site was away and is there
 * again, it is asked.
 */
export class SiteVersion {
  readonly #ask: AskSite;
  #wasReached: boolean | null = null;
  /** Ticks until the site is asked; null if there is nothing to ask. */
  #dueIn: number | null = null;
  #state: 'same' | 'other' | 'told' = 'same';

  constructor(ask: AskSite) {
    this.#ask = ask;
  }

  /**
   * Call it once a tick.
   * @param isReached the broker of the site answers now.
   * @returns true once, if the site has another version than this page.
   */
  tick(code: RoomCode, isReached: boolean): boolean {
    if (isReached && this.#wasReached === false) this.#dueIn = 0;
    // A page that comes into a room has got its version from the site just now.
    if (isReached || this.#wasReached !== null) this.#wasReached = isReached;
    if (isReached && this.#dueIn !== null && this.#dueIn-- <= 0) {
      this.#dueIn = AGAIN_TICKS;
      void this.#look(code);
    }
    if (this.#state !== 'other') return false;
    this.#state = 'told';
    return true;
  }

  async #look(code: RoomCode): Promise<void> {
    const found = await this.#ask(code);
    if (found === null) return;
    this.#dueIn = null;
    if (found.isOtherVersion && this.#state === 'same') this.#state = 'other';
  }
}
