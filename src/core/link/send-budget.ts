import { MAX_PACKET_BYTES, TICK_RATE } from '../base/constants.ts';

/** Kilobits a second of payload that a peer sends at the most: to each receiver, and to all of them together. */
export type SendLimits = { readonly eachKbps: number; readonly allKbps: number };

/** What a player's line bears, and what a host's does: a home's uplink, without what datagrams add. */
export const SEND_LIMITS: SendLimits = { eachKbps: 256, allKbps: 1000 };
/** Less than this would not carry eight players' hands ten times a second. */
const LEAST_KBPS = 32;

/**
 * Shares of a second's bits: what may go at once after a pause, two full packets at the usual limit, and the rest,
 * which flows evenly. Together they are the whole, so that no second has more, wherever it begins.
 */
const AT_ONCE = 1 / 16;
const FLOWING = 1 - AT_ONCE;

/** Bits a second to each of so many receivers. */
export function bitsToEach(limits: SendLimits, receivers: number): number {
  return 1000 * Math.min(limits.eachKbps, limits.allKbps / receivers);
}

/** @throws RangeError if it is too little to play with. */
export function checkLimits({ eachKbps, allKbps }: SendLimits): void {
  if (eachKbps >= LEAST_KBPS && allKbps >= LEAST_KBPS) return;
  throw new RangeError(`a peer needs ${LEAST_KBPS} kbit/s at the least`);
}

/** [W9] What may still be sent to one receiver: a bucket that fills with time, and that packets empty. */
export class SendBudget {
  #bits = Infinity;
  #most = 0;

  /** A tick passes. */
  refill(bitsPerSecond: number): void {
    this.#most = bitsPerSecond * AT_ONCE;
    this.#bits = Math.min(this.#bits + (bitsPerSecond * FLOWING) / TICK_RATE, this.#most);
  }

  /** Bytes that a packet may have now. */
  get room(): number {
    return Math.max(0, Math.min(MAX_PACKET_BYTES, Math.floor(this.#bits / 8)));
  }

  /** True if a packet of so many bytes may go, or will not be able to later either. */
  fits(bytes: number): boolean {
    return this.#bits >= bytes * 8 || this.#bits === this.#most;
  }

  /** A packet has gone. One that could not be made short enough is paid off before the next. */
  spend(bytes: number): void {
    this.#bits -= bytes * 8;
  }
}
