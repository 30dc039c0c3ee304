import type { Hand } from './hand.ts';
import { HISTORY } from '../network/server-line.ts';

/** How a server takes in one player's hands. */
export interface Intake {
  /** A hand has arrived, perhaps a second time, perhaps late. */
  take(tick: number, hand: Hand): void;
  /** Returns the hand for this tick of the server. */
  next(): Hand;
  /** The newest of the player's ticks that the server has used; 0 before the first. */
  readonly applied: number;
  /** True once anything has arrived. */
  readonly hasBegun: boolean;
  /** True if the hand of the last `next` was one that had been used before, since no new one had arrived. */
  readonly isGap: boolean;
}

/** Uses the hand that arrived last, at once. */
export class NewestIntake implements Intake {
  applied = 0;
  /** It takes what comes, so it has no gaps. */
  readonly isGap = false;
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

/**
 * Ticks over which a queue is watched, and the hands that may always wait in it. More would be delay for
 * nothing.
 */
const WATCHED = 120;
const SPARE = 2;

/**
 * Uses every hand, in order, one a tick. When none has arrived in time, the last one repeats and all later ones
 * are a tick later; so the queue becomes as long as the network's jitter needs. A queue that was never empty for
 * a while skips one hand.
 */
export class OrderedIntake implements Intake {
  applied = 0;
  isGap = false;
  /** Ticks in which the next hand had not arrived. */
  starved = 0;
  /** Hands that never arrived, and hands that were skipped because the queue was too long. */
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
      this.isGap = later < 0;
      if (this.isGap) {
        this.starved++;
        this.#least = 0;
        return this.#last;
      }
      // Newer packets contained all hands that were still missing, as far back as a packet goes: this one never comes.
      this.missing += later - this.applied - 1;
      this.applied = later - 1;
    }
    this.isGap = false;
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
