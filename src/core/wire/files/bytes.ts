/**
 * What writes a file, or reads it: whole bytes, the lowest first. As with packets, one function describes both
 * ways: each call takes the value that is to be written, and returns the one that was written or read. A reader
 * takes no notice of what it is given; past the end, and once something was wrong, it reads zeros.
 */
export interface ByteCoder {
  /** A whole number of 0 to `most`, in one, two or four bytes. */
  u8(value: number, most?: number): number;
  u16(value: number, most?: number): number;
  u32(value: number): number;
  /** A finite number, in four or eight bytes. */
  f32(value: number): number;
  f64(value: number): number;
  /** So many bytes; those that are returned are not copied. */
  bytes(value: Uint8Array, length: number): Uint8Array;
  /** A reader: what was read is wrong. A writer: asserts. */
  fail(): void;
  readonly failed: boolean;
}

/** Bytes of a piece of what is written. */
const PIECE = 1 << 16;

/** Writes bytes as they come, in pieces, so that nothing is copied as it grows. It asserts: a fault here is ours. */
export class ByteWriter implements ByteCoder {
  readonly failed = false;
  readonly #full: Uint8Array[] = [];
  #piece = new Uint8Array(PIECE);
  #at = 0;
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length + this.#at;
  }

  fail(): void {
    throw new Error('what is written makes no sense');
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

  /** What was written, up to so many bytes. */
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

/** Reads what a ByteWriter wrote. What is wrong it remembers. */
export class ByteReader implements ByteCoder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #failed = false;

  /** @param at where to begin. The bytes are not copied. */
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = at;
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Bytes that were read, those before the beginning included. */
  get at(): number {
    return this.#at;
  }

  /** True once all was read. */
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

  /** Where the next `count` bytes begin; -1 if they are not there. */
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
