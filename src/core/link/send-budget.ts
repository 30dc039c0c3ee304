import { MAX_PACKET_BYTES, MAX_SERVER_ROOM_PLAYERS } from '../base/constants.ts';

/** Kilobits a second of payload that a peer sends, at most: to each receiver, and to all receivers together. */
export type SendLimits = { readonly eachKbps: number; readonly allKbps: number };

/** The usual limits: the uplink of a home carries them, with what each datagram adds. */
export const SEND_LIMITS: SendLimits = { eachKbps: 256, allKbps: 1000 };
/** [N8.4] The limits of a dedicated host: a server has the uplink for everybody, and a player's connection takes so much. */
export const SERVER_SEND_LIMITS: SendLimits = { eachKbps: 512, allKbps: 512 * MAX_SERVER_ROOM_PLAYERS };
/** Kilobits a second: less would not carry the hands of eight players ten times a second. */
const LEAST_KBPS = 32;

/**
 * The bucket's size and its inflow, as shares of the bits of a second. The size is the burst after a pause: two full
 * packets at the usual limit. Together they are 1, so that no interval of a second has more than its limit.
 */
const BURST = 1 / 16;
const INFLOW = 1 - BURST;

/** Bits a second that go to each receiver if there are so many of them. */
export function bitsToEach(limits: SendLimits, receivers: number): number {
  return 1000 * Math.min(limits.eachKbps, limits.allKbps / receivers);
}

/** @throws RangeError if a limit is below 32 kbit/s. */
export function checkLimits({ eachKbps, allKbps }: SendLimits): void {
  if (eachKbps >= LEAST_KBPS && allKbps >= LEAST_KBPS) return;
  throw new RangeError(`a peer needs ${LEAST_KBPS} kbit/s at the least`);
}

/** [W9] The bits that may still be sent to one receiver: a token bucket. */
export class SendBudget {
  #bits = Infinity;
  #size = 0;

  /** Lets a tick pass. The bucket is full before the first. @param rate ticks a second. */
  refill(bitsPerSecond: number, rate: number): void {
    this.#size = bitsPerSecond * BURST;
    this.#bits = Math.min(this.#bits + (bitsPerSecond * INFLOW) / rate, this.#size);
  }

  /** Bytes that a packet may have now, 0 to MAX_PACKET_BYTES. */
  get room(): number {
    return Math.max(0, Math.min(MAX_PACKET_BYTES, Math.floor(this.#bits / 8)));
  }

  /**
   * True if a packet of so many bytes may be sent: it fits, or the bucket is full, so that it will never fit better.
   */
  fits(bytes: number): boolean {
    return this.#bits >= bytes * 8 || this.#bits === this.#size;
  }

  /** A packet was sent. If it was longer than the budget, the budget is negative until the inflow has paid for it. */
  spend(bytes: number): void {
    this.#bits -= bytes * 8;
  }
}
