import { MAX_PACKET_BYTES } from '../core/base/constants.ts';
import { TokenBucket } from '../core/link/token-bucket.ts';
import type { LineId } from '../core/room/line.ts';
import { MAX_MESSAGE_LENGTH } from '../core/room/fields.ts';
import type { Refusal } from './guard/refusals.ts';
import { Refusals } from './guard/refusals.ts';
import type { LineConnection } from './line-connection.ts';
import type { LineState } from './station.ts';

/** The most received packets that wait until this page takes them; for a newer one, the oldest is dropped. */
const MOST_PACKETS = 1024;
/** Messages that wait at most; a line with more is closed. */
const MOST_MESSAGES = 64;
/**
 * Packets that are taken at once, and each second: a peer sends 60 a second, and what a network or a page that was
 * stopped has held back comes at once.
 */
const PACKETS_AT_ONCE = 2048;
const PACKETS_A_SECOND = 240;
/** The same for messages: a room has a few in a second. */
const MESSAGES_AT_ONCE = 128;
const MESSAGES_A_SECOND = 32;
/**
 * How much may be refused at once, and each second, before the line is closed. A refused piece counts 1 more than its
 * kilobytes, because each piece costs this page a little time.
 */
const REFUSED_AT_ONCE = 4096;
const REFUSED_A_SECOND = 256;
/** Bytes of messages that wait for a page that does not take them in. */
const MOST_UNREAD = 1024 * 1024;
/** Milliseconds for which a line that this end closes stays open for its last message. */
const LAST_MESSAGE_MS = 300;
/** [F3.8] Milliseconds between two empty packets after a message, and for how long they follow it. */
const FOLLOW_EVERY_MS = 50;
const FOLLOW_FOR_MS = 3000;
/** [F3.8] A packet that is not read. */
const EMPTY = new Uint8Array(0);

/**
 * A line to another page: messages on a reliable channel, and packets on a channel that neither orders them nor
 * sends a lost packet again. It bounds what the other end may send.
 */
export class Line<C extends LineConnection = LineConnection> {
  readonly id: LineId;
  /** The id at the broker of the page at the other end, as the broker vouches for it. */
  readonly page: string;
  /** The connection under the line, for its statistics. */
  readonly connection: C;
  readonly #messages: string[] = [];
  readonly #arrived: Uint8Array[] = [];
  readonly #refusals: Refusals;
  readonly #packetLimit = new TokenBucket(PACKETS_AT_ONCE, PACKETS_A_SECOND);
  readonly #messageLimit = new TokenBucket(MESSAGES_AT_ONCE, MESSAGES_A_SECOND);
  readonly #patience = new TokenBucket(REFUSED_AT_ONCE, REFUSED_A_SECOND);
  #isClosed = false;
  /** [F3.8] Empty packets that still follow the last message. */
  #following = 0;
  #follower: ReturnType<typeof setInterval> | undefined;
  /** When the last packet was sent. */
  #sentAt = -Infinity;

  /** The line owns the connection, and closes it. */
  constructor(id: LineId, connection: C, refusals = new Refusals()) {
    this.id = id;
    this.connection = connection;
    this.#refusals = refusals;
    this.page = connection.page;
    connection.listen({
      message: (data) => this.#onMessage(data),
      packet: (data) => this.#onPacket(data),
      extraChannel: () => this.#endFor('extra channel'),
      ended: () => this.#ended(),
    });
  }

