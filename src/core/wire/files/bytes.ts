/**
 * Writes a file, or reads it, in whole bytes, the lowest first. As with packets, one function describes both: each call
 * takes the value to write, and returns the value that was written or read. A reader ignores the value that it is
 * given; past the end, and after a fault, it reads zeros.
 */
export interface ByteCoder {
  /** A whole number, 0 to `most`, in one, two or four bytes. */
  u8(value: number, most?: number): number;
  u16(value: number, most?: number): number;
  u32(value: number): number;
  /** A finite number, in four or eight bytes. */
  f32(value: number): number;
  f64(value: number): number;
  /** `length` bytes. A reader returns a view of the file, empty after a fault. */
  bytes(value: Uint8Array, length: number): Uint8Array;
  /** The file is invalid. A reader sets `failed`; a writer throws, since the fault is ours. */
  fail(): void;
  /** True once a reader has found the file invalid. A writer's is always false. */
  readonly failed: boolean;
}

/** Bytes of each piece of a writer's memory. */
const PIECE = 1 << 16;

/**
 * Writes a file of any length, in pieces, so that nothing is copied as it grows. It throws on a value that does not
 * fit.
 */
export class ByteWriter implements ByteCoder {
  readonly failed = false;
  readonly #full: Uint8Array[] = [];
  #piece = new Uint8Array(PIECE);
  #at = 0;
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length + this.#at;
  }

  fail(): void {
    throw new Error('the content of a file is inconsistent');
  }

  u8(value: number, most = 0xff): number {
    return this.#whole(value, most, 1);
  }

  u16(value: number, most = 0xffff): number {
    return this.#whole(value, most, 2);
  }

  u32(value: number): number {
    return this.#whole(value, 0xffffffff, 4);
  }

  f32(value: number): number {
    this.#finite(value);
    scratch.setFloat32(0, value, true);
    this.#put(4);
    return value;
  }

  f64(value: number): number {
    this.#finite(value);
    scratch.setFloat64(0, value, true);
    this.#put(8);
    return value;
  }

  bytes(value: Uint8Array, length: number): Uint8Array {
    if (value.length !== length) throw new Error(`${value.length} bytes are not ${length}`);
    for (const byte of value) this.#byte(byte);
    return value;
  }

  /** A copy of the first `length` bytes written; of all by default. */
  finish(length = this.length): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.#full) {
      all.set(piece, at);
      at += piece.length;
    }
    all.set(this.#piece.subarray(0, this.#at), at);
    return all.subarray(0, length);
  }

  #whole(value: number, most: number, size: 1 | 2 | 4): number {
    if (!(value >= 0 && value <= most) || !Number.isInteger(value))
      throw new Error(`${value} is not 0 to ${most}`);
    scratch.setUint32(0, value, true);
    this.#put(size);
    return value;
  }

  #finite(value: number): void {
    if (!Number.isFinite(value)) throw new Error(`${value} is no number to keep`);
  }

  #put(count: number): void {
    for (let i = 0; i < count; i++) this.#byte(scratch.getUint8(i));
  }

  #byte(byte: number): void {
    if (this.#at === PIECE) {
      this.#full.push(this.#piece);
      this.#length += PIECE;
      this.#piece = new Uint8Array(PIECE);
      this.#at = 0;
    }
    this.#piece[this.#at++] = byte;
  }
}

/** Reads a file that a ByteWriter wrote. It never throws: see `failed`. */
export class ByteReader implements ByteCoder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #failed = false;

  /** @param at the index of the first byte to read. The bytes are not copied. */
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = at;
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** The index of the next byte. */
  get at(): number {
    return this.#at;
  }

  /** True if all bytes were read. */
  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  fail(): void {
    this.#failed = true;
  }

  u8(_value = 0, most = 0xff): number {
    const at = this.#take(1);
    return this.#within(at < 0 ? 0 : this.#view.getUint8(at), most);
  }

  u16(_value = 0, most = 0xffff): number {
    const at = this.#take(2);
    return this.#within(at < 0 ? 0 : this.#view.getUint16(at, true), most);
  }

  u32(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : this.#view.getUint32(at, true);
  }

  f32(): number {
    const at = this.#take(4);
    return this.#finite(at < 0 ? 0 : this.#view.getFloat32(at, true));
  }

  f64(): number {
    const at = this.#take(8);
    return this.#finite(at < 0 ? 0 : this.#view.getFloat64(at, true));
  }

  bytes(_value: Uint8Array, length: number): Uint8Array {
    const at = this.#take(length);
    return at < 0 ? new Uint8Array(0) : this.#bytes.subarray(at, at + length);
  }

  /** The index of the next `count` bytes, which are taken; -1 if there are too few, or after a fault. */
  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) this.#failed = true;
    if (this.#failed) return -1;
    this.#at = at + count;
    return at;
  }

  #within(value: number, most: number): number {
    if (value <= most) return value;
    this.#failed = true;
    return 0;
  }

  #finite(value: number): number {
    if (Number.isFinite(value)) return value;
    this.#failed = true;
    return 0;
  }
}

const scratch = new DataView(new ArrayBuffer(8));
