import { PARTS } from '../../wire/coder/range-coder.ts';

/** Bits that an update is expected to take without a baseline, and with one, until it was tried. */
const PLAIN_BITS = 220;
const DIFFERENCE_BITS = 150;
/** Bits for each body that is not updated: in a large world fewer, which is learned. */
const FLAG_BITS = 0.2;
/**
 * What all updates of a packet take is learned from the last ones: by this share of the difference, within these
 * bounds, and with so many times what it is mostly off by to spare. A packet that turns out too long is written twice.
 */
const GAIN = 1 / 8;
const LEAST_EXCESS = 0.7;
const MOST_EXCESS = 1.5;
const SPREADS = 2;

/** How long a packet's updates will be, before they are written: what they took the last time. */
export class SizeEstimate {
  readonly #count: number;
  /** For each body what its last update against a baseline took; and what the last one without took. */
  readonly #bitsOf: Float32Array;
  #plainBits = PLAIN_BITS;
  /** Bits that are expected of the packet so far, and at the most. */
  #expected = 0;
  #most = 0;
  /** What packets take of late in place of what was expected, and by how much that differs from packet to packet. */
  #excess = 1;
  #spread = 0;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#bitsOf = new Float32Array(count).fill(DIFFERENCE_BITS);
  }

  /** A packet has so many bits for updates. */
  begin(room: number): void {
    this.#expected = this.#count * FLAG_BITS;
    this.#most = room / (this.#excess + SPREADS * this.#spread);
  }

  /** Counts in a body's update if it is expected to fit. */
  add(body: number, hasBaseline: boolean): boolean {
    const bits = hasBaseline ? this.#bitsOf[body] : this.#plainBits;
    if (this.#expected + bits > this.#most) return false;
    this.#expected += bits;
    return true;
  }

  /** An update has taken so many PARTS of a bit. */
  took(body: number, hasBaseline: boolean, parts: number): void {
    if (hasBaseline) this.#bitsOf[body] = parts / PARTS;
    else this.#plainBits = parts / PARTS;
  }

  /** All updates of the packet have taken so many bits. */
  end(bits: number): void {
    const excess = Math.max(LEAST_EXCESS, Math.min(MOST_EXCESS, bits / this.#expected));
    this.#spread += (Math.abs(excess - this.#excess) - this.#spread) * GAIN;
    this.#excess += (excess - this.#excess) * GAIN;
  }
}
