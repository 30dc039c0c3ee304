import type { BodyId } from './ids.ts';
import { NO_BODY } from './ids.ts';

/** A set of bodies, one bit each. It goes through its members in ascending order, and skips 32 others at once. */
export class BodySet {
  readonly #words: Int32Array;

  /** @param count bodies in the world. The set is empty. */
  constructor(count: number) {
    this.#words = new Int32Array((count >> 5) + 1);
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

  /** Adds the members of a set for as many bodies. */
  addAll(other: BodySet): void {
    const words = this.#words;
    for (let i = 0; i < words.length; i++) words[i] |= other.#words[i];
  }

  /** The lowest member above `after`, or NO_BODY; begin with that. The members so far may be deleted. */
  next(after: number): BodyId {
    const words = this.#words;
    let word = (after + 1) >> 5;
    let bits = words[word] & (-1 << ((after + 1) & 31));
    while (bits === 0) {
      if (++word === words.length) return NO_BODY;
      bits = words[word];
    }
    return ((word << 5) + 31 - Math.clz32(bits & -bits)) as BodyId;
  }
}
