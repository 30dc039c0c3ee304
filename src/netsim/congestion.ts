import { CongestionWindow, MTU } from './congestion-window.ts';
import { DueQueue } from './due-queue.ts';
import { RetransmissionTimeout } from './retransmission-timeout.ts';
import { MAX_TSNS, SctpReceiver } from './sctp-receiver.ts';

/**
 * Why messages wait in a WebRTC data channel even with `maxRetransmits: 0`. SCTP sends no DATA chunk again, but its
 * congestion control still applies. The sender has to notice each missing chunk, abandon it, tell the receiver with a
 * FORWARD-TSN, and wait for the acknowledgement of that, one gap after another. If this takes longer than the RTO,
 * T3-rtx expires: the sender abandons everything outstanding, and cwnd starts again at one packet.
 *
 * The rules are those of RFC 9260 (SCTP) and RFC 3758 (PR-SCTP), the constants those of the stack in Chromium (dcSCTP),
 * for one channel. Comments cite sections of RFC 9260 unless they name the other, and say where dcSCTP or this model
 * differs. The model leaves out the handshake, a_rwnd and Max.Burst, which make no difference here.
 */

/** Bytes of a DATA chunk's header (§3.3.1). Each message, or each fragment of a message, has one. */
const DATA_HEADER_BYTES = 16;
/**
 * Miss indications after which a chunk counts as lost (§7.2.4). A chunk that may not be sent again is abandoned then.
 */
const MAX_MISS_INDICATIONS = 3;
/** Gap Ack Blocks in a SACK, at most (dcSCTP; the RFC has as many as fit a packet, §6.2). */
const MAX_GAP_ACK_BLOCKS = 20;
/** Milliseconds between two FORWARD-TSNs for the same gap, at most; a round trip if that is less (RFC 3758 §3.5). */
const MAX_FORWARD_TSN_INTERVAL = 200;

/** States of a DATA chunk. A chunk that a SACK has reported missing is no longer outstanding (dcSCTP). */
const IN_FLIGHT = 0;
const MISSED = 1;
const ABANDONED = 2;
const ACKED = 3;

/** The network under the channel. */
export type Path<Message> = {
  /** Sends a packet with DATA chunks; returns the time of its arrival in milliseconds, Infinity if it is lost. */
  carry(nowMs: number, bytes: number): number;
  /** The same for a packet that carries only a SACK or a FORWARD-TSN, in either direction. */
  carryControl(nowMs: number): number;
  /** A message has left the channel. It is complete at the receiver at this time, or never (Infinity). */
  deliver(arrivesAtMs: number, message: Message): void;
};

/**
 * The sending end of a data channel, with a model of the receiving end. A message is one DATA chunk or, if it exceeds a
 * packet or the room in cwnd, several (fragments, §6.9); small chunks that wait share a packet (bundling, §6.10). TSNs
 * count from 0 and do not wrap. Times are in milliseconds and never decrease.
 */
export class CongestedChannel<Message extends { readonly length: number }> {
  readonly #path: Path<Message>;

  /** The send buffer: messages from `#head` on. */
  readonly #buffer: Message[] = [];
  #head = 0;
  /** The message at the head: its bytes that have left, the TSN of its first fragment, and when those arrive. */
  #sentBytes = 0;
  #firstTsn = 0;
  #fragmentsArriveAt = 0;

  #cumulativeTsnAckPoint = -1;
  #nextTsn = 0;
  readonly #state = new Uint8Array(MAX_TSNS);
  readonly #missIndications = new Uint8Array(MAX_TSNS);
  readonly #bytes = new Uint16Array(MAX_TSNS);
  readonly #sentAt = new Float64Array(MAX_TSNS);

  readonly #receiver = new SctpReceiver();
  /** SACKs under way, each as the time at which it was written: it acknowledges what the receiver had then. */
  readonly #sacks = new DueQueue<number>();
  #stalledUntil = -Infinity;

  readonly #window = new CongestionWindow();
  /** Bytes outstanding, chunk headers included. */
  #flightsize = 0;
  /** The fast recovery exit point: fast recovery lasts until this TSN is acknowledged (§7.2.4). */
  #fastRecoveryExit = -1;

  readonly #timeout = new RetransmissionTimeout();
  /** When the timer T3-rtx expires; Infinity while it does not run. */
  #t3ExpiresAt = Infinity;
  #nextForwardTsnAt = -Infinity;

  constructor(path: Path<Message>) {
    this.#path = path;
  }

  /** Messages that have not completely left; a page sees their bytes as `bufferedAmount`. */
  get waiting(): number {
    return this.#buffer.length - this.#head;
  }

  /** Sends a message as soon as cwnd has room. The buffer is unbounded: ask `waiting` first. */
  send(nowMs: number, message: Message): void {
    this.advance(nowMs);
    this.#buffer.push(message);
    this.#flush(nowMs);
  }

