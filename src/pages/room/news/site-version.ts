import { TICK_RATE } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { RoomCode } from '../../../core/room/code.ts';
import { PROTOCOL_VERSION } from '../../../core/room/messages.ts';
import type { RoomAtServer } from '../../server-rooms.ts';

/** Ticks until a site that does not answer is asked again, and how often it is asked at most. */
const AGAIN_TICKS = 10 * TICK_RATE;
const MOST_TRIES = 6;

/** Asks the site about a room; null if it does not answer. Never rejects. */
export type AskSite = (code: RoomCode) => Promise<RoomAtServer | null>;

/**
 * [N9.11] Notices that the site has got a newer version while its page is in a room: it is asked when it was away and is
 * there again, and when another member has become host.
 */
export class SiteVersion {
  readonly #ask: AskSite;
  #wasReached: boolean | null = null;
  #host: Slot | null = null;
  /** Ticks until the site is asked; null if there is nothing to ask. */
  #dueIn: number | null = null;
  #tries = 0;
  /** The newest version that was seen. */
  #newest: number = PROTOCOL_VERSION;
  #isNews = false;

  constructor(ask: AskSite) {
    this.#ask = ask;
  }

  /**
   * Call it once a tick.
   * @param isReached the broker of the site answers now.
   * @param host of the room; null while it is not known.
   */
  tick(code: RoomCode, isReached: boolean, host: Slot | null): void {
    const isAgain = isReached && this.#wasReached === false;
    const hasOtherHost = this.#host !== null && host !== null && host !== this.#host;
    if (isAgain || hasOtherHost) this.#dueIn = this.#tries = 0;
    this.#host = host ?? this.#host;
    // At first, not being reached does not count as an absence: the page has just come from the site.
    if (isReached || this.#wasReached !== null) this.#wasReached = isReached;
    if (!isReached || this.#dueIn === null || this.#dueIn-- > 0) return;
    this.#dueIn = ++this.#tries < MOST_TRIES ? AGAIN_TICKS : null;
    void this.#look(code);
  }

  /** @returns true once for each newer version. */
  takeNews(): boolean {
    const isNews = this.#isNews;
    this.#isNews = false;
    return isNews;
  }

  async #look(code: RoomCode): Promise<void> {
    const found = await this.#ask(code);
    if (found === null) return;
    this.#dueIn = null;
    if (found.protocol === null || found.protocol <= this.#newest) return;
    this.#newest = found.protocol;
    this.#isNews = true;
  }
}
