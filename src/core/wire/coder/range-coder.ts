import { bitsFor } from '../../base/bits.ts';
import type { NumberKind } from './contexts.ts';
import { BLOCK_NODES, CONTEXTS, NEGATIVE } from './contexts.ts';
import { COUNTS_FROM, PRIORS } from './priors.ts';

/** A binary logarithm of PARTS. */
const PARTS_BITS = 8;
/** A RangeWriter counts what it has written in 1/PARTS of a bit. */
export const PARTS = 1 << PARTS_BITS;

/**
 * Writes a packet, or reads it. One function describes both: each call takes the value to write, and returns the value
 * that was written or read. A reader ignores the value that it is given.
 *
 * The method is a binary range coder with 32 bits of range (range coding: Martin, "Range encoding", 1979), whose writer
 * propagates carries into the bytes before (a cached byte and a count of 0xff bytes, as in Pavlov's LZMA). Each context
 * has two probabilities that adapt at different rates, and codes with their mean. A small number is coded as the count
 * of its bits in unary, from a middle count on, each step in a context; then its sign; then the bits below the highest,
 * without contexts (an adaptive kin of the Exp-Golomb code).
 */
export interface Coder {
  /** A bit, 0 or 1, in a context of contexts.ts, whose probabilities then adapt. */
  bit(context: number, bit: number): number;
  /** A whole number, 0 to 2^count - 1, all equally likely; count is 0 to 32. */
  bits(value: number, count: number): number;
  /** A whole number, low to high, all equally likely. A reader that reads a greater one fails and returns `low`. */
  range(value: number, low: number, high: number): number;
  /**
   * A whole number within ±MAX_NUMBER, more often small than great. Callers check the range of what a reader
   * returns.
   * @param block of the kind, counted from its first.
   * @param sign the expected one (see SIGNS_OF_KIND).
   */
  number(kind: NumberKind, block: number, sign: number, value: number): number;
  /** True if this is a reader: a caller can skip work that only a writer needs, and the reverse. */
  readonly reads: boolean;
  /** The packet is invalid. A reader sets `failed`; a writer throws, since the fault is ours. */
  fail(): void;
  /** True once a reader has found the packet invalid; from then on it reads zeros. A writer's is always false. */
  readonly failed: boolean;
}

/** Bits that `finish` may need to end a packet: five bytes. */
export const END_BITS = 40;
/** The greatest absolute value of a `number`: 23 bits, as many as the difference of two positions has. */
export const MAX_NUMBER = 2 ** 23 - 1;
/** Plain bits that say how many bits a number of BLOCK_NODES bits or more has beyond that. */
const MORE_BITS = 3;

/** Probabilities of a 1 are in units of 1/2^15: a bit with a context takes at most 15 bits. */
export const ONE_BITS = 15;
const ONE = 1 << ONE_BITS;
/**
 * Each context has two probabilities. After each bit they move towards it by 1/2^FAST and 1/2^SLOW of the distance; a
 * bit is coded with their mean. Both lie in one 32-bit number (the fast one above), so that one access reads both.
 */
const FAST = 4;
const SLOW = 7;
const HALF = 16;
const LOW_HALF = 0xffff;
const START = Int32Array.from(PRIORS, (prior) => (prior << HALF) | prior);
/** The window is 32 bits wide. The range is kept at 2^24 or more, so that its upper byte is not 0. */
const WINDOW = 2 ** 32;
const LEAST_RANGE = 2 ** 24;
const UPPER_BYTE = 24;
/** Bits that `bits` codes in one step. */
const STEP_BITS = 16;
const STEP = 2 ** STEP_BITS;

/** The two probabilities of a context after a 1. */
function afterOne(model: number): number {
  const fast = model >>> HALF;
  const slow = model & LOW_HALF;
  return ((fast + ((ONE - fast) >> FAST)) << HALF) | (slow + ((ONE - slow) >> SLOW));
}

/** The same after a 0. */
function afterZero(model: number): number {
  const fast = model >>> HALF;
  const slow = model & LOW_HALF;
  return ((fast - (fast >> FAST)) << HALF) | (slow - (slow >> SLOW));
}

/** The part of a range that codes a 1. */
function partOfOne(range: number, model: number): number {
  return Math.imul(range >>> ONE_BITS, ((model >>> HALF) + (model & LOW_HALF)) >>> 1);
}

/**
 * Writes with the range coder. It throws on a value that does not fit, since that fault is ours. It keeps unsigned
 * 32-bit numbers as signed ones, which JavaScript engines store without a box; `>>> 0` gives the unsigned value.
 */
export class RangeWriter implements Coder {
  readonly reads = false;
  readonly failed = false;
  readonly #bytes: Uint8Array;
  /** The probabilities of all contexts. Each packet starts from the priors, so that no packet depends on another. */
  readonly #models = new Int32Array(CONTEXTS);
  #length = 0;
  #low = 0;
  #range = -1;
  /** 1 if `#low` has overflowed 32 bits: 1 is to be added to the bytes before it. */
  #carry = 0;
  /** The last byte out of the window that a carry may still change (-1 for none), and how many 0xff follow it. */
  #cache = -1;
  #pending = 0;

