import { MAX_PACKET_BYTES } from '../core/base/constants.ts';
import type { Random } from '../core/base/random.ts';
import { CongestedChannel } from './congestion.ts';
import { DueQueue } from './due-queue.ts';

/** Bytes of IP, UDP, DTLS and SCTP around each packet; they count against the bandwidth. */
export const PACKET_OVERHEAD_BYTES = 90;
/** Milliseconds that a packet waits for the line at the most; past it, it is dropped (a router's buffer). */
export const MAX_LINE_WAIT_MS = 250;

/** Bursts of loss (Gilbert and Elliott): a good and a bad state, entered and left by chance at each packet. */
export type Burst = {
  /** Chance that the bad state begins with a packet; its mean length is 1 / leave packets. */
  readonly enter: number;
  readonly leave: number;
  /** Chance of loss in the bad state, on top of the independent one. */
  readonly loss: number;
};

/**
 * How one direction of a link behaves. May be changed, and replaced, at any time; what is under way keeps the
 * times that it was given. Chances are 0 to 1, times milliseconds.
 */
export type LinkConditions = {
  /** One way. */
  latencyMs: number;
  /** Added to each packet: uniform, 0 to this. Packets less than this apart may overtake each other. */
  jitterMs: number;
  /** Independent chance of loss. */
  loss: number;
  burst: Burst | null;
  /** Chance of a second copy, with a delay of its own. A data channel drops copies, so there it has no effect. */
  duplicate: number;
  /** Chance that a packet is held back by another 0 to `reorderMs`, uniform. */
  reorder: number;
  reorderMs: number;
  /** Kilobits a second, headers included (PACKET_OVERHEAD_BYTES each); 0 for no limit. */
  bandwidthKbps: number;
  /**
   * `datagram`: every packet leaves at once. `dataChannel`: as a WebRTC data channel with `maxRetransmits: 0`,
   * whose congestion control makes packets wait under loss (see congestion.ts).
   */
  channel: 'datagram' | 'dataChannel';
};

/** A perfect link, but for what is given. */
export function linkConditions(conditions: Partial<LinkConditions> = {}): LinkConditions {
  return {
    latencyMs: 0,
    jitterMs: 0,
    loss: 0,
    burst: null,
    duplicate: 0,
    reorder: 0,
    reorderMs: 0,
    bandwidthKbps: 0,
    channel: 'datagram',
    ...conditions,
  };
}

/** Counts since the beginning: sent + duplicated = lost + delivered + what is still under way. */
export type LinkStats = {
  /** Packets handed in. */
  sent: number;
  /** By loss, bursts, or a full line. */
  lost: number;
  duplicated: number;
  /** Packets handed out, copies included. */
  delivered: number;
  /** Payload bytes handed in. */
  bytes: number;
};

/** A packet's place in the pool; only the first `length` bytes count. */
type Packet = { bytes: Uint8Array; length: number };

/**
 * One direction of one link. Time and bytes in, bytes out: it has no clock, draws all chance from its Random,
 * and does the same for the same calls. Times are milliseconds, never decreasing.
 */
export class NetworkSimulator {
  conditions: LinkConditions;
  readonly #stats: LinkStats = { sent: 0, lost: 0, duplicated: 0, delivered: 0, bytes: 0 };
  readonly #random: Random;
  readonly #arrivals = new DueQueue<Packet>();
  readonly #channel: CongestedChannel<Packet>;
  readonly #pool: Packet[] = [];
  #handedOut: Packet | null = null;
  #inBurst = false;
  #lineFreeAt = -Infinity;
  #stalledUntil = -Infinity;

