import type { BodyId } from './ids.ts';
import { NO_BODY } from './ids.ts';

/**
 * The bodies whose byte in an array differs from a common one. It keeps nothing: it looks at the array whenever it is
 * asked, at four bodies at once. In a large world most bodies have the common byte, and so cost little.
 */
export class BodiesUnlike {
  readonly #bytes: Int8Array | Uint8Array;
  readonly #common: number;
  /** The same memory in words of 32 bits; the last bodies may not fill one. */
  readonly #words: Int32Array;
  /** Four common bytes. */
  readonly #four: number;

  /**
   * @param bytes one for each body; the caller's, who changes them.
   * @param common the byte that does not count.
   */
  constructor(bytes: Int8Array | Uint8Array, common: number) {
    this.#bytes = bytes;
    this.#common = common;
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    this.#four = Math.imul(common & 0xff, 0x01010101);
  }

  /**
   * The lowest body above `after` whose byte differs; NO_BODY if there is none. Pass NO_BODY to find the first one. The
   * bytes may change between two calls.
   */
  next(after: number): BodyId {
    const bytes = this.#bytes;
    const words = this.#words;
    let body = after + 1;
    for (; (body & 3) !== 0 && body < bytes.length; body++)
      if (bytes[body] !== this.#common) return body as BodyId;
    let word = body >> 2;
    while (word < words.length && words[word] === this.#four) word++;
    for (body = Math.max(body, word << 2); body < bytes.length; body++)
      if (bytes[body] !== this.#common) return body as BodyId;
    return NO_BODY;
  }
}
