import { MAX_PACKET_BYTES } from '../core/base/constants.ts';
import type { Random } from '../core/base/random.ts';
import { CongestedChannel } from './congestion.ts';
import { DueQueue } from './due-queue.ts';

/** Bytes of IP, UDP, DTLS and SCTP around each packet; they count against the bandwidth. */
export const PACKET_OVERHEAD_BYTES = 90;
/**
 * Milliseconds that a packet waits for the line, at most; it is dropped if it would wait longer (a router's buffer).
 */
export const MAX_LINE_WAIT_MS = 250;

/** Bursts of loss: the Gilbert-Elliott model. A good and a bad state; each packet may change the state by chance. */
export type Burst = {
  /** Chance that a packet in the good state changes it to bad. */
  readonly enter: number;
  /** Chance that a packet in the bad state changes it to good: a burst lasts 1 / leave packets on average. */
  readonly leave: number;
  /** Chance of loss in the bad state, in addition to the independent one. */
  readonly loss: number;
};

/**
 * The behaviour of one direction of a link. It may be changed or replaced at any time; packets under way keep their
 * times of arrival. Chances are 0 to 1, times are in milliseconds.
 */
export type LinkConditions = {
  /** The delay of every packet, one way. */
  latencyMs: number;
  /**
   * A further delay of each packet, uniform in 0 to this. Packets sent less than this apart may overtake each other.
   */
  jitterMs: number;
  /** Independent chance of loss. */
  loss: number;
  /** Null for no bursts. */
  burst: Burst | null;
  /** Chance of a second copy with its own delay. A data channel drops copies, so that this has no effect there. */
  duplicate: number;
  /** Chance of a further delay, uniform in 0 to `reorderMs`. */
  reorder: number;
  reorderMs: number;
  /** Kilobits a second, headers included (PACKET_OVERHEAD_BYTES each); 0 for no limit. */
  bandwidthKbps: number;
  /**
   * `datagram`: every packet leaves at once. `dataChannel`: packets go through a WebRTC data channel with
   * `maxRetransmits: 0`, whose congestion control makes them wait under loss (see congestion.ts).
   */
  channel: 'datagram' | 'dataChannel';
};

/** The conditions of a perfect link, except for those that are given. */
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

/** Counts since the start: sent + duplicated = lost + delivered + packets under way. */
export type LinkStats = {
  /** Packets given to `send`. */
  sent: number;
  /** Packets lost by chance, by bursts, or because the line was full. */
  lost: number;
  /** Second copies that were made. */
  duplicated: number;
  /** Packets that `receive` returned, copies included. */
  delivered: number;
  /** Payload bytes given to `send`. */
  bytes: number;
};

/** A reused buffer with a packet in its first `length` bytes. */
type Packet = { bytes: Uint8Array; length: number };

/**
 * Simulates one direction of one link. It has no clock: each call gives the time, in milliseconds, never decreasing.
 * All chance comes from its Random, so that the same calls give the same results.
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

  /** The counts; the object changes with later calls. */
  get stats(): Readonly<LinkStats> {
    return this.#stats;
  }

  /** Sends a packet of any size. The bytes are copied: the caller may reuse the array. */
  send(nowMs: number, bytes: Uint8Array): void {
    this.#stats.sent++;
    this.#stats.bytes += bytes.length;
    const packet = this.#take(bytes, bytes.length);
    if (this.conditions.channel === 'dataChannel') this.#channel.send(nowMs, packet);
    else this.#sendDatagram(nowMs, packet);
  }

  /**
   * True if a packet sent now would leave at once: false while a data channel's send buffer is not empty. A packet
   * that is sent nevertheless waits, but is not lost.
   */
  ready(nowMs: number): boolean {
    this.#channel.advance(nowMs);
    return this.#channel.waiting === 0;
  }

  /**
   * Returns the next packet that is due, or null if none is; call it until it returns null. The array is a view of a
   * reused buffer, valid until the next call of `receive`.
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
   * Stalls the receiving end: no packet arrives before `untilMs`. Packets that would have arrived until then arrive
   * at that moment, in the same order. Packets can still be sent meanwhile. A data channel's acknowledgements wait,
   * too.
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

  /**
   * The time at which the last bit of a packet leaves; Infinity if the packet is lost, or the line's buffer is full.
   */
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

  /** A packet from the pool, filled with these bytes. */
  #take(bytes: Uint8Array, length: number): Packet {
    const packet = this.#pool.pop() ?? { bytes: new Uint8Array(MAX_PACKET_BYTES), length: 0 };
    if (packet.bytes.length < length) packet.bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) packet.bytes[i] = bytes[i];
    packet.length = length;
    return packet;
  }
}
