/** More than there are colliders in any world. */
const MANY = 2 ** 20;

/**
 * The owners of an engine's colliders, and which of them touch. An owner is a body, or something that never moves. One
 * with several colliders, a compound, touches another owner from the first touch of their colliders to the last.
 */
export class ColliderOwners {
  /** For the engine's handle of each collider its number. */
  readonly #numberOf = new Map<number, number>();
  readonly #owners: number[] = [];
  /** For each owner the numbers of its colliders. */
  readonly #numbers: number[][] = [];
  /** The pairs of colliders that touch; only those with a compound's. */
  readonly #touching = new Set<number>();

  /** Adds a collider by its handle. */
  add(handle: number, owner: number): void {
    const number = this.#owners.length;
    this.#numberOf.set(handle, number);
    this.#owners.push(owner);
    (this.#numbers[owner] ??= []).push(number);
  }

  /** The owner of a collider that was added. */
  of(handle: number): number {
    return this.#owners[this.#number(handle)];
  }

  /**
   * Notes that two colliders have come to touch, or have parted.
   * @returns false if their owners touch, or don't, as before: other colliders of theirs touch.
   */
  note(first: number, second: number, started: boolean): boolean {
    const one = this.#numbers[this.of(first)];
    const other = this.#numbers[this.of(second)];
    if (one.length === 1 && other.length === 1) return true;
    const touched = this.#touch(one, other);
    const pair = pairOf(this.#number(first), this.#number(second));
    if (started) this.#touching.add(pair);
    else this.#touching.delete(pair);
    return this.#touch(one, other) !== touched;
  }

  #touch(one: readonly number[], other: readonly number[]): boolean {
    for (const a of one) {
      for (const b of other) if (this.#touching.has(pairOf(a, b))) return true;
    }
    return false;
  }

  #number(handle: number): number {
    return this.#numberOf.get(handle) ?? 0;
  }
}

function pairOf(a: number, b: number): number {
  return a < b ? a * MANY + b : b * MANY + a;
}
