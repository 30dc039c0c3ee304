import { TICK_RATE } from '../../../core/base/constants.ts';
import { formerDedicatedHost } from '../../../core/room/identity/lineage.ts';
import { askForKey } from '../../server-rooms.ts';
import type { GameSession } from './session.ts';

/** Ticks between two questions to the server, which may be beginning again; and questions in all. */
const ASK_EVERY = 3 * TICK_RATE;
const MOST_QUESTIONS = 20;

/**
 * [N3.6] A room that has moved to the server gets it back: a page that became its host while the server was away asks the
 * site for the server's key, and invites it.
 */
export class ServerReturn {
  readonly #session: Pick<GameSession, 'code' | 'hosting' | 'lineage'>;
  readonly #isOffered: boolean;
  readonly #ending = new AbortController();
  #ticks = 0;
  #questions = 0;

  /** @param isOffered the site has server rooms. */
  constructor(session: Pick<GameSession, 'code' | 'hosting' | 'lineage'>, isOffered: boolean) {
    this.#session = session;
    this.#isOffered = isOffered;
  }

  /** Call it once a tick. */
  tick(): void {
    const { hosting, lineage } = this.#session;
    if (!this.#isOffered || hosting === null) this.#ticks = this.#questions = 0;
    else if (this.#questions < MOST_QUESTIONS && this.#ticks++ % ASK_EVERY === 0) {
      if (lineage === null || formerDedicatedHost(lineage) === null) return;
      this.#questions++;
      void this.#ask();
    }
  }

  async #ask(): Promise<void> {
    const { code } = this.#session;
    const { signal } = this.#ending;
    const key = code === null ? null : await askForKey(code, signal);
    if (key === null || signal.aborted) return;
    this.#questions = MOST_QUESTIONS;
    this.#session.hosting?.invite(key);
  }

  dispose(): void {
    this.#ending.abort();
  }
}
