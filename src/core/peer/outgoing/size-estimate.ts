import type { BodyId } from '../../base/ids.ts';
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

/**
 * Estimates the size of a packet's updates before they are written, by the sizes of the last ones. A second attempt at
 * a packet goes by the sizes in the first: updates without a baseline take anything from 1 to 300 bits.
 */
export class SizeEstimate {
  readonly #count: number;
  /** Bits that the last update of each body with a baseline took. */
  readonly #bitsOf: Float32Array;
  /** Bits that the update of each body took in the last attempt, or was expected to take. */
  readonly #written: Float32Array;
  #isAgain = false;
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
    this.#written = new Float32Array(count);
  }

  /**
   * Begins an attempt at a packet.
   * @param room bits for updates.
   * @param isAgain true if the last attempt at the same packet came out too long.
   */
  begin(room: number, isAgain: boolean): void {
    this.#isAgain = isAgain;
    this.#expected = this.#count * FLAG_BITS;
    this.#most = isAgain ? room : room / (this.#excess + SPREADS * this.#spread);
  }

  /** Adds a body's update if it is expected to fit. @returns false if it is not. */
  add(body: number, hasBaseline: boolean): boolean {
    const usual = hasBaseline ? this.#bitsOf[body] : this.#plainBits;
    const bits = this.#isAgain ? this.#written[body] : usual;
    this.#written[body] = bits;
    if (this.#expected + bits > this.#most) return false;
    this.#expected += bits;
    return true;
  }

  /** Adds the updates of several bodies if all of them together are expected to fit. @returns false if they are not. */
  addAll(bodies: readonly BodyId[], hasBaseline: (body: BodyId) => boolean): boolean {
    const before = this.#expected;
    for (let i = 0; i < bodies.length; i++) {
      if (this.add(bodies[i], hasBaseline(bodies[i]))) continue;
      this.#expected = before;
      return false;
    }
    return true;
  }

  /** An update was written. @param parts its size in PARTS of a bit. */
  took(body: number, hasBaseline: boolean, parts: number): void {
    this.#written[body] = parts / PARTS;
    if (hasBaseline) this.#bitsOf[body] = parts / PARTS;
    else this.#plainBits = parts / PARTS;
  }

  /** The packet's updates were all written. @param bits their size. */
  end(bits: number): void {
    if (this.#isAgain) return;
    const excess = Math.max(LEAST_EXCESS, Math.min(MOST_EXCESS, bits / this.#expected));
    this.#spread += (Math.abs(excess - this.#excess) - this.#spread) * GAIN;
    this.#excess += (excess - this.#excess) * GAIN;
  }
}
