import { TICK_RATE } from '../../../core/base/constants.ts';
import { REACHABLE, UNREACHABLE } from '../sentences.ts';

/** Ticks for which the broker is away before it is news: a short gap closes by itself. */
const PATIENCE = 4 * TICK_RATE;

/** Tells the player when nobody new can come into the room any more, and when somebody can again. */
export class ServerNews {
  readonly #say: (sentence: string) => void;
  #wasReached = false;
  #ticksAway = 0;

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  /** Call it once a tick. @param isReached the broker answers now. */
  tick(isReached: boolean): void {
    if (isReached) {
      if (this.#ticksAway > PATIENCE) this.#say(REACHABLE);
      this.#wasReached = true;
      this.#ticksAway = 0;
    } else if (this.#wasReached && ++this.#ticksAway === PATIENCE + 1) this.#say(UNREACHABLE);
  }
}
