/**
 * Whole numbers as bits, least significant bit first. The writer asserts (a fault there is ours), the reader
 * checks: past the end it gives 0 and remembers that it failed.
 */
export class BitWriter {
  readonly #bytes: Uint8Array;
  #bits = 0;

  /** @param capacity bytes that may be written at the most. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Bits written. */
  get bits(): number {
    return this.#bits;
  }

  /** Starts anew. */
  clear(): void {
    this.#bits = 0;
    this.#bytes.fill(0);
  }

  /** True if that many more bits fit. */
  fits(bits: number): boolean {
    return this.#bits + bits <= this.#bytes.length * 8;
  }

  /** Takes back what was written after the first `bits` bits. */
  rewind(bits: number): void {
    if (!(bits >= 0 && bits <= this.#bits)) throw new Error(`only ${this.#bits} bits are written`);
    const first = bits >>> 3;
    const last = (this.#bits + 7) >>> 3;
    for (let i = first + 1; i < last; i++) this.#bytes[i] = 0;
    if (first < this.#bytes.length) this.#bytes[first] &= (1 << (bits & 7)) - 1;
    this.#bits = bits;
  }

  /** Writes a whole number of 0 to 2^count - 1; count is 1 to 32. */
  write(value: number, count: number): void {
    if (!(value >= 0 && value < 2 ** count) || !Number.isInteger(value)) {
      throw new Error(`${value} does not fit ${count} bits`);
    }
    if (!this.fits(count)) throw new Error('the packet is full');
    for (let left = count, rest = value; left > 0;) {
      const offset = this.#bits & 7;
      const take = Math.min(8 - offset, left);
      const part = rest % 2 ** take;
      this.#bytes[this.#bits >>> 3] |= part << offset;
      rest = Math.floor(rest / 2 ** take);
      this.#bits += take;
      left -= take;
    }
  }

  writeFlag(value: boolean): void {
    this.write(value ? 1 : 0, 1);
  }

  /** Writes a whole number of low to high. */
  writeRange(value: number, low: number, high: number): void {
    if (value > high) throw new Error(`${value} is over ${high}`);
    this.write(value - low, bitsFor(high - low));
  }

  /** What was written, padded with zero bits; valid until the next `clear`. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, (this.#bits + 7) >>> 3);
  }
}

export class BitReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #bits = 0;
  #failed = false;

  /** Starts reading; the bytes are not copied. */
  start(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#bits = 0;
    this.#failed = false;
  }

  /** True if more was read than there is, or a number was out of its range. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Marks what was read as wrong; reading goes on with whatever comes. */
  fail(): void {
    this.#failed = true;
  }

  /** A whole number of `count` bits, 0 once reading has failed. */
  read(count: number): number {
    if (this.#bits + count > this.#bytes.length * 8) this.#failed = true;
    if (this.#failed) return 0;
    let value = 0;
    for (let done = 0; done < count;) {
      const offset = this.#bits & 7;
      const take = Math.min(8 - offset, count - done);
      const part = (this.#bytes[this.#bits >>> 3] >>> offset) & ((1 << take) - 1);
      value += part * 2 ** done;
      this.#bits += take;
      done += take;
    }
    return value;
  }

  readFlag(): boolean {
    return this.read(1) === 1;
  }

  /** A whole number of low to high; outside of them it is `low`, and reading has failed. */
  readRange(low: number, high: number): number {
    const value = this.read(bitsFor(high - low)) + low;
    if (value <= high) return value;
    this.#failed = true;
    return low;
  }

  /** True if nothing is left but less than a byte of zero bits: whatever was written, and no more. */
  atEnd(): boolean {
    const left = this.#bytes.length * 8 - this.#bits;
    return left < 8 && (left === 0 || this.read(left) === 0);
  }
}

/** Bits that hold 0 to `highest`. */
export function bitsFor(highest: number): number {
  return highest < 1 ? 0 : 32 - Math.clz32(highest);
}
