import { PARTS } from '../../wire/coder/range-coder.ts';

/** Bits that an update without a baseline is expected to take until one was written. */
const PLAIN_BITS = 234;
/** The same for an update with a baseline. */
const DIFFERENCE_BITS = 150;
/** Bits of the flag of each body without an update; it is less in a large world, which the excess learns. */
const FLAG_BITS = 0.2;
/**
 * The share of a new measurement in the smoothed excess and spread: exponential smoothing, as TCP's estimator smooths
 * the round trip and its deviation (Jacobson 1988). A packet that comes out too long is written a second time.
 */
const GAIN = 1 / 8;
/** Bounds of the excess, so that one odd packet does not spoil the estimate. */
const LEAST_EXCESS = 0.7;
const MOST_EXCESS = 1.5;
/** Spreads that are added to the excess as a margin. */
const SPREADS = 2;

/** Estimates the size of a packet's updates before they are written, by the sizes of the last ones. */
export class SizeEstimate {
  readonly #count: number;
  /** Bits that the last update of each body with a baseline took. */
  readonly #bitsOf: Float32Array;
  /** Bits that the last update of any body without a baseline took. */
  #plainBits = PLAIN_BITS;
  /** Bits that are expected of the packet so far. */
  #expected = 0;
  /** The most that may be expected of it. */
  #most = 0;
  /** The smoothed ratio of the bits that packets took to those expected. */
  #excess = 1;
  /** The smoothed deviation from that ratio. */
  #spread = 0;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#bitsOf = new Float32Array(count).fill(DIFFERENCE_BITS);
  }

  /** Begins a packet. @param room bits for updates. */
  begin(room: number): void {
    this.#expected = this.#count * FLAG_BITS;
    this.#most = room / (this.#excess + SPREADS * this.#spread);
  }

  /** Adds a body's update if it is expected to fit. @returns false if it is not. */
  add(body: number, hasBaseline: boolean): boolean {
    const bits = hasBaseline ? this.#bitsOf[body] : this.#plainBits;
    if (this.#expected + bits > this.#most) return false;
    this.#expected += bits;
    return true;
  }

  /** An update was written. @param parts its size in PARTS of a bit. */
  took(body: number, hasBaseline: boolean, parts: number): void {
    if (hasBaseline) this.#bitsOf[body] = parts / PARTS;
    else this.#plainBits = parts / PARTS;
  }

  /** The packet's updates were all written. @param bits their size. */
  end(bits: number): void {
    const excess = Math.max(LEAST_EXCESS, Math.min(MOST_EXCESS, bits / this.#expected));
    this.#spread += (Math.abs(excess - this.#excess) - this.#spread) * GAIN;
    this.#excess += (excess - this.#excess) * GAIN;
  }
}
