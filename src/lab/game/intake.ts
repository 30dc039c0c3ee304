import type { Hand } from './hand.ts';
import { HISTORY } from '../network/server-line.ts';

/** How a server takes in what one player's hand does. */
export interface Intake {
  /** A hand has come, perhaps again, perhaps late. */
  take(tick: number, hand: Hand): void;
  /** The hand of this tick of the server. */
  next(): Hand;
  /** The newest of the player's ticks that was acted on; 0 before the first. */
  readonly applied: number;
  /** True once anything has come. */
  readonly hasBegun: boolean;
}

/** Whatever came last, now. */
export class NewestIntake implements Intake {
  applied = 0;
  #hand: Hand;

  constructor(home: Hand) {
    this.#hand = home;
  }

  get hasBegun(): boolean {
    return this.applied > 0;
  }

  take(tick: number, hand: Hand): void {
    if (tick <= this.applied) return;
    this.applied = tick;
    this.#hand = hand;
  }

  next(): Hand {
    return this.#hand;
  }
}

/** Ticks over which a queue is watched, and hands that may always have waited: more is delay for nothing. */
const WATCHED = 120;
const SPARE = 2;

/**
 * Every hand, in order, one a tick. When none has come in time the last one goes on, and all later ones are a tick
 * later: by that the queue comes to be as long as the network's jitter needs. One that was never empty for a while
 * leaves a hand out.
 */
export class OrderedIntake implements Intake {
  applied = 0;
  /** Ticks in which the next hand had not come. */
  starved = 0;
  /** Hands that never came, and those that were left out since the queue was longer than it need be. */
  missing = 0;
  skipped = 0;
  #newest = 0;
  readonly #hands: Hand[];
  readonly #ticks = new Int32Array(HISTORY).fill(-1);
  #last: Hand;
  #least = Infinity;
  #watched = 0;

  constructor(home: Hand) {
    this.#last = home;
    this.#hands = new Array<Hand>(HISTORY).fill(home);
  }

  get hasBegun(): boolean {
    return this.#newest > 0;
  }

  take(tick: number, hand: Hand): void {
    if (tick <= this.applied || tick > this.applied + HISTORY - 1) return;
    this.#ticks[tick % HISTORY] = tick;
    this.#hands[tick % HISTORY] = hand;
    this.#newest = Math.max(this.#newest, tick);
  }

  next(): Hand {
    if (!this.#has(this.applied + 1)) {
      const later = this.#oldestAfter(this.applied + 1);
      if (later < 0) {
        this.starved++;
        this.#least = 0;
        return this.#last;
      }
      // All that was sent since has it in it, as far back as a packet goes: it won't come any more.
      this.missing += later - this.applied - 1;
      this.applied = later - 1;
    }
    this.#trim();
    this.applied++;
    this.#last = this.#hands[this.applied % HISTORY];
    return this.#last;
  }

  #has(tick: number): boolean {
    return this.#ticks[tick % HISTORY] === tick;
  }

  #oldestAfter(tick: number): number {
    for (let at = tick; at <= this.#newest; at++) if (this.#has(at)) return at;
    return -1;
  }

  #trim(): void {
    this.#least = Math.min(this.#least, this.#newest - this.applied - 1);
    if (++this.#watched < WATCHED) return;
    if (this.#least > SPARE && this.#has(this.applied + 2)) {
      this.applied++;
      this.skipped++;
    }
    this.#watched = 0;
    this.#least = Infinity;
  }
}
