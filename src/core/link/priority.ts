import { MAX_BODIES } from '../base/constants.ts';

/**
 * [W5] The priority accumulator: what is not sent keeps its priority and gains more, until it is. Bodies are
 * indices here; priorities are whole numbers.
 */
export class PriorityAccumulator {
  readonly #priority: Float64Array;
  /**
   * A heap: each entry is greater than the two at twice its index. For each body with any priority it has one number
   * by which it is ranked, its priority, then its index from behind. Few are asked for, so that most need no order.
   */
  readonly #heap: Float64Array;
  #size = 0;

  constructor(count: number) {
    this.#priority = new Float64Array(count);
    this.#heap = new Float64Array(count + 1);
  }

  clear(): void {
    this.#priority.fill(0);
  }

  raise(body: number, by: number): void {
    this.#priority[body] += by;
  }

  /** True if a body has any priority. */
  has(body: number): boolean {
    return this.#priority[body] > 0;
  }

  /** Sent: it starts anew. */
  sent(body: number): void {
    this.#priority[body] = 0;
  }

  /** Ranks the bodies as they are now, for `next`. */
  rank(): void {
    const priority = this.#priority;
    this.#size = 0;
    for (let body = 0; body < priority.length; body++) {
      if (priority[body] > 0)
        this.#heap[++this.#size] = priority[body] * MAX_BODIES + (MAX_BODIES - 1 - body);
    }
    for (let at = this.#size >> 1; at > 0; at--) this.#sink(at);
  }

  /**
   * The next of the ranked bodies with any priority, the greatest first, the lower index first among equals; -1 after
   * the last.
   */
  next(): number {
    if (this.#size === 0) return -1;
    const key = this.#heap[1];
    this.#heap[1] = this.#heap[this.#size--];
    this.#sink(1);
    // The remainder; `%` is slow for numbers so great.
    return MAX_BODIES - 1 - (key - Math.floor(key / MAX_BODIES) * MAX_BODIES);
  }

  /** Moves an entry down to where it is greater than those below it. */
  #sink(from: number): void {
    const heap = this.#heap;
    const key = heap[from];
    let at = from;
    for (let below = 2 * at; below <= this.#size; below = 2 * at) {
      if (below < this.#size && heap[below + 1] > heap[below]) below++;
      if (heap[below] <= key) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = key;
  }
}
