/**
 * A priority queue of items by their due times; items of the same time come out in the order in which they were
 * pushed. A binary heap in arrays that grow to the longest queue so far, so that the steady state allocates nothing.
 */
export class DueQueue<Item> {
  readonly #items: Item[] = [];
  readonly #dues: number[] = [];
  readonly #orders: number[] = [];
  #count = 0;
  #nextOrder = 0;

  /** How many items wait. */
  get count(): number {
    return this.#count;
  }

  /** The time of the earliest item; Infinity if there is none. */
  get nextDue(): number {
    return this.#count > 0 ? this.#dues[0] : Infinity;
  }

  /** Adds an item that is due at this time, which must not be NaN. */
  push(due: number, item: Item): void {
    let at = this.#count++;
    this.#set(at, due, this.#nextOrder++, item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Removes the earliest item and returns it; the queue must not be empty. */
  pop(): Item {
    const first = this.#items[0];
    const last = --this.#count;
    this.#set(0, this.#dues[last], this.#orders[last], this.#items[last]);
    for (let at = 0; ;) {
      let least = at;
      const child = 2 * at + 1;
      if (child < last && this.#isBefore(child, least)) least = child;
      if (child + 1 < last && this.#isBefore(child + 1, least)) least = child + 1;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const apart = this.#dues[a] - this.#dues[b];
    return apart < 0 || (apart === 0 && this.#orders[a] < this.#orders[b]);
  }

  #swap(a: number, b: number): void {
    const due = this.#dues[a];
    const order = this.#orders[a];
    const item = this.#items[a];
    this.#set(a, this.#dues[b], this.#orders[b], this.#items[b]);
    this.#set(b, due, order, item);
  }

  #set(at: number, due: number, order: number, item: Item): void {
    this.#dues[at] = due;
    this.#orders[at] = order;
    this.#items[at] = item;
  }
}
