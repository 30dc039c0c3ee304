import { DueQueue } from './due-queue.ts';

/**
 * Why messages wait in a WebRTC data channel even with `maxRetransmits: 0`: SCTP sends nothing again, but its
 * congestion control governs all the same. Each message that is missing has to be noticed, given up, the
 * receiver told so and its acknowledgement awaited, one gap after another. If that takes longer than the
 * timeout, all that is under way is given up, and the window starts anew at one packet.
 *
 * The rules and constants are those of the stack in Chromium (dcSCTP; RFC 9260 and RFC 3758) for one channel;
 * the handshake, the receiver's window and the limit of bursts make no difference here and are left out.
 */

/** Bytes in a packet below DTLS. */
const PACKET_BYTES = 1191;
/** Bytes that SCTP adds to a message, or to each part of one. */
const PART_HEADER_BYTES = 16;
/** Bytes: the window at the start, and the least to which a loss halves it. */
const FIRST_WINDOW = 10 * PACKET_BYTES;
const LEAST_WINDOW = 4 * PACKET_BYTES;
/** A part is given up when so many acknowledgements have newly spoken of later ones. */
const MISSES_OF_A_LOSS = 3;
/** Runs of parts that an acknowledgement can speak of, past the first gap. */
const MAX_ACKED_RUNS = 20;
/** Milliseconds for which the receiver keeps back the acknowledgement of a single packet. */
const ACK_DELAY = 200;
/** Milliseconds: the timeout before a round trip is known, at least and at most; its least margin above one. */
const FIRST_TIMEOUT = 500;
const LEAST_TIMEOUT = 400;
const MOST_TIMEOUT = 60_000;
const LEAST_TIMEOUT_MARGIN = 220;
/** Milliseconds before the receiver is told again what was given up, at the most; else a round trip. */
const MOST_TELL_INTERVAL = 200;
/** Parts between the oldest that is not settled and the newest, at the most. */
const MAX_UNSETTLED = 1024;

/** What the sender knows of a part. */
const IN_FLIGHT = 0;
const MISSED = 1;
const GIVEN_UP = 2;
const ACKED = 3;

/** The network under the channel. */
export type Path<Message> = {
  /** Sends a packet; returns the time of its arrival, Infinity if it is lost. */
  carry(nowMs: number, bytes: number): number;
  /** The same for a packet that carries no message, in either direction. */
  carryControl(nowMs: number): number;
  /** A message has left the channel, and is whole at the other end at this time, or never (Infinity). */
  deliver(arrivesAtMs: number, message: Message): void;
};

/**
 * The sending end of a data channel, and what the receiving end says to it. Messages leave in parts (whole, as
 * a rule), which are numbered; several may share a packet. Times in milliseconds, never decreasing.
 */
export class CongestedChannel<Message extends { readonly length: number }> {
  readonly #path: Path<Message>;

  /** The send buffer, from `#head` on. */
  readonly #buffer: Message[] = [];
  #head = 0;
  /** Of the message at the head: bytes that have left, the first part's number, when they arrive. */
  #sentBytes = 0;
  #firstPart = 0;
  #partsArriveAt = 0;

  /** All parts up to `#settled` are known to be dealt with; `#next` is the next to leave. */
  #settled = -1;
  #next = 0;
  readonly #state = new Uint8Array(MAX_UNSETTLED);
  readonly #misses = new Uint8Array(MAX_UNSETTLED);
  readonly #bytes = new Uint16Array(MAX_UNSETTLED);
  readonly #sentAt = new Float64Array(MAX_UNSETTLED);
  /** When the receiver has the part, or learns that it won't get it. */
  readonly #knownAt = new Float64Array(MAX_UNSETTLED);

