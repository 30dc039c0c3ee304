import type { BodyId } from '../../base/ids.ts';
import { bodyIn, PACKED_UPDATE, packUpdate, tickIn, unpackUpdate } from '../../wire/bodies/packed-update.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';

/** The place of an update in a pool: the index of its first number. */
export type PackedIndex = number & { readonly __brand: 'PackedIndex' };

/** Updates for which there is room at first. */
const FIRST_CAPACITY = 64;

/**
 * A pool of waiting updates, packed into one array. All batches of an author share it: if each had its own, each would
 * grow to the longest there ever was. The pool grows, by doubling, to as many updates as have waited at once, and never
 * shrinks.
 */
export class UpdatePool {
  #packed = new Int32Array(FIRST_CAPACITY * PACKED_UPDATE);
  /** Free places, of which the first `#freeCount` count. The last freed is taken first: it is likely in the cache. */
  readonly #free: PackedIndex[] = [];
  #freeCount = 0;
  /** Places that were ever taken. */
  #used = 0;

  /** Copies an update into the pool. @returns its place, which the caller gives back. */
  take(update: Readonly<BodyUpdate>): PackedIndex {
    const index = this.#freeCount > 0 ? this.#free[--this.#freeCount] : this.#addPlace();
    packUpdate(update, this.#packed, index);
    return index;
  }

  #addPlace(): PackedIndex {
    const index = this.#used * PACKED_UPDATE;
    if (index === this.#packed.length) {
      const larger = new Int32Array(2 * index);
      larger.set(this.#packed);
      this.#packed = larger;
    }
    this.#used++;
    return index as PackedIndex;
  }

  /** Frees a place; once only. */
  giveBack(index: PackedIndex): void {
    this.#free[this.#freeCount++] = index;
  }

  /** The body of the update at a place. */
  bodyIn(index: PackedIndex): BodyId {
    return bodyIn(this.#packed, index);
  }

  /** Replaces the update at a place, unless that one has a newer tick. */
  keepNewer(index: PackedIndex, update: Readonly<BodyUpdate>): void {
    if (update.tick >= tickIn(this.#packed, index)) packUpdate(update, this.#packed, index);
  }

  /** Fills `out` with the update at a place. */
  read(index: PackedIndex, out: BodyUpdate): void {
    unpackUpdate(this.#packed, index, out);
  }
}
