/** More parts than any compound has. */
const MANY_PARTS = 2 ** 10;

/**
 * The owners of an engine's colliders, and which of them touch. An owner is a body, or something that never moves. A
 * compound has several colliders. It touches another owner while any of them does.
 */
export class ColliderOwners {
  /** For the engine's handle of each collider its owner, times MANY_PARTS, plus its place among the owner's. */
  readonly #parts = new Map<number, number>();
  /** For each owner the handles of its colliders. */
  readonly #handles: number[][] = [];
  /**
   * For each owner the owners that it touches, if one of the two is a compound, and the pairs of their colliders that
   * touch. Two owners share one set.
   */
  readonly #touching: (Map<number, Set<number>> | undefined)[] = [];

  /** Adds a collider by its handle. */
  add(handle: number, owner: number): void {
    const handles = (this.#handles[owner] ??= []);
    this.#parts.set(handle, owner * MANY_PARTS + handles.length);
    handles.push(handle);
  }

  /** Forgets an owner's colliders, which are no more. */
  remove(owner: number): void {
    for (const handle of this.#handles[owner] ?? []) this.#parts.delete(handle);
    this.#handles[owner] = [];
    for (const other of this.#touching[owner]?.keys() ?? []) this.#touching[other]?.delete(owner);
    this.#touching[owner] = undefined;
  }

  /** True if a collider was added, and has not been removed. */
  has(handle: number): boolean {
    return this.#parts.has(handle);
  }

  /** The owner of a collider that was added. */
  of(handle: number): number {
    return Math.floor(this.#part(handle) / MANY_PARTS);
  }

  /**
   * Notes that two colliders have come to touch, or have parted.
   * @returns false if their owners touch, or don't, as before: other colliders of theirs touch.
   */
  note(first: number, second: number, started: boolean): boolean {
    const a = this.of(first);
    const b = this.of(second);
    if (a > b) return this.note(second, first, started);
    if (this.#handles[a].length === 1 && this.#handles[b].length === 1) return true;
    const pairs = this.#touching[a]?.get(b) ?? this.#begin(a, b);
    const touched = pairs.size > 0;
    const pair = (this.#part(first) % MANY_PARTS) * MANY_PARTS + (this.#part(second) % MANY_PARTS);
    if (started) pairs.add(pair);
    else pairs.delete(pair);
    if (pairs.size === 0) {
      this.#touching[a]?.delete(b);
      this.#touching[b]?.delete(a);
    }
    return touched !== pairs.size > 0;
  }

  #begin(a: number, b: number): Set<number> {
    const pairs = new Set<number>();
    (this.#touching[a] ??= new Map<number, Set<number>>()).set(b, pairs);
    (this.#touching[b] ??= new Map<number, Set<number>>()).set(a, pairs);
    return pairs;
  }

  #part(handle: number): number {
    return this.#parts.get(handle) ?? 0;
  }
}