  constructor(random: Random, conditions: LinkConditions) {
    this.#random = random;
    this.conditions = conditions;
    this.#channel = new CongestedChannel<Packet>({
      carry: (now, bytes) => this.#leave(now, bytes) + this.#delay(),
      carryControl: (now) => (this.#isLost() ? Infinity : now + this.#delay()),
      deliver: (arrivesAt, packet) => this.#deliver(arrivesAt, packet),
    });
  }

  get stats(): Readonly<LinkStats> {
    return this.#stats;
  }

  /** Hands in a packet, of any size. The bytes are copied: the caller may use them again. */
  send(nowMs: number, bytes: Uint8Array): void {
    this.#stats.sent++;
    this.#stats.bytes += bytes.length;
    const packet = this.#take(bytes, bytes.length);
    if (this.conditions.channel === 'dataChannel') this.#channel.send(nowMs, packet);
    else this.#sendDatagram(nowMs, packet);
  }

  /**
   * True if a packet handed in now would leave at once: false while a data channel's send buffer is not empty.
   * Sending nevertheless loses nothing, but waits.
   */
  ready(nowMs: number): boolean {
    this.#channel.advance(nowMs);
    return this.#channel.waiting === 0;
  }

  /**
   * The next packet that is due, or null; call until null. The array is a view into a buffer that is used
   * again: it is valid until the next call of `receive`.
   */
  receive(nowMs: number): Uint8Array | null {
    this.#channel.advance(nowMs);
    if (this.#handedOut !== null) this.#pool.push(this.#handedOut);
    this.#handedOut = null;
    if (nowMs < this.#stalledUntil || this.#arrivals.nextDue > nowMs) return null;
    const packet = this.#arrivals.pop();
    this.#handedOut = packet;
    this.#stats.delivered++;
    return packet.bytes.subarray(0, packet.length);
  }

  /**
   * Nothing arrives before `untilMs`; what was due till then all arrives at that moment, in the order in which
   * it would have come. What is handed in meanwhile travels as ever. A data channel's acknowledgements wait, too.
   */
  stall(untilMs: number): void {
    this.#stalledUntil = Math.max(this.#stalledUntil, untilMs);
    this.#channel.stall(untilMs);
  }

  #sendDatagram(now: number, packet: Packet): void {
    const leavesAt = this.#leave(now, packet.length);
    if (leavesAt < Infinity && this.#random.chance(this.conditions.duplicate)) {
      this.#stats.duplicated++;
      this.#deliver(leavesAt + this.#delay(), this.#take(packet.bytes, packet.length));
    }
    this.#deliver(leavesAt + this.#delay(), packet);
  }

  #deliver(arrivesAt: number, packet: Packet): void {
    if (arrivesAt < Infinity) this.#arrivals.push(arrivesAt, packet);
    else {
      this.#stats.lost++;
      this.#pool.push(packet);
    }
  }

  /** When the last bit of a packet has left; Infinity if the line's buffer is full, or the packet gets lost. */
  #leave(now: number, bytes: number): number {
    const { bandwidthKbps } = this.conditions;
    let leavesAt = now;
    if (bandwidthKbps > 0) {
      const startsAt = Math.max(now, this.#lineFreeAt);
      if (startsAt - now > MAX_LINE_WAIT_MS) return Infinity;
      leavesAt = startsAt + ((bytes + PACKET_OVERHEAD_BYTES) * 8) / bandwidthKbps;
      this.#lineFreeAt = leavesAt;
    }
    return this.#isLost() ? Infinity : leavesAt;
  }

  #isLost(): boolean {
    const { loss, burst } = this.conditions;
    if (burst === null) this.#inBurst = false;
    else this.#inBurst = this.#random.chance(this.#inBurst ? 1 - burst.leave : burst.enter);
    return this.#random.chance(loss) || (this.#inBurst && burst !== null && this.#random.chance(burst.loss));
  }

  #delay(): number {
    const { latencyMs, jitterMs, reorder, reorderMs } = this.conditions;
    const heldBack = this.#random.chance(reorder) ? this.#random.next() * reorderMs : 0;
    return latencyMs + this.#random.next() * jitterMs + heldBack;
  }

  /** A packet of the pool with these bytes in it. */
  #take(bytes: Uint8Array, length: number): Packet {
    const packet = this.#pool.pop() ?? { bytes: new Uint8Array(MAX_PACKET_BYTES), length: 0 };
    if (packet.bytes.length < length) packet.bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) packet.bytes[i] = bytes[i];
    packet.length = length;
    return packet;
  }
}
