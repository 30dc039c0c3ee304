import { bitsFor } from '../../src/core/base/bits.ts';
import { MAX_NUMBER } from '../../src/core/wire/coder/range-coder.ts';
import { RangeWriter } from '../../src/core/wire/coder/range-writer.ts';

/** A writer that also writes invalid packets. */
export class Unchecked extends RangeWriter {
  override fail(): void {
    // The reader has to notice it.
  }

  override bits(value: number, count: number): number {
    return super.bits(value & ((1 << count) - 1), count);
  }

  override number(...[kind, block, sign, value]: Parameters<RangeWriter['number']>): number {
    return super.number(kind, block, sign, Math.max(-MAX_NUMBER, Math.min(MAX_NUMBER, value)));
  }

  override range(value: number, low: number, high: number): number {
    this.bits(value - low, bitsFor(high - low));
    return value;
  }
}