  /** Packets under way, each as the newest part that the receiver hears of by it. */
  readonly #arrivals = new DueQueue<number>();
  /** The receiver knows of all parts up to `#receivedAll`, and of the newest. */
  #receivedAll = -1;
  #receivedNewest = -1;
  #delayedAckAt = Infinity;
  /** Acknowledgements under way, each as the time at which it was written: it speaks of all known by then. */
  readonly #acks = new DueQueue<number>();
  #stalledUntil = -Infinity;

  /** Bytes: what may be under way, what is, and below what window growth is fast. */
  #window = FIRST_WINDOW;
  #flight = 0;
  #threshold = Infinity;
  #ackedBytes = 0;
  /** After a loss the window neither halves again nor grows fast until this part is settled. */
  #recoverUntil = -1;

  #timeoutAt = Infinity;
  #timeoutFactor = 1;
  #roundTrip = 0;
  #deviation = 0;
  #tellAgainAt = -Infinity;

  constructor(path: Path<Message>) {
    this.#path = path;
  }

  /** Messages that have not wholly left; a page sees them as `bufferedAmount`. */
  get waiting(): number {
    return this.#buffer.length - this.#head;
  }

  /** Sends a message as soon as the window lets it. The buffer has no bound: ask `waiting` first. */
  send(nowMs: number, message: Message): void {
    this.advance(nowMs);
    this.#buffer.push(message);
    this.#flush(nowMs);
  }

  /** No acknowledgement comes in before this time. */
  stall(untilMs: number): void {
    this.#stalledUntil = Math.max(this.#stalledUntil, untilMs);
  }

