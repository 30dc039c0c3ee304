import type { NumberKind } from '../../core/wire/coder/contexts.ts';
import {
  ANGULAR_FIRST,
  ANGULAR_GRID,
  ANGULAR_NEXT,
  LINEAR_FIRST,
  LINEAR_GRID,
  LINEAR_NEXT,
  POSITION_FIRST,
  POSITION_NEXT,
  ROTATION_FIRST,
  ROTATION_NEXT,
} from '../../core/wire/coder/contexts.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import type { RangeWriter } from '../../core/wire/coder/range-writer.ts';

/** The fields of a struck body, and all else: flights, rests, claims, and which bodies are updated. */
export const FIELDS = ['linear', 'angular', 'position', 'rotation', 'grids', 'all else'] as const;
export type Field = (typeof FIELDS)[number];

const FIELD_OF: ReadonlyMap<NumberKind, Field> = new Map([
  [LINEAR_FIRST, 'linear'],
  [LINEAR_NEXT, 'linear'],
  [ANGULAR_FIRST, 'angular'],
  [ANGULAR_NEXT, 'angular'],
  [POSITION_FIRST, 'position'],
  [POSITION_NEXT, 'position'],
  [ROTATION_FIRST, 'rotation'],
  [ROTATION_NEXT, 'rotation'],
  [LINEAR_GRID, 'grids'],
  [ANGULAR_GRID, 'grids'],
]);

/** Writes with a range coder, and counts the bits of each field. */
export class MeteredWriter implements Coder {
  readonly reads = false;
  readonly failed = false;
  /** Bits since the last `clear`. */
  readonly counted: Record<Field, number>;
  readonly #writer: RangeWriter;

  constructor(writer: RangeWriter) {
    this.#writer = writer;
    this.counted = noBits();
  }

  /** Begins to count anew; the writer has begun a new packet. */
  clear(): void {
    Object.assign(this.counted, noBits());
  }

  bit(context: number, bit: number): number {
    return this.#count('all else', () => this.#writer.bit(context, bit));
  }

  bits(value: number, count: number): number {
    return this.#count('all else', () => this.#writer.bits(value, count));
  }

  range(value: number, low: number, high: number): number {
    return this.#count('all else', () => this.#writer.range(value, low, high));
  }

  number(kind: NumberKind, block: number, sign: number, value: number): number {
    const field = FIELD_OF.get(kind) ?? 'all else';
    return this.#count(field, () => this.#writer.number(kind, block, sign, value));
  }

  fail(): void {
    this.#writer.fail();
  }

  #count(field: Field, write: () => number): number {
    const before = this.#writer.written;
    const value = write();
    this.counted[field] += this.#writer.written - before;
    return value;
  }
}

function noBits(): Record<Field, number> {
  return { linear: 0, angular: 0, position: 0, rotation: 0, grids: 0, 'all else': 0 };
}
