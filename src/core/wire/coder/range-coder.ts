import type { NumberKind } from './contexts.ts';
import { BLOCK_NODES, CONTEXTS, NEGATIVE } from './contexts.ts';
import { COUNTS_FROM, PRIORS } from './priors.ts';

/** Parts of a bit in which what was written is counted. */
const PARTS_BITS = 8;
export const PARTS = 1 << PARTS_BITS;

/**
 * What writes a packet, or reads it. The same functions describe both ways: each call takes the value that is
 * to be written, and returns the one that was written or read. A reader takes no notice of what it is given.
 */
export interface Coder {
  /** A bit whose probability adapts, in a context of contexts.ts. */
  bit(context: number, bit: number): number;
  /** A whole number of 0 to 2^count - 1, all as likely; count is 0 to 32. */
  bits(value: number, count: number): number;
  /** A whole number of low to high, all as likely. */
  range(value: number, low: number, high: number): number;
  /** A whole number within ±MAX_NUMBER that is small more often than great. */
  number(kind: NumberKind, block: number, sign: number, value: number): number;
  /** True of a reader: what only one of the two has to find out takes the other's time for nothing. */
  readonly reads: boolean;
  /** A reader: what was read is wrong. A writer: asserts. */
  fail(): void;
  readonly failed: boolean;
}

/** The greatest `number` of either sign. */
export const MAX_NUMBER = 2 ** 19 - 1;

/** Probabilities of a 1 are of 2^15. */
const ONE_BITS = 15;
const ONE = 1 << ONE_BITS;
/**
 * Each context has two probabilities, which adapt by these shares of the error (as powers of 1/2); their mean
 * counts. They lie side by side, in the halves of one number, so that both are read and written at once.
 */
const FAST = 4;
const SLOW = 7;
const HALF = 16;
const LOW_HALF = 0xffff;
const START = Int32Array.from(PRIORS, (prior) => (prior << HALF) | prior);
/** The window is 32 bits wide, and the range is kept at 2^24 or more: its upper byte is not empty. */
const WINDOW = 2 ** 32;
const LEAST_RANGE = 2 ** 24;
const UPPER_BYTE = 24;
/** Bits of equal chance that are coded in one step. */
const STEP_BITS = 16;
const STEP = 2 ** STEP_BITS;

/** What a context becomes when it has coded a 1, and a 0. */
function afterOne(model: number): number {
  const fast = model >>> HALF;
  const slow = model & LOW_HALF;
  return ((fast + ((ONE - fast) >> FAST)) << HALF) | (slow + ((ONE - slow) >> SLOW));
}

function afterZero(model: number): number {
  const fast = model >>> HALF;
  const slow = model & LOW_HALF;
  return ((fast - (fast >> FAST)) << HALF) | (slow - (slow >> SLOW));
}

/** The part of a range that stands for a 1. */
function partOfOne(range: number, model: number): number {
  return Math.imul(range >>> ONE_BITS, ((model >>> HALF) + (model & LOW_HALF)) >>> 1);
}

/**
 * Writes by a binary range coder. It asserts: a fault here is ours. Its numbers of 32 bits are kept as signed ones,
 * which an engine has at hand; `>>> 0` says what they stand for.
 */
export class RangeWriter implements Coder {
  readonly reads = false;
  readonly failed = false;
  readonly #bytes: Uint8Array;
  /** All contexts, which start from the priors in every packet: loss can't part the two ends. */
  readonly #models = new Int32Array(CONTEXTS);
  #length = 0;
  #low = 0;
  #range = -1;
  /** 1 if the low end has run over the window: to be added to the bytes before it. */
  #carry = 0;
  /** The last whole byte, to which a carry may still be added, or -1; and how many 0xff follow it. */
  #cache = -1;
  #pending = 0;

  /** @param capacity bytes; what goes beyond them is lost, and `bytes` says so. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.clear();
  }

  /** Starts anew. */
  clear(): void {
    this.#models.set(START);
    this.#length = 0;
    this.#low = 0;
    this.#range = -1;
    this.#carry = 0;
    this.#cache = -1;
    this.#pending = 0;
  }

  /** Bits that what was written takes, a fraction of a bit included. */
  get written(): number {
    return this.parts / PARTS;
  }

  /** The same in PARTS of a bit: a whole number, since a fraction that is returned is garbage. */
  get parts(): number {
    const whole = this.#length + this.#pending + (this.#cache < 0 ? 0 : 1);
    // Between two powers of 2 a straight line is near enough, for it is only counted.
    const top = 31 - Math.clz32(this.#range);
    return (whole * 8 + 33 - top) * PARTS - ((((this.#range - 1) >>> (top - PARTS_BITS)) + 1) | 0);
  }

  fail(): void {
    throw new Error('what is written can be said otherwise');
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

  /** The bytes that were written, valid until the next `clear`; one more than the capacity, and more are missing. */
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

  /** Moves the low end up. */
  #raise(by: number): void {
    const low = (this.#low + by) | 0;
    if (low >>> 0 < by >>> 0) this.#carry = 1;
    this.#low = low;
  }

  /** Moves the window on by a byte. */
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

/** Reads what a RangeWriter wrote. Past the end it reads zeros; what is wrong it remembers, and reads 0 from then on. */
export class RangeReader implements Coder {
  readonly reads = true;
  #bytes: Uint8Array = new Uint8Array(0);
  readonly #models = new Int32Array(CONTEXTS);
  #at = 0;
  /** How far the bytes lie above the low end of the range; as in a writer, a signed number. */
  #code = 0;
  #range = -1;
  #failed = false;

  /** Starts reading; the bytes are not copied. */
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
    // What the division leaves over at the upper end stands for nothing.
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
   * [W1] True if the bytes are those that a writer would have ended with: the fewest that lie in the range, and
   * of those the least. `#at` - 4 bytes are behind the window, which is at #code above the low end.
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

/** In COUNTS_FROM: whether the number is 0 is asked first. The bits above it are the middle. */
const ZERO_FIRST = 1;

/** How many bits it has; its sign; the bits below the highest. */
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
 * How many bits a number has. From the count that is the middle of the block's on: up while there are more, or down
 * while there are fewer. Where many are 0 and the others far from it, that is asked first.
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
  return count < BLOCK_NODES ? count : count + c.bits(Math.max(0, bits - count), 2);
}

/** Bits that hold 0 to `highest`. */
export function bitsFor(highest: number): number {
  return highest < 1 ? 0 : 32 - Math.clz32(highest);
}
