import { bitsFor } from '../../base/bits.ts';
import type { NumberKind } from './contexts.ts';
import { BLOCK_NODES, CONTEXTS, NEGATIVE } from './contexts.ts';
import { COUNTS_FROM } from './priors.ts';
import type { Coder } from './range-coder.ts';
import {
  afterOne,
  afterZero,
  LEAST_RANGE,
  MORE_BITS,
  partOfOne,
  START,
  STEP,
  STEP_BITS,
  UPPER_BYTE,
  WINDOW,
  ZERO_FIRST,
} from './range-coder.ts';

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
    const bits = this.#count(kind.block + block);
    if (bits === 0) return 0;
    const isNegative = this.bit(NEGATIVE + kind.signs + sign) === 1;
    const size = (1 << (bits - 1)) + this.bits(0, bits - 1);
    return isNegative ? -size : size;
  }

  /** Reads how many bits a number has: see Coder. */
  #count(block: number): number {
    const node = block * BLOCK_NODES;
    const from = COUNTS_FROM[block];
    const least = from & ZERO_FIRST;
    if (this.#failed || (least === 1 && this.bit(node) === 0)) return 0;
    const models = this.#models;
    // Question n is whether the number has more than n bits.
    let question = from >> 1;
    let step = 0;
    let end = -1;
    let range = this.#range;
    let code = this.#code;
    do {
      const at = node + question;
      const model = models[at];
      const bound = partOfOne(range, model);
      const hasMore = code >>> 0 < bound >>> 0;
      if (hasMore) {
        range = bound;
        models[at] = afterOne(model);
      } else {
        code = (code - bound) | 0;
        range = (range - bound) | 0;
        models[at] = afterZero(model);
      }
      while (range >>> UPPER_BYTE === 0) {
        code = (code << 8) | this.#take();
        range <<= 8;
      }
      if (step === 0) {
        step = hasMore ? 1 : -1;
        end = hasMore ? BLOCK_NODES : least - 1;
      } else if (hasMore !== step > 0) break;
      question += step;
    } while (question !== end);
    this.#range = range;
    this.#code = code;
    if (step < 0) return question + 1;
    return question < BLOCK_NODES ? question : question + this.bits(0, MORE_BITS);
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
