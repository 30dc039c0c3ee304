import { TICK_RATE } from '../../../core/base/constants.ts';
import { askServer } from '../../server-rooms.ts';
import { MOVE_SENTENCES } from '../sentences.ts';
import type { GameSession } from './session.ts';

/** `impossible`: this page is not host, or its site has no server rooms. */
export type MoveState = 'impossible' | 'possible' | 'underway';

/** Ticks that the server has to become host: a minute to begin, and one to come in, after which it gives up itself [N3.2]. */
const GIVE_UP_TICKS = 125 * TICK_RATE;

type MovingSession = Pick<GameSession, 'code' | 'room' | 'world' | 'hosting'>;

/** [N3.4] Moves a room from this page, its host, to the site's server, while it is played. */
export class ServerMove {
  readonly #session: MovingSession;
  readonly #isOffered: boolean;
  readonly #say: (sentence: string) => void;
  /** Ticks since the move began; null while none is under way. */
  #ticks: number | null = null;
  #asking: AbortController | null = null;
  #hasInvited = false;

  /**
   * @param isOffered the site has server rooms.
   * @param say shows a sentence for a moment.
   */
  constructor(session: MovingSession, isOffered: boolean, say: (sentence: string) => void) {
    this.#session = session;
    this.#isOffered = isOffered;
    this.#say = say;
  }

  get state(): MoveState {
    const { code, hosting } = this.#session;
    if (!this.#isOffered || code === null || hosting === null) return 'impossible';
    return this.#ticks === null ? 'possible' : 'underway';
  }

  /** Asks the server to take the room. Does nothing unless that is possible. */
  begin(): void {
    const { code, room, world } = this.#session;
    if (this.state !== 'possible' || code === null || room === null || world === null) return;
    this.#ticks = 0;
    this.#hasInvited = false;
    this.#asking = new AbortController();
    void this.#ask({ level: world.choice, moves: { code, room } }, this.#asking.signal);
  }

  async #ask(order: Parameters<typeof askServer>[0], signal: AbortSignal): Promise<void> {
    const answer = await askServer(order, signal);
    if (signal.aborted) return;
    if (typeof answer === 'string') this.#fail(MOVE_SENTENCES[answer]);
    else if (answer.key === null) this.#fail(MOVE_SENTENCES['no server room']);
    else {
      this.#hasInvited = true;
      this.#session.hosting?.invite(answer.key);
    }
  }

  /** Call it once a tick. */
  tick(): void {
    if (this.#ticks === null) return;
    // That the server is host now is news for everybody.
    if (this.#session.hosting === null) this.#stop();
    else if (++this.#ticks > GIVE_UP_TICKS) this.#fail(MOVE_SENTENCES['did not come']);
  }

  #fail(sentence: string): void {
    if (this.#hasInvited) this.#session.hosting?.invite(null);
    this.#stop();
    this.#say(sentence);
  }

  #stop(): void {
    this.#ticks = null;
    this.#asking?.abort();
  }

  /** Ends what is under way: the page leaves the room. */
  dispose(): void {
    this.#stop();
  }
}
