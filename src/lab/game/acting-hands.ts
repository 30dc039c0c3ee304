import { HISTORY } from '../network/server-line.ts';
import type { Hand } from './hand.ts';

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

  /** The hand that acts in a tick; where none arrived, the newest hand before it. */
  at(tick: number): Hand {
    const found = this.newestTo(tick);
    return found < 0 ? this.#home : this.#hands[found % HISTORY];
  }

  /** The newest tick up to `tick` whose hand has arrived; -1 if there is none within reach. */
  newestTo(tick: number): number {
    for (let back = 0; back <= this.#reach && tick - back > 0; back++)
      if (this.has(tick - back)) return tick - back;
    return -1;
  }
}