  /** @param capacity bytes. Bytes beyond it are counted but not kept. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.clear();
  }

  /** Begins a new packet. */
  clear(): void {
    this.#models.set(START);
    this.#length = 0;
    this.#low = 0;
    this.#range = -1;
    this.#carry = 0;
    this.#cache = -1;
    this.#pending = 0;
  }

  /** Bits written so far, with the fraction of a bit. */
  get written(): number {
    return this.parts / PARTS;
  }

  /** Bits written so far, in 1/PARTS of a bit: a whole number, since a returned fraction would be allocated. */
  get parts(): number {
    const whole = this.#length + this.#pending + (this.#cache < 0 ? 0 : 1);
    // Minus the binary logarithm of the range; a straight line between powers of 2 is exact enough for counting.
    const top = 31 - Math.clz32(this.#range);
    return (whole * 8 + 33 - top) * PARTS - ((((this.#range - 1) >>> (top - PARTS_BITS)) + 1) | 0);
  }

  fail(): void {
    throw new Error('the writer coded a value in a form that is not canonical');
  }

  bit(context: number, bit: number): number {
    const model = this.#models[context];
    const bound = partOfOne(this.#range, model);
    if (bit === 1) {
      this.#range = bound;
      this.#models[context] = afterOne(model);
    } else {
      this.#range = (this.#range - bound) | 0;
      this.#models[context] = afterZero(model);
      this.#raise(bound);
    }
    while (this.#range >>> UPPER_BYTE === 0) this.#shift();
    return bit;
  }

  bits(value: number, count: number): number {
    if (count > STEP_BITS) {
      this.bits(Math.floor(value / STEP), count - STEP_BITS);
      this.bits(value % STEP, STEP_BITS);
      return value;
    }
    if (!(value >= 0 && value < 1 << count) || !Number.isInteger(value))
      throw new Error(`${value} does not fit ${count} bits`);
    const part = this.#range >>> count;
    this.#range = part | 0;
    this.#raise(Math.imul(value, part));
    while (this.#range >>> UPPER_BYTE === 0) this.#shift();
    return value;
  }

  range(value: number, low: number, high: number): number {
    if (value > high) throw new Error(`${value} is over ${high}`);
    this.bits(value - low, bitsFor(high - low));
    return value;
  }

  number(kind: NumberKind, block: number, sign: number, value: number): number {
    if (!(Math.abs(value) <= MAX_NUMBER) || !Number.isInteger(value))
      throw new Error(`${value} is no small number`);
    return codeNumber(this, kind, block, sign, value);
  }

  /**
   * Ends the packet with the fewest bytes that identify it [W1]. Returns a view of the writer's buffer, valid until the
   * next `clear`; at most `capacity` bytes, a packet of more is cut off.
   */
  finish(): Uint8Array {
    const low = (this.#low >>> 0) + this.#carry * WINDOW;
    const far = Math.ceil(low / WINDOW) * WINDOW;
    const end = far < low + (this.#range >>> 0) ? far : Math.ceil(low / LEAST_RANGE) * LEAST_RANGE;
    this.#low = end | 0;
    this.#carry = end >= WINDOW ? 1 : 0;
    for (let i = 0; i < 5; i++) this.#shift();
    let length = Math.min(this.#length, this.#bytes.length);
    while (length > 0 && this.#bytes[length - 1] === 0) length--;
    return this.#bytes.subarray(0, length);
  }

  /** Raises the low end of the interval. */
  #raise(by: number): void {
    const low = (this.#low + by) | 0;
    if (low >>> 0 < by >>> 0) this.#carry = 1;
    this.#low = low;
  }

  /** Shifts a byte out of the window; 0xff bytes wait until it is known whether a carry changes them. */
  #shift(): void {
    const byte = this.#low >>> UPPER_BYTE;
    if (byte !== 0xff || this.#carry === 1) {
      if (this.#cache >= 0) this.#put(this.#cache + this.#carry);
      for (; this.#pending > 0; this.#pending--) this.#put(0xff + this.#carry);
      this.#cache = byte;
      this.#carry = 0;
    } else this.#pending++;
    this.#low <<= 8;
    this.#range <<= 8;
  }

  #put(byte: number): void {
    if (this.#length < this.#bytes.length) this.#bytes[this.#length] = byte;
    this.#length++;
  }
}

/** Reads what a RangeWriter wrote. Past the end of the bytes it reads zeros. It never throws: see `failed`. */
export class RangeReader implements Coder {
  readonly reads = true;
  #bytes: Uint8Array = new Uint8Array(0);
  readonly #models = new Int32Array(CONTEXTS);
  #at = 0;
  /** The number in the window less the low end of the interval; signed, as in the writer. */
  #code = 0;
  #range = -1;
  #failed = false;

  /** Begins to read a packet. The bytes are not copied, and must not change while they are read. */
  start(bytes: Uint8Array): void {
    this.#models.set(START);
    this.#bytes = bytes;
    this.#at = 0;
    this.#code = 0;
    for (let i = 0; i < 4; i++) this.#code = (this.#code << 8) | this.#take();
    this.#range = -1;
    this.#failed = this.#code === this.#range;
  }

  get failed(): boolean {
    return this.#failed;
  }

  fail(): void {
    this.#failed = true;
  }

  bit(context: number): number {
    if (this.#failed) return 0;
    const model = this.#models[context];
    const bound = partOfOne(this.#range, model);
    const bit = this.#code >>> 0 < bound >>> 0 ? 1 : 0;
    if (bit === 1) {
      this.#range = bound;
      this.#models[context] = afterOne(model);
    } else {
      this.#code = (this.#code - bound) | 0;
      this.#range = (this.#range - bound) | 0;
      this.#models[context] = afterZero(model);
    }
    while (this.#range >>> UPPER_BYTE === 0) this.#shift();
    return bit;
  }

  bits(_value: number, count: number): number {
    if (count > STEP_BITS) {
      const high = this.bits(0, count - STEP_BITS);
      return high * STEP + this.bits(0, STEP_BITS);
    }
    if (this.#failed) return 0;
    const part = this.#range >>> count;
    this.#range = part | 0;
    const value = Math.floor((this.#code >>> 0) / part);
    // The remainder of the division, at the upper end of the range, codes no value.
    if (value >= 1 << count) {
      this.#failed = true;
      return 0;
    }
    this.#code = (this.#code - Math.imul(value, part)) | 0;
    while (this.#range >>> UPPER_BYTE === 0) this.#shift();
    return value;
  }

  range(_value: number, low: number, high: number): number {
    const value = this.bits(0, bitsFor(high - low)) + low;
    if (value <= high) return value;
    this.#failed = true;
    return low;
  }

  number(kind: NumberKind, block: number, sign: number): number {
    return codeNumber(this, kind, block, sign, 0);
  }

  /**
   * [W1] True if the packet is valid and ends as a RangeWriter ends it: with the fewest bytes that lie in the interval
   * and, among those, the least. `#at` - 4 bytes have left the window.
   */
  atEnd(): boolean {
    const { length } = this.#bytes;
    if (this.#failed || (length > 0 && this.#bytes[length - 1] === 0)) return false;
    const first = this.#at - 4;
    if (length > first + 1) return false;
    if (length <= first) return true;
    const window = this.#bytes[first] * LEAST_RANGE;
    const code = this.#code >>> 0;
    const rounder = code >= window || WINDOW - window < (this.#range >>> 0) - code;
    return !rounder && code < LEAST_RANGE;
  }

  #shift(): void {
    this.#code = (this.#code << 8) | this.#take();
    this.#range <<= 8;
  }

  #take(): number {
    const at = this.#at++;
    return at < this.#bytes.length ? this.#bytes[at] : 0;
  }
}

/** The low bit of COUNTS_FROM: the first question is whether the number is 0. The bits above give the middle. */
const ZERO_FIRST = 1;

/** Codes the count of a number's bits, its sign, and the bits below the highest. Returns the number. */
function codeNumber(c: Coder, kind: NumberKind, block: number, sign: number, value: number): number {
  const size = Math.abs(value);
  const bits = codeBits(c, kind.block + block, 32 - Math.clz32(size));
  if (bits === 0) return 0;
  const negative = c.bit(NEGATIVE + kind.signs + sign, value < 0 ? 1 : 0);
  const highest = 1 << (bits - 1);
  const read = highest + c.bits(size & (highest - 1), bits - 1);
  return negative === 1 ? -read : read;
}

/**
 * Codes how many bits a number has, in unary from the middle of its block: up while there are more, or down while there
 * are fewer. A block of which many numbers are 0 and most others great has a first question for 0.
 */
function codeBits(c: Coder, block: number, bits: number): number {
  const node = block * BLOCK_NODES;
  const from = COUNTS_FROM[block];
  const least = from & ZERO_FIRST;
  if (least === 1 && c.bit(node, bits > 0 ? 1 : 0) === 0) return 0;
  let count = from >> 1;
  if (c.bit(node + count, bits > count ? 1 : 0) === 0) {
    while (count > least && c.bit(node + count - 1, bits >= count ? 1 : 0) === 0) count--;
    return count;
  }
  count++;
  while (count < BLOCK_NODES && c.bit(node + count, bits > count ? 1 : 0) === 1) count++;
  return count < BLOCK_NODES ? count : count + c.bits(Math.max(0, bits - count), MORE_BITS);
}
