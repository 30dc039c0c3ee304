import { MAX_PACKET_BYTES } from '../../core/base/constants.ts';

/**
 * Bundles: several packets for watchers as one message, so that a server sends ten messages a second to each watcher, not
 * twenty or more. Each packet follows its length in two bytes, the high one first.
 */

const LENGTH_BYTES = 2;
/** Bytes of a new writer: it grows to the longest bundle. */
const FIRST_BYTES = 4096;

/** Joins packets into bundles. */
export class BundleWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** @param packet of 1 to MAX_PACKET_BYTES bytes; it is copied. */
  add(packet: Uint8Array): void {
    const needed = this.#length + LENGTH_BYTES + packet.length;
    if (needed > this.#bytes.length) {
      const longer = new Uint8Array(2 * needed);
      longer.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = longer;
    }
    this.#bytes[this.#length] = packet.length >> 8;
    this.#bytes[this.#length + 1] = packet.length & 0xff;
    this.#bytes.set(packet, this.#length + LENGTH_BYTES);
    this.#length = needed;
  }

  /** @returns a copy of the bundle; the next one begins. */
  take(): Uint8Array<ArrayBuffer> {
    const bundle = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bundle;
  }
}

/**
 * Hands out the packets of a bundle, in order, as parts of its bytes. What follows a length that makes no sense is left
 * out.
 * @returns false if that was so. Never throws.
 */
export function readBundle(bundle: Uint8Array, deliver: (packet: Uint8Array) => void): boolean {
  for (let at = 0; at < bundle.length;) {
    const length = at + 1 < bundle.length ? (bundle[at] << 8) | bundle[at + 1] : 0;
    const begin = at + LENGTH_BYTES;
    if (length === 0 || length > MAX_PACKET_BYTES || begin + length > bundle.length) return false;
    deliver(bundle.subarray(begin, begin + length));
    at = begin + length;
  }
  return true;
}