  /** Lets happen all that happens up to this time. */
  advance(nowMs: number): void {
    for (;;) {
      const arrivesAt = this.#arrivals.nextDue;
      const ackAt = Math.max(this.#acks.nextDue, this.#stalledUntil);
      const at = Math.min(arrivesAt, this.#delayedAckAt, ackAt, this.#timeoutAt);
      if (at > nowMs || at === Infinity) return;
      if (at === arrivesAt) this.#arrive(at, this.#arrivals.pop());
      else if (at === this.#delayedAckAt) this.#writeAck(at);
      else {
        if (at === ackAt) this.#acknowledge(at, this.#acks.pop());
        else this.#timeOut(at);
        this.#flush(at);
      }
    }
  }

  /** Sends what the window lets; before it, word of what was given up. */
  #flush(now: number): void {
    this.#tellGivenUp(now);
    while (this.#sendPacket(now));
    if (this.#head < this.#buffer.length && this.#head < MAX_UNSETTLED) return;
    this.#buffer.copyWithin(0, this.#head);
    this.#buffer.length -= this.#head;
    this.#head = 0;
  }

  /** Sends a packet filled with messages, or parts of them; false if nothing may leave. */
  #sendPacket(now: number): boolean {
    const firstMessage = this.#head;
    const first = this.#next;
    let total = 0;
    for (let part = this.#nextPart(0); part > 0; part = this.#nextPart(total)) {
      this.#addPart(now, part);
      total += part + PART_HEADER_BYTES;
    }
    if (total === 0) return false;
    const arrivesAt = this.#path.carry(now, total);
    for (let part = first; part < this.#next; part++) this.#knownAt[part % MAX_UNSETTLED] = arrivesAt;
    if (arrivesAt < Infinity) this.#arrivals.push(arrivesAt, this.#next - 1);
    for (let i = firstMessage; i < this.#head; i++) {
      this.#path.deliver(Math.max(arrivesAt, this.#partsArriveAt), this.#buffer[i]);
      this.#partsArriveAt = 0;
    }
    if (this.#sentBytes > 0) this.#partsArriveAt = Math.max(arrivesAt, this.#partsArriveAt);
    if (this.#timeoutAt === Infinity) this.#startTimeout(now);
    return true;
  }

  /** Bytes of the message at the head that may join a packet of `total` bytes; 0 for none. */
  #nextPart(total: number): number {
    if (this.#head === this.#buffer.length || this.#next - this.#settled > MAX_UNSETTLED) return 0;
    const room = this.#window - this.#flight;
    const left = channelBytes(this.#buffer[this.#head]) - this.#sentBytes;
    return Math.max(0, Math.min(left, room - PART_HEADER_BYTES, PACKET_BYTES - total - PART_HEADER_BYTES));
  }

  #addPart(now: number, bytes: number): void {
    if (this.#sentBytes === 0) this.#firstPart = this.#next;
    const index = this.#next++ % MAX_UNSETTLED;
    this.#state[index] = IN_FLIGHT;
    this.#misses[index] = 0;
    this.#bytes[index] = bytes + PART_HEADER_BYTES;
    this.#sentAt[index] = now;
    this.#flight += this.#bytes[index];
    this.#sentBytes += bytes;
    if (this.#sentBytes < channelBytes(this.#buffer[this.#head])) return;
    this.#sentBytes = 0;
    this.#head++;
  }

  /** The receiver acknowledges at once while there is a gap; else every second packet, or after a while. */
  #arrive(now: number, newest: number): void {
    this.#receivedNewest = Math.max(this.#receivedNewest, newest);
    while (this.#receivedAll < this.#receivedNewest && this.#isKnown(this.#receivedAll + 1, now)) {
      this.#receivedAll++;
    }
    const hasGap = this.#receivedAll < this.#receivedNewest;
    if (hasGap || this.#delayedAckAt < Infinity) this.#writeAck(now);
    else this.#delayedAckAt = now + ACK_DELAY;
  }

  #writeAck(now: number): void {
    this.#delayedAckAt = Infinity;
    const ackAt = this.#path.carryControl(now);
    if (ackAt < Infinity) this.#acks.push(ackAt, now);
  }

  /** Tells the receiver not to wait for the parts at the first gap; again after a round trip. */
  #tellGivenUp(now: number): void {
    const first = this.#settled + 1;
    let end = first;
    while (end < this.#next && this.#state[end % MAX_UNSETTLED] === GIVEN_UP) end++;
    if (end === first || now < this.#tellAgainAt) return;
    this.#tellAgainAt = now + Math.min(MOST_TELL_INTERVAL, this.#roundTrip);
    const arrivesAt = this.#path.carryControl(now);
    if (arrivesAt === Infinity) return;
    for (let part = first; part < end; part++) {
      const index = part % MAX_UNSETTLED;
      this.#knownAt[index] = Math.min(this.#knownAt[index], arrivesAt);
    }
    this.#arrivals.push(arrivesAt, end - 1);
  }

  #isKnown(part: number, at: number): boolean {
    return this.#knownAt[part % MAX_UNSETTLED] <= at;
  }

  /** Takes in an acknowledgement: what the receiver knew when it was written. */
  #acknowledge(now: number, written: number): void {
    const flightBefore = this.#flight;
    const settledBefore = this.#settled;
    let acked = 0;
    while (this.#settled + 1 < this.#next && this.#isKnown(this.#settled + 1, written)) {
      acked += this.#ack(now, ++this.#settled);
    }
    let newest = -1;
    let runs = 0;
    for (let part = this.#settled + 1; part < this.#next; part++) {
      if (!this.#isKnown(part, written)) continue;
      if (!this.#isKnown(part - 1, written) && ++runs > MAX_ACKED_RUNS) break;
      const bytes = this.#ack(now, part);
      if (bytes > 0) newest = part;
      acked += bytes;
    }
    if (this.#settled > settledBefore) {
      this.#widen(flightBefore, acked);
      this.#timeoutFactor = 1;
      this.#startTimeout(now);
    }
    if (this.#countMisses(newest)) this.#halve();
    if (this.#settled + 1 === this.#next) this.#timeoutAt = Infinity;
  }

  /** Returns the bytes that are newly acknowledged: 0 if the part was before. */
  #ack(now: number, part: number): number {
    const index = part % MAX_UNSETTLED;
    const before = this.#state[index];
    if (before === ACKED) return 0;
    this.#state[index] = ACKED;
    if (before === IN_FLIGHT) {
      this.#flight -= this.#bytes[index];
      if (part === this.#settled) this.#measure(now - this.#sentAt[index]);
    }
    return this.#bytes[index];
  }

  /** All parts before the newest acknowledged one were missed once more; true if one is given up. */
  #countMisses(newest: number): boolean {
    let isLost = false;
    for (let part = this.#settled + 1; part < newest; part++) {
      const index = part % MAX_UNSETTLED;
      if (this.#state[index] > MISSED) continue;
      if (this.#state[index] === IN_FLIGHT) this.#flight -= this.#bytes[index];
      this.#state[index] = MISSED;
      if (++this.#misses[index] < MISSES_OF_A_LOSS) continue;
      this.#giveUp(part);
      isLost = true;
    }
    return isLost;
  }

  /** Gives a part up, and with it what is left of its message in the buffer. */
  #giveUp(part: number): void {
    this.#state[part % MAX_UNSETTLED] = GIVEN_UP;
    if (this.#sentBytes === 0 || part < this.#firstPart) return;
    this.#path.deliver(Infinity, this.#buffer[this.#head++]);
    this.#sentBytes = 0;
    this.#partsArriveAt = 0;
  }

  get #isRecovering(): boolean {
    return this.#settled < this.#recoverUntil;
  }

  #halve(): void {
    if (this.#isRecovering) return;
    this.#threshold = Math.max(this.#window / 2, LEAST_WINDOW);
    this.#window = this.#threshold;
    this.#ackedBytes = 0;
    this.#recoverUntil = this.#next - 1;
  }

  /** A window that was in use grows: fast up to the threshold, then by a packet for each window acknowledged. */
  #widen(flightBefore: number, acked: number): void {
    const wasInUse = flightBefore + PACKET_BYTES >= this.#window;
    if (this.#window <= this.#threshold) {
      if (wasInUse && !this.#isRecovering) this.#window += Math.min(acked, PACKET_BYTES);
      return;
    }
    this.#ackedBytes += acked;
    if (!wasInUse || this.#ackedBytes < this.#window) return;
    this.#ackedBytes -= this.#window;
    this.#window += PACKET_BYTES;
  }

  /** Gives up all that is under way, and starts anew with a window of one packet. */
  #timeOut(now: number): void {
    for (let part = this.#settled + 1; part < this.#next; part++) {
      if (this.#state[part % MAX_UNSETTLED] !== ACKED) this.#giveUp(part);
    }
    this.#flight = 0;
    this.#threshold = Math.max(this.#window / 2, LEAST_WINDOW);
    this.#window = PACKET_BYTES;
    this.#ackedBytes = 0;
    this.#timeoutFactor *= 2;
    this.#startTimeout(now);
  }

  #startTimeout(now: number): void {
    const margin = Math.max(LEAST_TIMEOUT_MARGIN, 4 * this.#deviation);
    const timeout = this.#roundTrip === 0 ? FIRST_TIMEOUT : Math.max(LEAST_TIMEOUT, this.#roundTrip + margin);
    this.#timeoutAt = now + Math.min(MOST_TIMEOUT, timeout * this.#timeoutFactor);
  }

  /** Round trips and their deviation, smoothed as in RFC 6298. */
  #measure(roundTrip: number): void {
    if (this.#roundTrip === 0) {
      this.#roundTrip = roundTrip;
      this.#deviation = roundTrip / 2;
      return;
    }
    const off = roundTrip - this.#roundTrip;
    this.#roundTrip += off / 8;
    this.#deviation += (Math.abs(off) - this.#deviation) / 4;
  }
}

/** A data channel sends an empty message as one byte. */
function channelBytes(message: { readonly length: number }): number {
  return Math.max(1, message.length);
}
