import { TokenBucket } from '../../core/link/token-bucket.ts';
import { MAX_MESSAGE_LENGTH } from '../../core/room/fields.ts';
import type { ConnectionEvents, LineConnection } from '../line-connection.ts';

/** [N2.5] Packets that may be on their way at once: half a second of them. */
const MOST_UNDERWAY = 32;
/** [N2.5] After so many packets, an end that has none to send acknowledges them with a frame that is only a count. */
const ACK_AFTER = 16;
/**
 * Frames that are only a count: how many are accepted at once, and each second. An end sends one for every 16 packets,
 * and a line lets 240 packets a second through. After a pause of the network, many come at once.
 */
const COUNTS_AT_ONCE = 256;
const COUNTS_A_SECOND = 32;
/** Bytes of a frame, at most: a message whose characters take three bytes each. */
export const MAX_FRAME = 3 * MAX_MESSAGE_LENGTH;
/** [N2.4] A nonce has at least 96 bits in base64; our own are UUIDs. */
const NONCE = /^[\w-]{16,64}$/;
/** [N2.5] The count of packets takes one byte. */
const COUNT_MASK = 0xff;

/** The part of a WebSocket that a line needs: that of a page, or of the library `ws` in Node. */
export interface LineSocket {
  binaryType: string;
  readonly readyState: number;
  /** Bytes that wait in this process. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  /** Only the library has these: it reads no more; it ends at once. */
  pause?(): void;
  terminate?(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
}

/** Milliseconds that the last messages of a closed socket have to go out. */
const CLOSED_MS = 1000;
/** The state of an open WebSocket, as the standard numbers it. */
const OPEN = 1;

/** Bytes and frames on a socket since it began. */
export type SocketTraffic = {
  bytesSent: number;
  bytesReceived: number;
  packetsSent: number;
  packetsReceived: number;
};

/**
 * [N2.3] A line's connection over a WebSocket, for members that UDP does not reach. Texts are messages, but for the first
 * one, the other end's nonce; bytes are packets. TCP holds what it can't deliver, in buffers that nobody sees: so [N2.5]
 * the ends count what has arrived.
 */
export class SocketConnection implements LineConnection {
  readonly page: string;
  readonly ownBinding: string;
  /** Payload alone: no program sees the headers of TCP and TLS. */
  readonly traffic: SocketTraffic = { bytesSent: 0, bytesReceived: 0, packetsSent: 0, packetsReceived: 0 };
  readonly #socket: LineSocket;
  #otherNonce: string | null = null;
  #events: ConnectionEvents | null = null;
  #isClosed = false;
  /** Packets that are on their way, and the last count of the other end. */
  #underway = 0;
  #counted = 0;
  /** Packets that have come, modulo 256; and how many of them this end has not counted to the other. */
  #arrived = 0;
  #uncounted = 0;
  readonly #countLimit = new TokenBucket(COUNTS_AT_ONCE, COUNTS_A_SECOND);
  /** Holds one packet with its count. */
  #frame = new Uint8Array(1);

  /**
   * The socket belongs to this from now on. It may be connecting.
   * @param page the id at the broker of the other end.
   * @param nonce [N2.4] a random text of this end, for this connection alone.
   */
  constructor(page: string, socket: LineSocket, nonce: string) {
    this.page = page;
    this.ownBinding = nonce;
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => this.#take(data));
    socket.addEventListener('close', () => this.#ended());
    socket.addEventListener('error', () => this.#ended());
    if (socket.readyState === OPEN) this.#sendText(nonce);
    else socket.addEventListener('open', () => this.#sendText(nonce));
  }

  listen(events: ConnectionEvents): void {
    this.#events = events;
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#otherNonce !== null && this.#socket.readyState === OPEN;
  }

  get hasAnswer(): boolean {
    return this.#otherNonce !== null;
  }

  get isAnswered(): boolean {
    return this.isOpen;
  }

  get otherBinding(): string | null {
    return this.#otherNonce;
  }

  get unsentMessages(): number {
    return this.#socket.bufferedAmount;
  }

  /** [N2.5] Also not 0 while too many packets are unacknowledged: they wait somewhere on the way. */
  get unsentPackets(): number {
    return Math.max(this.#socket.bufferedAmount, this.#underway < MOST_UNDERWAY ? 0 : 1);
  }

  sendMessage(text: string): void {
    this.#sendText(text);
  }

  sendPacket(bytes: Uint8Array): boolean {
    if (!this.isOpen) return false;
    // [F3.8] An empty packet has a browser send a lost message again; TCP needs none.
    if (bytes.length === 0) return true;
    this.#underway++;
    this.#sendFrame(bytes);
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const wasOpen = this.#socket.readyState === OPEN;
    this.#socket.close();
    // The library goes on reading for 30 s, whatever comes; before it is open, there is nothing to read.
    if (wasOpen) this.#socket.pause?.();
    setTimeout(() => this.#socket.terminate?.(), CLOSED_MS);
  }

  #sendText(text: string): void {
    if (this.#socket.readyState !== OPEN) return;
    this.#socket.send(text);
    this.#count('Sent', text.length);
  }

  /** @param packet empty for a count by itself. */
  #sendFrame(packet: Uint8Array): void {
    const size = 1 + packet.length;
    if (this.#frame.length < size) this.#frame = new Uint8Array(size);
    this.#frame[0] = this.#arrived;
    this.#frame.set(packet, 1);
    this.#uncounted = 0;
    // A library may keep what it is given until the network takes it.
    this.#socket.send(this.#frame.slice(0, size));
    this.#count('Sent', size);
  }

  #take(data: unknown): void {
    if (this.#isClosed) return;
    if (typeof data === 'string') this.#takeText(data);
    else if (data instanceof ArrayBuffer) this.#takeFrame(new Uint8Array(data));
  }

  #takeText(text: string): void {
    this.#count('Received', text.length);
    if (this.#otherNonce !== null) this.#events?.message(text);
    else if (NONCE.test(text)) this.#otherNonce = text;
    else this.#ended();
  }

  #takeFrame(frame: Uint8Array): void {
    this.#count('Received', frame.length);
    if (frame.length === 0 || this.#otherNonce === null) {
      this.#ended();
      return;
    }
    const counted = (frame[0] - this.#counted) & COUNT_MASK;
    // Nobody has received more than was sent.
    if (counted <= this.#underway) {
      this.#underway -= counted;
      this.#counted = frame[0];
    }
    if (frame.length === 1) {
      if (!this.#countLimit.take(performance.now())) this.#ended();
      return;
    }
    this.#arrived = (this.#arrived + 1) & COUNT_MASK;
    if (++this.#uncounted >= ACK_AFTER && this.isOpen) this.#sendFrame(NOTHING);
    this.#events?.packet(frame.subarray(1));
  }

  #count(way: 'Sent' | 'Received', bytes: number): void {
    this.traffic[`bytes${way}`] += bytes;
    this.traffic[`packets${way}`]++;
  }

  #ended(): void {
    if (this.#isClosed) return;
    this.close();
    this.#socket.terminate?.();
    this.#events?.ended();
  }
}

const NOTHING = new Uint8Array(0);
