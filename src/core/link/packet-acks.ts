import { SENT_PACKETS } from '../base/constants.ts';
import { unwrap } from '../base/sequence.ts';

/** Packets that one ack covers: the newest received packet, and the 32 before it. */
const ACKED_PACKETS = 33;
/** A packet that is this many packets older than the newest, or more, is too old to read. */
const RECEIVE_WINDOW = 64;
/** The share by which a measured round trip moves the smoothed one: TCP's alpha (RFC 6298 §2). */
const ROUND_TRIP_GAIN = 1 / 8;

/**
 * The packet numbers of one connection: which packets this end has received, and which of its own the other end has
 * acked. Each packet acks the newest and a bit field of the 32 before it (Fiedler, "Reliability and Congestion
 * Avoidance over UDP"). Numbers count from 0 and do not wrap in here; packets carry their low 16 bits.
 */
export class PacketAcks {
  /** The number of the next packet to be sent. */
  nextSequence = 0;
  /** The newest packet received, or -1. */
  newestReceived = -1;
  /** Bit i is set if packet newestReceived - 1 - i was received. */
  receivedBits = 0;
  /** The smoothed round trip time in milliseconds; 0 before the first ack. */
  roundTripMs = 0;
  /** Sent packets that the other end has acked. */
  ackedCount = 0;
  /** Sent packets without an ack that have left the window of SENT_PACKETS. */
  lostCount = 0;
  readonly #received = new Int32Array(RECEIVE_WINDOW).fill(-1);
  readonly #sentAt = new Float64Array(SENT_PACKETS);
  /** For each place in the window the number of a sent packet without an ack, or -1. */
  readonly #unacked = new Int32Array(SENT_PACKETS).fill(-1);

  /** Counts a packet that leaves now; returns its number. */
  send(nowMs: number): number {
    const sequence = this.nextSequence++;
    const slot = sequence % SENT_PACKETS;
    if (this.#unacked[slot] >= 0) this.lostCount++;
    this.#unacked[slot] = sequence;
    this.#sentAt[slot] = nowMs;
    return sequence;
  }

  /** The number of a received packet from its low 16 bits: the nearest to the newest received. May be negative. */
  unwrapReceived(low: number): number {
    return this.newestReceived < 0 ? low : unwrap(low, this.newestReceived);
  }

  /** Only a 'new' packet is worth reading. */
  classify(sequence: number): 'new' | 'duplicate' | 'too old' {
    if (sequence < 0 || sequence <= this.newestReceived - RECEIVE_WINDOW) return 'too old';
    return this.#received[sequence % RECEIVE_WINDOW] === sequence ? 'duplicate' : 'new';
  }

  /** [W4] Marks a packet as received, so that it will be acked; only for a packet that decoded whole. */
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
   * Takes in the acks of a received packet. Ignores acks of packets that were never sent.
   * @param low the low 16 bits of the newest acked packet.
   * @param bits the 32 packets before it, as in `receivedBits`.
   * @param acked is called once for each packet that is newly acked, if it is one of the last SENT_PACKETS.
   * @param waitedMs milliseconds that the ack may have waited at the other end, at most.
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

  /**
   * True if the acks in a received packet's header include this packet of this end. It takes them as `acknowledge` does.
   * @param low negative if the packet acks none.
   */
  covers(low: number, bits: number, sequence: number): boolean {
    const newest = unwrap(low, this.nextSequence - 1);
    if (low < 0 || newest >= this.nextSequence) return false;
    const before = newest - sequence;
    return before === 0 || (before > 0 && before < ACKED_PACKETS && ((bits >>> (before - 1)) & 1) === 1);
  }

  /**
   * Smooths a round trip. Of an ack that may have waited, only the bounds of the round trip are known: `mostMs` less
   * `waitedMs`, and `mostMs`. A present value within them does not change.
   */
  #measure(mostMs: number, waitedMs: number): void {
    if (this.roundTripMs === 0) this.roundTripMs = mostMs;
    const measured = Math.max(mostMs - waitedMs, Math.min(mostMs, this.roundTripMs));
    this.roundTripMs += (measured - this.roundTripMs) * ROUND_TRIP_GAIN;
  }
}
