import { HISTORY } from '../network/server-line.ts';
import type { Hand } from './hand.ts';
import { goOn } from './hand.ts';

/** Ticks for which a hand goes on. With six, the server's many small corrections made 10 to 25 jumps a minute. */
const GOES_ON = 4;

/** The hands of one player by the tick at which they act, for the last HISTORY ticks. */
export class ActingHands {
  readonly #ticks = new Int32Array(HISTORY).fill(-1);
  readonly #hands: Hand[];
  readonly #home: Hand;
  readonly #reach: number;

  /** @param reach ticks back within which a missing hand is looked for; beyond it, the hand is at home. */
  constructor(home: Hand, reach: number) {
    this.#home = home;
    this.#reach = Math.min(reach, HISTORY - 1);
    this.#hands = new Array<Hand>(HISTORY).fill(home);
  }

  has(tick: number): boolean {
    return this.#ticks[tick % HISTORY] === tick;
  }

  put(tick: number, hand: Hand): void {
    this.#ticks[tick % HISTORY] = tick;
    this.#hands[tick % HISTORY] = hand;
  }

  /** The hand that acts in a tick; where none arrived, the newest hand before it goes on as it moved, for a while. */
  at(tick: number): Hand {
    const found = this.newestTo(tick);
    if (found < 0) return this.#home;
    const last = this.#hands[found % HISTORY];
    if (found === tick || !this.has(found - 1)) return last;
    return goOn(this.#hands[(found - 1) % HISTORY], last, tick - found, 1, GOES_ON);
  }

  /** The newest tick up to `tick` whose hand has arrived; -1 if there is none within reach. */
  newestTo(tick: number): number {
    for (let back = 0; back <= this.#reach && tick - back > 0; back++)
      if (this.has(tick - back)) return tick - back;
    return -1;
  }
}
