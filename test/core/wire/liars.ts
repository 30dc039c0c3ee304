import { MAX_PACKET_BYTES } from '../../../src/core/base/constants.ts';
import type { NumberKind } from '../../../src/core/wire/coder/contexts.ts';
import type { Coder } from '../../../src/core/wire/coder/range-coder.ts';
import { bitsFor } from '../../../src/core/base/bits.ts';
import { RangeWriter } from '../../../src/core/wire/coder/range-writer.ts';

/** Writers that write something else than their caller gives them, which a reader has to refuse. */

/** Writes 0 in one context, whatever the bit, so that the caller's next values follow in another form. */
export class LongWinded extends RangeWriter {
  readonly #context: number;

  constructor(context: number) {
    super(MAX_PACKET_BYTES);
    this.#context = context;
  }

  override fail(): void {
    // The reader has to notice it.
  }

  override bit(context: number, bit: number): number {
    return super.bit(context, context === this.#context ? 0 : bit);
  }
}

/**
 * Lies once: writes the number `at`, counted among those that can be beyond their range, as a value beyond it; or
 * inverts the bit `question`. `lied` tells whether it has.
 */
export class Liar implements Coder {
  readonly reads = false;
  readonly failed = false;
  lied = false;
  readonly #writer = new RangeWriter(4 * MAX_PACKET_BYTES);
  #left: number;
  #questions: number;

  constructor(at: number, question = Infinity) {
    this.#left = at;
    this.#questions = question;
  }

  fail(): void {
    this.lied = true;
  }

  bit(context: number, bit: number): number {
    const lies = this.#questions-- === 0;
    this.lied ||= lies;
    this.#writer.bit(context, lies ? 1 - bit : bit);
    return bit;
  }

  bits(value: number, count: number): number {
    return this.#writer.bits(value, count);
  }

  range(value: number, low: number, high: number): number {
    const bits = bitsFor(high - low);
    const lies = 2 ** bits - 1 > high - low && this.#left-- === 0;
    this.#writer.bits(lies ? high - low + 1 : value - low, bits);
    this.lied ||= lies;
    return value;
  }

  number(kind: NumberKind, block: number, sign: number, value: number): number {
    return this.#writer.number(kind, block, sign, value);
  }

  finish(): Uint8Array {
    return this.#writer.finish().slice();
  }
}
