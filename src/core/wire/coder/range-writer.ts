import { bitsFor } from '../../base/bits.ts';
import type { NumberKind } from './contexts.ts';
import { BLOCK_NODES, CONTEXTS, NEGATIVE } from './contexts.ts';
import { COUNTS_FROM } from './priors.ts';
import type { Coder } from './range-coder.ts';
import {
  afterOne,
  afterZero,
  LEAST_RANGE,
  MAX_NUMBER,
  MORE_BITS,
  partOfOne,
  PARTS,
  PARTS_BITS,
  START,
  STEP,
  STEP_BITS,
  UPPER_BYTE,
  WINDOW,
  ZERO_FIRST,
} from './range-coder.ts';

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
    this.#plain(value, count);
    return value;
  }

  /** Writes a number that is known to fit: `bits` without its checks. */
  #plain(value: number, count: number): void {
    if (count > STEP_BITS) {
      this.#plain(value >>> STEP_BITS, count - STEP_BITS);
      this.#plain(value & (STEP - 1), STEP_BITS);
      return;
    }
    const part = this.#range >>> count;
    this.#range = part | 0;
    this.#raise(Math.imul(value, part));
    while (this.#range >>> UPPER_BYTE === 0) this.#shift();
  }

  range(value: number, low: number, high: number): number {
    if (value > high) throw new Error(`${value} is over ${high}`);
    this.bits(value - low, bitsFor(high - low));
    return value;
  }

  number(kind: NumberKind, block: number, sign: number, value: number): number {
    if (!(Math.abs(value) <= MAX_NUMBER) || !Number.isInteger(value))
      throw new Error(`${value} is no small number`);
    const bits = 32 - Math.clz32(Math.abs(value));
    this.#count(kind.block + block, bits);
    if (bits === 0) return 0;
    this.bit(NEGATIVE + kind.signs + sign, value < 0 ? 1 : 0);
    // The bits below the highest.
    this.#plain(Math.abs(value) & ((1 << (bits - 1)) - 1), bits - 1);
    return value;
  }

  /** Writes how many bits a number has: see Coder. */
  #count(block: number, bits: number): void {
    const node = block * BLOCK_NODES;
    const from = COUNTS_FROM[block];
    const least = from & ZERO_FIRST;
    if (least === 1 && this.bit(node, bits > 0 ? 1 : 0) === 0) return;
    const models = this.#models;
    // Question n is whether the number has more than n bits.
    let question = from >> 1;
    const goesUp = bits > question;
    const end = goesUp ? BLOCK_NODES : least - 1;
    let range = this.#range;
    let low = this.#low;
    while (question !== end) {
      const at = node + question;
      const model = models[at];
      const bound = partOfOne(range, model);
      const hasMore = bits > question;
      if (hasMore) {
        range = bound;
        models[at] = afterOne(model);
      } else {
        range = (range - bound) | 0;
        models[at] = afterZero(model);
        low = (low + bound) | 0;
        if (low >>> 0 < bound >>> 0) this.#carry = 1;
      }
      if (range >>> UPPER_BYTE === 0) {
        this.#range = range;
        this.#low = low;
        while (this.#range >>> UPPER_BYTE === 0) this.#shift();
        range = this.#range;
        low = this.#low;
      }
      if (hasMore !== goesUp) break;
      question += goesUp ? 1 : -1;
    }
    this.#range = range;
    this.#low = low;
    if (question === BLOCK_NODES) this.bits(bits - BLOCK_NODES, MORE_BITS);
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
