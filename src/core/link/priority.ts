import { MAX_BODIES } from '../base/constants.ts';

/**
 * [W5] The priority accumulator: what is not sent keeps its priority and gains more, until it is. Bodies are
 * indices here; priorities are whole numbers.
 */
export class PriorityAccumulator {
  readonly #priority: Float64Array;
  /** For each body with any priority one number by which it is sorted: its priority, then its index from behind. */
  readonly #keys: Float64Array;
  readonly #order: Int32Array;
  /** The parts of these two that are in use; they are kept, since a new view each tick would be garbage. */
  #usedKeys: Float64Array;
  #usedOrder: Int32Array;

  constructor(count: number) {
    this.#priority = new Float64Array(count);
    this.#keys = this.#usedKeys = new Float64Array(count);
    this.#order = this.#usedOrder = new Int32Array(count);
  }

  clear(): void {
    this.#priority.fill(0);
  }

  raise(body: number, by: number): void {
    this.#priority[body] += by;
  }

  /** Sent: it starts anew. */
  sent(body: number): void {
    this.#priority[body] = 0;
  }

  /**
   * The bodies with any priority, greatest first (the lower index first among equals); valid until the next
   * call.
   */
  ranked(): Int32Array {
    let count = 0;
    const priority = this.#priority;
    for (let body = 0; body < priority.length; body++) {
      if (priority[body] > 0) this.#keys[count++] = priority[body] * MAX_BODIES + (MAX_BODIES - 1 - body);
    }
    if (this.#usedKeys.length !== count) {
      this.#usedKeys = this.#keys.subarray(0, count);
      this.#usedOrder = this.#order.subarray(0, count);
    }
    // Without a comparator typed arrays sort by value, in place and fast.
    this.#usedKeys.sort();
    for (let i = 0; i < count; i++) {
      const key = this.#usedKeys[count - 1 - i];
      // The remainder; `%` is slow for numbers so great.
      this.#order[i] = MAX_BODIES - 1 - (key - Math.floor(key / MAX_BODIES) * MAX_BODIES);
    }
    return this.#usedOrder;
  }
}
