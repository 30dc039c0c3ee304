import { MAX_PACKET_BYTES } from '../../core/base/constants.ts';

/**
 * Bundles: several packets for watchers as one message, so that a server sends ten messages a second to each watcher, not
 * twenty or more. A bundle begins with the time at its host, in milliseconds modulo 2 ** 32, in four bytes. Each packet
 * follows its length in two bytes. The high byte comes first.
 */

const TIME_BYTES = 4;
const LENGTH_BYTES = 2;
/** Bytes of a new writer: it grows to the longest bundle. */
const FIRST_BYTES = 4096;

/** Joins packets into bundles. */
export class BundleWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = TIME_BYTES;

  get isEmpty(): boolean {
    return this.#length === TIME_BYTES;
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

  /**
   * @param nowMs any clock of the host that does not go back.
   * @returns a copy of the bundle; the next one begins.
   */
  take(nowMs: number): Uint8Array<ArrayBuffer> {
    new DataView(this.#bytes.buffer).setUint32(0, Math.floor(nowMs) % 2 ** 32);
    const bundle = this.#bytes.slice(0, this.#length);
    this.#length = TIME_BYTES;
    return bundle;
  }
}

/**
 * Hands out the packets of a bundle, in order, as parts of its bytes. Of a bundle that makes no sense, packets before the
 * fault are handed out.
 * @returns the time at its host, 0 to 2 ** 32 - 1; null if it makes no sense. Never throws.
 */
export function readBundle(bundle: Uint8Array, deliver: (packet: Uint8Array) => void): number | null {
  if (bundle.length < TIME_BYTES) return null;
  for (let at = TIME_BYTES; at < bundle.length;) {
    const length = at + 1 < bundle.length ? (bundle[at] << 8) | bundle[at + 1] : 0;
    const begin = at + LENGTH_BYTES;
    if (length === 0 || length > MAX_PACKET_BYTES || begin + length > bundle.length) return null;
    deliver(bundle.subarray(begin, begin + length));
    at = begin + length;
  }
  return new DataView(bundle.buffer, bundle.byteOffset).getUint32(0);
}