  /** `open` when both channels are open. */
  get state(): LineState {
    if (this.#isClosed) return 'closed';
    return this.connection.isOpen ? 'open' : 'connecting';
  }

  /** [P2.2] The channel binding, with the caller's part first; null while a part is not known. No other line has the same. */
  binding(isCaller: boolean): string | null {
    const { ownBinding: own, otherBinding: other } = this.connection;
    if (own === null || other === null) return null;
    return isCaller ? `${own} ${other}` : `${other} ${own}`;
  }

  /** True once the page at the other end has answered the call. */
  get hasAnswer(): boolean {
    return this.connection.hasAnswer;
  }

  /** True if the other page has answered on the network, though the line may not be open yet. */
  get isAnswered(): boolean {
    return this.connection.isAnswered;
  }

  /** True if nothing waits in the packets' channel [F2]. */
  get isReady(): boolean {
    return this.state === 'open' && this.connection.unsentPackets === 0;
  }

  /** Sends a packet; the bytes are copied. @returns false if the line is not open, and nothing was sent. */
  sendPacket(bytes: Uint8Array): boolean {
    if (this.state !== 'open' || !this.connection.sendPacket(bytes)) return false;
    this.#sentAt = performance.now();
    return true;
  }

  /** Sends a message; it is dropped if the line is not open. The line ends if the other page takes nothing in. */
  sendMessage(text: string): void {
    if (this.state !== 'open') return;
    if (this.connection.unsentMessages > MOST_UNREAD) {
      this.#endFor('does not read');
      return;
    }
    this.connection.sendMessage(text);
    this.#following = FOLLOW_FOR_MS / FOLLOW_EVERY_MS;
    this.#follower ??= setInterval(() => this.#follow(), FOLLOW_EVERY_MS);
  }

  /**
   * [F3.8] The browser sends a lost message again as soon as the other end reports what came after it; if nothing
   * comes after it, only when a timer runs out, each time a longer one.
   */
  #follow(): void {
    if (this.#isClosed || this.#following-- <= 0) {
      clearInterval(this.#follower);
      this.#follower = undefined;
      return;
    }
    const hasFollowed = performance.now() - this.#sentAt < FOLLOW_EVERY_MS;
    if (!hasFollowed && this.isReady) this.connection.sendPacket(EMPTY);
  }

  /** Hands out the packets that have come since the last call; the bytes are the receiver's. `deliver` may close the line. */
  receivePackets(deliver: (bytes: Uint8Array) => void): void {
    const count = this.#arrived.length;
    for (let i = 0; i < count && !this.#isClosed; i++) deliver(this.#arrived[i]);
    this.#arrived.splice(0, count);
  }

  /** Hands out the messages that have come since the last call, also those before the line's end. */
  receiveMessages(deliver: (text: string) => void): void {
    for (const text of this.#messages.splice(0)) deliver(text);
  }

  /** Closes the line: this end at once, the other end when the last messages are through. */
  close(): void {
    if (this.#isClosed) return;
    if (this.state === 'connecting') {
      this.#ended();
      return;
    }
    this.#isClosed = true;
    this.#arrived.length = 0;
    setTimeout(() => this.connection.close(), LAST_MESSAGE_MS);
  }

  #ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#arrived.length = 0;
    this.connection.close();
  }

  #endFor(reason: Refusal): void {
    this.#refusals.count(reason);
    this.#ended();
  }

  #onPacket(data: string | Uint8Array): void {
    // [F3.8] An empty packet only follows a message.
    if (this.#isClosed || (typeof data !== 'string' && data.length === 0)) return;
    if (typeof data === 'string' || data.length > MAX_PACKET_BYTES) {
      this.#refuse('packet too long', data);
    } else if (!this.#packetLimit.take(performance.now())) this.#refuse('too many packets', data);
    else {
      if (this.#arrived.length >= MOST_PACKETS) this.#arrived.shift();
      this.#arrived.push(data);
    }
  }

  #onMessage(data: string | Uint8Array): void {
    if (this.#isClosed) return;
    if (typeof data !== 'string') this.#refuse('not a text', data);
    else if (data.length > MAX_MESSAGE_LENGTH) this.#endFor('message too long');
    else if (this.#messages.length >= MOST_MESSAGES || !this.#messageLimit.take(performance.now())) {
      this.#endFor('too many messages');
    } else this.#messages.push(data);
  }

  /** Counts what came as refused; ends the line if that is too much. */
  #refuse(reason: Refusal, { length }: string | Uint8Array): void {
    this.#refusals.count(reason);
    if (!this.#patience.take(performance.now(), 1 + length / 1024)) this.#endFor('flood');
  }
}
