import { TICK_RATE } from '../../../core/base/constants.ts';
import { formerDedicatedHost } from '../../../core/room/identity/lineage.ts';
import { PROTOCOL_VERSION } from '../../../core/room/messages.ts';
import { askAboutRoom } from '../../server-rooms.ts';
import type { GameSession } from './session.ts';

/** Ticks between two questions to the server, which may be beginning again: at first, and after so many questions. */
const ASK_EVERY = 3 * TICK_RATE;
const SOON_QUESTIONS = 20;
const ASK_LATER_EVERY = 30 * TICK_RATE;

/**
 * [N3.6] Lets the site's server come back to a room that had moved there: a page that became host while the server was
 * away asks the site for the server's key, and invites it.
 */
export class ServerReturn {
  readonly #session: Pick<GameSession, 'code' | 'hosting' | 'lineage'>;
  readonly #isOffered: boolean;
  readonly #ending = new AbortController();
  #ticks = 0;
  #questions = 0;
  #hasInvited = false;

  /** @param isOffered the site has server rooms. */
  constructor(session: Pick<GameSession, 'code' | 'hosting' | 'lineage'>, isOffered: boolean) {
    this.#session = session;
    this.#isOffered = isOffered;
  }

  /** Call it once a tick. */
  tick(): void {
    const { hosting, lineage } = this.#session;
    if (hosting === null) {
      this.#ticks = this.#questions = 0;
      this.#hasInvited = false;
    }
    const every = this.#questions < SOON_QUESTIONS ? ASK_EVERY : ASK_LATER_EVERY;
    const isDue = this.#isOffered && hosting !== null && !this.#hasInvited && this.#ticks++ % every === 0;
    if (!isDue || lineage === null || formerDedicatedHost(lineage) === null) return;
    this.#questions++;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const { code } = this.#session;
    const { signal } = this.#ending;
    const found = code === null ? null : await askAboutRoom(code, signal);
    // A server of another version can't come into the room [P2.5].
    const isOther = (found?.protocol ?? PROTOCOL_VERSION) !== PROTOCOL_VERSION;
    if (found === null || found.key === null || isOther || signal.aborted) return;
    this.#hasInvited = true;
    this.#session.hosting?.invite(found.key);
  }

  dispose(): void {
    this.#ending.abort();
  }
}
