/** The last `capacity` samples of a few series, in one array of fixed size. */
export class Ring {
  readonly series: number;
  readonly capacity: number;
  readonly #values: Float32Array;
  #next = 0;
  #length = 0;

  /** @throws RangeError unless both are whole numbers of at least 1. */
  constructor(series: number, capacity: number) {
    if (!Number.isInteger(series) || series < 1)
      throw new RangeError(`A ring has 1 series or more, not ${series}.`);
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`A ring keeps 1 sample or more, not ${capacity}.`);
    }
    this.series = series;
    this.capacity = capacity;
    this.#values = new Float32Array(series * capacity);
  }

  /** Number of stored samples, at most the capacity. */
  get length(): number {
    return this.#length;
  }

  /** Adds one sample of each series; missing values count as NaN. */
  push(values: readonly number[]): void {
    const at = this.#next * this.series;
    for (let s = 0; s < this.series; s++) this.#values[at + s] = s < values.length ? values[s] : NaN;
    this.#next = (this.#next + 1) % this.capacity;
    this.#length = Math.min(this.#length + 1, this.capacity);
  }

  /** Returns the sample of a series `age` pushes ago; 0 is the newest. NaN if there is none. */
  at(series: number, age: number): number {
    if (age < 0 || age >= this.#length) return NaN;
    const index = (this.#next - 1 - age + this.capacity) % this.capacity;
    return this.#values[index * this.series + series];
  }

  clear(): void {
    this.#next = 0;
    this.#length = 0;
  }
}
