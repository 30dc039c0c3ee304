import type { Coder } from '../../core/wire/coder/range-coder.ts';
import { codeTick } from './wire.ts';

/**
 * The part of a packet about clocks: the sender's tick, the newest tick of the receiver that it knows, and how many of
 * its ticks ago it learned it; as NTP's transmit, originate and receive timestamps do (RFC 5905, section 8).
 */
export type ClockStamp = { readonly tick: number; readonly echo: number; readonly held: number };

/** Bits of `held`: four seconds. A longer time is not said. */
const HELD_BITS = 8;
const MOST_HELD = (1 << HELD_BITS) - 1;
/** The newest samples among which the one with the shortest round trip counts; NTP's clock filter keeps eight. */
const KEPT = 32;

/** Codes a stamp as plain bits; a reader's `stamp` is ignored. @returns the stamp. */
export function codeStamp(c: Coder, stamp: ClockStamp): ClockStamp {
  const tick = codeTick(c, stamp.tick);
  const echo = codeTick(c, stamp.echo);
  return { tick, echo, held: c.bits(Math.min(MOST_HELD, stamp.held), HELD_BITS) };
}

/**
 * Estimates how far another machine's clock is ahead of this one's, from stamps in packets alone. It takes the
 * sample with the shortest round trip: its way out and its way back had the least jitter, so they differ least.
 */
export class ClockEstimate {
  readonly #trips: number[] = [];
  readonly #aheads: number[] = [];
  #newest = 0;
  #gotAt = 0;

  /** The stamp for a packet that leaves after this machine's tick `now`. */
  stamp(now: number): ClockStamp {
    return { tick: now, echo: this.#newest, held: now - this.#gotAt };
  }

  /** A packet has come before this machine's tick `now + 1`, that is, after its tick `now`. */
  take({ tick, echo, held }: ClockStamp, now: number): void {
    if (tick > this.#newest) {
      this.#newest = tick;
      this.#gotAt = now;
    }
    const trip = now - echo - held;
    // The other machine had nothing of this one yet, or it says what can't be.
    if (echo === 0 || held >= MOST_HELD || trip < 0) return;
    this.#trips.push(trip);
    this.#aheads.push(tick + trip / 2 - now);
    if (this.#trips.length <= KEPT) return;
    this.#trips.shift();
    this.#aheads.shift();
  }

  /** True once there is a sample. */
  get isKnown(): boolean {
    return this.#trips.length > 0;
  }

  /** Ticks by which the other clock is ahead of this one; 0 before the first sample. */
  get ahead(): number {
    let best = -1;
    for (let i = 0; i < this.#trips.length; i++)
      if (best < 0 || this.#trips[i] <= this.#trips[best]) best = i;
    return best < 0 ? 0 : this.#aheads[best];
  }
}
