/**
 * [W5] The priority accumulator: what is not sent keeps its priority and gains more, until it is. Bodies are
 * indices here.
 */
export class PriorityAccumulator {
  readonly #priority: Float64Array;
  readonly #order: Int32Array;

  constructor(count: number) {
    this.#priority = new Float64Array(count);
    this.#order = new Int32Array(count);
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
    for (let body = 0; body < priority.length; body++) if (priority[body] > 0) this.#order[count++] = body;
    return this.#order.subarray(0, count).sort((a, b) => priority[b] - priority[a] || a - b);
  }
}
