import type { BodyId } from '../../base/ids.ts';
import { bodyIn, PACKED_UPDATE, packUpdate, tickIn, unpackUpdate } from '../../wire/bodies/packed-update.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';

/** Where in a pool an update is kept. */
export type PackedIndex = number & { readonly __brand: 'UpdateRow' };

/** Rows at first. */
const ROWS = 64;

/**
 * Updates that wait, shared by all batches of an author: each would come to have as many as there ever were in one.
 * It grows to as many as have waited at once.
 */
export class UpdatePool {
  #rows = new Int32Array(ROWS * PACKED_UPDATE);
  /** Rows that were given back: the last is taken first, since it is the nearest at hand. */
  readonly #spare: PackedIndex[] = [];
  #spareCount = 0;
  #used = 0;

  /** Keeps an update. @returns where. */
  take(update: Readonly<BodyUpdate>): PackedIndex {
    const row = this.#spareCount > 0 ? this.#spare[--this.#spareCount] : this.#addRow();
    packUpdate(update, this.#rows, row);
    return row;
  }

  #addRow(): PackedIndex {
    const row = this.#used * PACKED_UPDATE;
    if (row === this.#rows.length) {
      const more = new Int32Array(2 * row);
      more.set(this.#rows);
      this.#rows = more;
    }
    this.#used++;
    return row as PackedIndex;
  }

  giveBack(row: PackedIndex): void {
    this.#spare[this.#spareCount++] = row;
  }

  bodyIn(row: PackedIndex): BodyId {
    return bodyIn(this.#rows, row);
  }

  /** Keeps an update in the place of an older one of the same tick or before. */
  keepNewer(row: PackedIndex, update: Readonly<BodyUpdate>): void {
    if (update.tick >= tickIn(this.#rows, row)) packUpdate(update, this.#rows, row);
  }

  read(row: PackedIndex, out: BodyUpdate): void {
    unpackUpdate(this.#rows, row, out);
  }
}
