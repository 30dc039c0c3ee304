import { SENT_PACKETS } from '../base/constants.ts';
import { unwrap } from '../base/sequence.ts';

/** Packets that one ack speaks of: the newest, and the 32 before it. */
const ACKED_PACKETS = 33;
/** A packet that is this much older than the newest is not looked at. */
const RECEIVE_WINDOW = 64;
/** Share by which a new round trip moves the smoothed one (as in TCP's estimator). */
const ROUND_TRIP_GAIN = 1 / 8;

/**
 * The numbers of the packets that went out and came in on one connection, and what each end knows of the
 * other's. Numbers are counted from 0 and don't wrap in here; packets carry their low 16 bits.
 */
export class PacketAcks {
  /** The number of the next packet to be sent. */
  nextSequence = 0;
  /** The newest packet received, or -1. */
  newestReceived = -1;
  /** Bit i: packet newestReceived - 1 - i was received. */
  receivedBits = 0;
  /** Milliseconds, smoothed; 0 before the first ack. */
  roundTripMs = 0;
  /** Packets that the other end has acked, and those that it can't ack any more. */
  ackedCount = 0;
  lostCount = 0;
  readonly #received = new Int32Array(RECEIVE_WINDOW).fill(-1);
  readonly #sentAt = new Float64Array(SENT_PACKETS);
  /** For each sent packet its number if it is not yet acked. */
  readonly #unacked = new Int32Array(SENT_PACKETS).fill(-1);

  /** Notes that the next packet goes out; returns its number. */
  send(nowMs: number): number {
    const sequence = this.nextSequence++;
    const slot = sequence % SENT_PACKETS;
    if (this.#unacked[slot] >= 0) this.lostCount++;
    this.#unacked[slot] = sequence;
    this.#sentAt[slot] = nowMs;
    return sequence;
  }

  /** The whole number of a received packet from its low 16 bits. */
  unwrapReceived(low: number): number {
    return this.newestReceived < 0 ? low : unwrap(low, this.newestReceived);
  }

  /** 'new' for a packet worth reading. */
  classify(sequence: number): 'new' | 'duplicate' | 'too old' {
    if (sequence < 0 || sequence <= this.newestReceived - RECEIVE_WINDOW) return 'too old';
    return this.#received[sequence % RECEIVE_WINDOW] === sequence ? 'duplicate' : 'new';
  }

  /** [W4] Notes a packet as received; only one that decoded whole. */
  receive(sequence: number): void {
    this.#received[sequence % RECEIVE_WINDOW] = sequence;
    const step = sequence - this.newestReceived;
    if (step > 0) {
      const shifted = step >= 32 ? 0 : this.receivedBits << step;
      const previous = this.newestReceived >= 0 && step <= 32 ? 1 << (step - 1) : 0;
      this.receivedBits = (shifted | previous) >>> 0;
      this.newestReceived = sequence;
    } else if (step >= -32 && step < 0) {
      this.receivedBits = (this.receivedBits | (1 << (-step - 1))) >>> 0;
    }
  }

  /**
   * Takes in the other end's acks; calls `acked` once for each packet of ours that it newly speaks of, as long as
   * it is one of the last SENT_PACKETS.
   * @param waitedMs how long the ack may have waited at the other end, at the most.
   */
  acknowledge(
    low: number,
    bits: number,
    nowMs: number,
    acked: (sequence: number) => void,
    waitedMs = 0,
  ): void {
    const newest = unwrap(low, this.nextSequence - 1);
    if (newest >= this.nextSequence || newest < 0) return;
    for (let i = 0; i < ACKED_PACKETS; i++) {
      if (i > 0 && ((bits >>> (i - 1)) & 1) === 0) continue;
      const sequence = newest - i;
      const slot = sequence % SENT_PACKETS;
      if (sequence < 0 || this.#unacked[slot] !== sequence) continue;
      this.#unacked[slot] = -1;
      this.ackedCount++;
      if (i === 0) this.#measure(nowMs - this.#sentAt[slot], waitedMs);
      acked(sequence);
    }
  }

  /** An ack that may have waited says only between what the round trip was: within, it changes nothing. */
  #measure(mostMs: number, waitedMs: number): void {
    if (this.roundTripMs === 0) this.roundTripMs = mostMs;
    const measured = Math.max(mostMs - waitedMs, Math.min(mostMs, this.roundTripMs));
    this.roundTripMs += (measured - this.roundTripMs) * ROUND_TRIP_GAIN;
  }
}