  /** No SACK reaches the sender before this time. */
  stall(untilMs: number): void {
    this.#stalledUntil = Math.max(this.#stalledUntil, untilMs);
  }

  /** Lets everything happen that is due up to this time. */
  advance(nowMs: number): void {
    for (;;) {
      const receiverAt = this.#receiver.nextEventAt;
      const sackAt = Math.max(this.#sacks.nextDue, this.#stalledUntil);
      const at = Math.min(receiverAt, sackAt, this.#t3ExpiresAt);
      if (at > nowMs || at === Infinity) return;
      if (at === receiverAt) {
        if (this.#receiver.handleEvent()) this.#sendSack(at);
        continue;
      }
      if (at === sackAt) this.#handleSack(at, this.#sacks.pop());
      else this.#expireT3(at);
      this.#flush(at);
    }
  }

  #sendSack(now: number): void {
    const arrivesAt = this.#path.carryControl(now);
    if (arrivesAt < Infinity) this.#sacks.push(arrivesAt, now);
  }

  /** Sends a FORWARD-TSN if one is needed, then what cwnd lets leave. */
  #flush(now: number): void {
    this.#sendForwardTsn(now);
    while (this.#sendPacket(now));
    if (this.#head < this.#buffer.length && this.#head < MAX_TSNS) return;
    this.#buffer.copyWithin(0, this.#head);
    this.#buffer.length -= this.#head;
    this.#head = 0;
  }

  /** Sends a packet filled with messages, or fragments of them; false if nothing may leave. */
  #sendPacket(now: number): boolean {
    const firstMessage = this.#head;
    const firstTsn = this.#nextTsn;
    let total = 0;
    for (let bytes = this.#nextChunk(0); bytes > 0; bytes = this.#nextChunk(total)) {
      this.#addChunk(now, bytes);
      total += bytes + DATA_HEADER_BYTES;
    }
    if (total === 0) return false;
    const arrivesAt = this.#path.carry(now, total);
    this.#receiver.expectData(firstTsn, this.#nextTsn - 1, arrivesAt);
    for (let i = firstMessage; i < this.#head; i++) {
      this.#path.deliver(Math.max(arrivesAt, this.#fragmentsArriveAt), this.#buffer[i]);
      this.#fragmentsArriveAt = 0;
    }
    if (this.#sentBytes > 0) this.#fragmentsArriveAt = Math.max(arrivesAt, this.#fragmentsArriveAt);
    // §6.3.2 R1: T3-rtx starts with the first chunk outstanding.
    if (this.#t3ExpiresAt === Infinity) this.#startT3(now);
    return true;
  }

  /** Bytes of the message at the head that may join a packet of `total` bytes; 0 for none. */
  #nextChunk(total: number): number {
    if (this.#head === this.#buffer.length) return 0;
    if (this.#nextTsn - this.#cumulativeTsnAckPoint > MAX_TSNS) return 0;
    const room = this.#window.cwnd - this.#flightsize;
    const left = channelBytes(this.#buffer[this.#head]) - this.#sentBytes;
    return Math.max(0, Math.min(left, room - DATA_HEADER_BYTES, MTU - total - DATA_HEADER_BYTES));
  }

  #addChunk(now: number, bytes: number): void {
    if (this.#sentBytes === 0) this.#firstTsn = this.#nextTsn;
    const index = this.#nextTsn++ % MAX_TSNS;
    this.#state[index] = IN_FLIGHT;
    this.#missIndications[index] = 0;
    this.#bytes[index] = bytes + DATA_HEADER_BYTES;
    this.#sentAt[index] = now;
    this.#flightsize += this.#bytes[index];
    this.#sentBytes += bytes;
    if (this.#sentBytes < channelBytes(this.#buffer[this.#head])) return;
    this.#sentBytes = 0;
    this.#head++;
  }

  /**
   * Tells the receiver to skip the abandoned chunks up to the Advanced.Peer.Ack.Point (RFC 3758 §3.5 C1 to C3), and
   * again after a round trip while they are not acknowledged.
   */
  #sendForwardTsn(now: number): void {
    const first = this.#cumulativeTsnAckPoint + 1;
    let advancedPeerAckPoint = this.#cumulativeTsnAckPoint;
    while (this.#isAbandoned(advancedPeerAckPoint + 1)) advancedPeerAckPoint++;
    if (advancedPeerAckPoint < first || now < this.#nextForwardTsnAt) return;
    this.#nextForwardTsnAt = now + Math.min(MAX_FORWARD_TSN_INTERVAL, this.#timeout.srtt);
    const arrivesAt = this.#path.carryControl(now);
    if (arrivesAt < Infinity) this.#receiver.expectForwardTsn(first, advancedPeerAckPoint, arrivesAt);
  }

  #isAbandoned(tsn: number): boolean {
    return tsn < this.#nextTsn && this.#state[tsn % MAX_TSNS] === ABANDONED;
  }

  /** Processes a SACK (§6.2.1) that acknowledges what the receiver had when it was written. */
  #handleSack(now: number, writtenAt: number): void {
    const flightsizeBefore = this.#flightsize;
    const ackPointBefore = this.#cumulativeTsnAckPoint;
    let bytesAcked = 0;
    while (
      this.#cumulativeTsnAckPoint + 1 < this.#nextTsn &&
      this.#receiver.hadAt(this.#cumulativeTsnAckPoint + 1, writtenAt)
    ) {
      bytesAcked += this.#acknowledge(now, ++this.#cumulativeTsnAckPoint);
    }
    let highestNewlyAcked = -1;
    let gapAckBlocks = 0;
    for (let tsn = this.#cumulativeTsnAckPoint + 1; tsn < this.#nextTsn; tsn++) {
      if (!this.#receiver.hadAt(tsn, writtenAt)) continue;
      if (!this.#receiver.hadAt(tsn - 1, writtenAt) && ++gapAckBlocks > MAX_GAP_ACK_BLOCKS) break;
      const bytes = this.#acknowledge(now, tsn);
      if (bytes > 0) highestNewlyAcked = tsn;
      bytesAcked += bytes;
    }
    if (this.#cumulativeTsnAckPoint > ackPointBefore) {
      this.#window.grow(flightsizeBefore, bytesAcked, this.#isInFastRecovery);
      this.#timeout.endBackoff();
      // §6.3.2 R3.
      this.#startT3(now);
    }
    if (this.#countMissIndications(highestNewlyAcked)) this.#enterFastRecovery();
    // §6.3.2 R2.
    if (this.#cumulativeTsnAckPoint + 1 === this.#nextTsn) this.#t3ExpiresAt = Infinity;
  }

  /**
   * Marks a chunk as acknowledged; returns its bytes, 0 if it was before. Each chunk in flight at the Cumulative TSN
   * Ack Point gives a round trip, where §6.3.1 C4 asks for one measurement a round trip.
   */
  #acknowledge(now: number, tsn: number): number {
    const index = tsn % MAX_TSNS;
    const before = this.#state[index];
    if (before === ACKED) return 0;
    this.#state[index] = ACKED;
    if (before === IN_FLIGHT) {
      this.#flightsize -= this.#bytes[index];
      if (tsn === this.#cumulativeTsnAckPoint) this.#timeout.measure(now - this.#sentAt[index]);
    }
    return this.#bytes[index];
  }

  /**
   * A miss indication for each chunk before the highest newly acknowledged TSN (the HTNA algorithm, §7.2.4); true if a
   * chunk is abandoned. The RFC would send it again (fast retransmit). The model has no exception for fast recovery.
   */
  #countMissIndications(highestNewlyAcked: number): boolean {
    let isLost = false;
    for (let tsn = this.#cumulativeTsnAckPoint + 1; tsn < highestNewlyAcked; tsn++) {
      const index = tsn % MAX_TSNS;
      if (this.#state[index] > MISSED) continue;
      if (this.#state[index] === IN_FLIGHT) this.#flightsize -= this.#bytes[index];
      this.#state[index] = MISSED;
      if (++this.#missIndications[index] < MAX_MISS_INDICATIONS) continue;
      this.#abandon(tsn);
      isLost = true;
    }
    return isLost;
  }

  /** Abandons a chunk, and with it the rest of its message in the buffer (RFC 3758 §3.5 A3). */
  #abandon(tsn: number): void {
    this.#state[tsn % MAX_TSNS] = ABANDONED;
    if (this.#sentBytes === 0 || tsn < this.#firstTsn) return;
    this.#path.deliver(Infinity, this.#buffer[this.#head++]);
    this.#sentBytes = 0;
    this.#fragmentsArriveAt = 0;
  }

  get #isInFastRecovery(): boolean {
    return this.#cumulativeTsnAckPoint < this.#fastRecoveryExit;
  }

  /** §7.2.4: in fast recovery cwnd is not lowered again, and does not grow in slow start. */
  #enterFastRecovery(): void {
    if (this.#isInFastRecovery) return;
    this.#window.onLoss();
    this.#fastRecoveryExit = this.#nextTsn - 1;
  }

  /** T3-rtx expires (§6.3.3): the sender abandons everything outstanding, where the RFC would send it again. */
  #expireT3(now: number): void {
    for (let tsn = this.#cumulativeTsnAckPoint + 1; tsn < this.#nextTsn; tsn++) {
      if (this.#state[tsn % MAX_TSNS] !== ACKED) this.#abandon(tsn);
    }
    this.#flightsize = 0;
    this.#window.onTimeout();
    this.#timeout.backOff();
    this.#startT3(now);
  }

  #startT3(now: number): void {
    this.#t3ExpiresAt = now + this.#timeout.rto;
  }
}

/** A data channel sends an empty message as one byte (RFC 8831 §6.6). */
function channelBytes(message: { readonly length: number }): number {
  return Math.max(1, message.length);
}
