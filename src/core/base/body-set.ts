import type { BodyId } from './ids.ts';
import { NO_BODY } from './ids.ts';

/** A set of bodies, one bit each. It goes through its members in ascending order, and skips 32 others at once. */
export class BodySet {
  readonly #words: Int32Array;
  readonly #count: number;

  /** @param count bodies in the world. The set is empty. */
  constructor(count: number) {
    this.#words = new Int32Array((count >> 5) + 1);
    this.#count = count;
  }

  has(body: number): boolean {
    return ((this.#words[body >> 5] >> (body & 31)) & 1) === 1;
  }

  add(body: number): void {
    this.#words[body >> 5] |= 1 << (body & 31);
  }

  delete(body: number): void {
    this.#words[body >> 5] &= ~(1 << (body & 31));
  }

  clear(): void {
    this.#words.fill(0);
  }

  /** True if any of the 16 bodies from `first` on, a multiple of 16, is a member. */
  hasAnyOf16(first: number): boolean {
    return ((this.#words[first >> 5] >>> (first & 31)) & 0xffff) !== 0;
  }

  /** Adds every body of the world. */
  fill(): void {
    for (let body = 0; body < this.#count; body++) this.add(body);
  }

  /** Adds the members of a set for as many bodies. */
  addAll(other: BodySet): void {
    const words = this.#words;
    for (let i = 0; i < words.length; i++) words[i] |= other.#words[i];
  }

  /**
   * The lowest member above `after`; NO_BODY if there is none. Pass NO_BODY to find the first one. Members up to
   * `after` may be deleted between two calls.
   */
  next(after: number): BodyId {
    const words = this.#words;
    let word = (after + 1) >> 5;
    let bits = words[word] & (-1 << ((after + 1) & 31));
    while (bits === 0) {
      if (++word === words.length) return NO_BODY;
      bits = words[word];
    }
    return lowestOf(word, bits);
  }

  /** Like `next`, for the members of this set and of another one that has room for the same number of bodies. */
  nextOfEither(other: BodySet, after: number): BodyId {
    const words = this.#words;
    const others = other.#words;
    let word = (after + 1) >> 5;
    let bits = (words[word] | others[word]) & (-1 << ((after + 1) & 31));
    while (bits === 0) {
      if (++word === words.length) return NO_BODY;
      bits = words[word] | others[word];
    }
    return lowestOf(word, bits);
  }
}

/** The body of the lowest bit that is set in a word. */
function lowestOf(word: number, bits: number): BodyId {
  return ((word << 5) + 31 - Math.clz32(bits & -bits)) as BodyId;
}
