/** Classes of a histogram. Larger values fall into the last. */
const CLASSES = 4000;

/** A histogram of errors, in memory that does not grow. */
export class Spread {
  count = 0;
  worst = 0;
  #sum = 0;
  readonly #width: number;
  readonly #classes = new Uint32Array(CLASSES);

  /** @param width of a class, in the unit of the values. */
  constructor(width: number) {
    this.#width = width;
  }

  add(error: number): void {
    this.count++;
    this.#sum += error;
    this.worst = Math.max(this.worst, error);
    this.#classes[Math.min(CLASSES - 1, Math.floor(error / this.#width))]++;
  }

  /** The mean error; NaN if there are no errors. */
  get mean(): number {
    return this.count === 0 ? NaN : this.#sum / this.count;
  }

  /** The error below which this share lies, to the width of a class; NaN if there are no errors. */
  below(share: number): number {
    if (this.count === 0) return NaN;
    let seen = 0;
    let at = 0;
    while (at < CLASSES - 1 && seen + this.#classes[at] < share * this.count) seen += this.#classes[at++];
    return Math.min(this.worst, (at + 0.5) * this.#width);
  }
}
