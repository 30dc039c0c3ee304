import { MAX_BODIES } from '../base/constants.ts';

/**
 * [W5] The priority accumulator (Fiedler, "State Synchronization", 2015): a body that is not sent keeps its priority
 * and gains more, until it is sent. Priorities are whole numbers; a priority times MAX_BODIES must stay below 2^53.
 */
export class PriorityAccumulator {
  readonly #priority: Float64Array;
  /**
   * A binary heap from index 1 on, the greatest first. The key of a body is its priority, then its index counted from
   * the end. A heap, since `next` is asked for few of the bodies, so that most need no order.
   */
  readonly #heap: Float64Array;
  #size = 0;
  /** The bodies that had a priority since the last `rank`, in no order, and 1 for each of them. */
  readonly #raised: Int16Array;
  readonly #isRaised: Uint8Array;
  #raisedCount = 0;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#priority = new Float64Array(count);
    this.#heap = new Float64Array(count + 1);
    this.#raised = new Int16Array(count);
    this.#isRaised = new Uint8Array(count);
  }

  /** Sets all priorities to 0. */
  clear(): void {
    this.#priority.fill(0);
  }

  /** Adds to a body's priority. */
  raise(body: number, by: number): void {
    this.#priority[body] += by;
    if (this.#isRaised[body] === 1) return;
    this.#isRaised[body] = 1;
    this.#raised[this.#raisedCount++] = body;
  }

  /** True if a body has any priority. */
  has(body: number): boolean {
    return this.#priority[body] > 0;
  }

  /** The body was sent: its priority is 0 again. */
  sent(body: number): void {
    this.#priority[body] = 0;
  }

  /** Builds the heap from the present priorities, for `next`. */
  rank(): void {
    const priority = this.#priority;
    const raised = this.#raised;
    this.#size = 0;
    for (let i = 0; i < this.#raisedCount; i++) {
      const body = raised[i];
      if (priority[body] > 0) {
        raised[this.#size++] = body;
        this.#heap[this.#size] = priority[body] * MAX_BODIES + (MAX_BODIES - 1 - body);
      } else this.#isRaised[body] = 0;
    }
    this.#raisedCount = this.#size;
    for (let at = this.#size >> 1; at > 0; at--) this.#sink(at);
  }

  /**
   * Takes the ranked body with the greatest priority out of the heap; among equals the one with the lowest index. -1 if
   * none is left.
   */
  next(): number {
    if (this.#size === 0) return -1;
    const key = this.#heap[1];
    this.#heap[1] = this.#heap[this.#size--];
    this.#sink(1);
    // key mod MAX_BODIES; the operator `%` is slow for numbers above 32 bits.
    return MAX_BODIES - 1 - (key - Math.floor(key / MAX_BODIES) * MAX_BODIES);
  }

  /** Moves an entry down to its place in the heap. */
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
