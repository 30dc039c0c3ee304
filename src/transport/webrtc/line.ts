import type { DataConnection } from 'peerjs';
import { MAX_MESSAGE_LENGTH } from '../../core/room/messages.ts';
import type { LineId } from '../../core/room/line.ts';

/** The number of the packets' channel, which both ends know beforehand; PeerJS's own channel has one of the first. */
const PACKETS_CHANNEL = 64;
/** Packets that wait at most for a page that does not ask; the oldest are dropped for newer ones. */
const MOST_PACKETS = 1024;
/** Messages that wait at most; a line with more is closed. */
const MOST_MESSAGES = 64;
/** Milliseconds for which a line that this end closes stays open for its last message. */
const LAST_MESSAGE_MS = 300;
/** [F3.6] Milliseconds between two empty packets after a message, and for how long they follow it. */
const FOLLOW_EVERY_MS = 50;
const FOLLOW_FOR_MS = 3000;
/** [F3.6] A packet that is not read. */
const EMPTY = new ArrayBuffer(0);

/** The state of a line; `closed` is final. */
export type LineState = 'connecting' | 'open' | 'closed';

/**
 * A line to another page: messages on a reliable channel, and packets on a channel that neither orders them nor
 * sends a lost packet again. PeerJS has no such channel ("unreliable" there is only unordered), so the line opens a
 * second channel beside PeerJS's own.
 */
export class Line {
  readonly id: LineId;
  /** The id at the broker of the page at the other end, as the broker vouches for it. */
  readonly page: string;
  /** The WebRTC connection under the line, for its statistics. */
  readonly peerConnection: RTCPeerConnection;
  readonly #connection: DataConnection;
  readonly #packets: RTCDataChannel;
  readonly #messages: string[] = [];
  readonly #arrived: Uint8Array[] = [];
  #isOpen = false;
  #isClosed = false;
  /** [F3.6] Empty packets that still follow the last message. */
  #following = 0;
  #follower: ReturnType<typeof setInterval> | undefined;
  /** When the last packet was sent. */
  #sentAt = -Infinity;

  /** The line owns the connection, and closes it. */
  constructor(id: LineId, connection: DataConnection) {
    this.id = id;
    this.#connection = connection;
    this.page = connection.peer;
    this.peerConnection = connection.peerConnection;
    this.#packets = this.peerConnection.createDataChannel('packets', {
      negotiated: true,
      id: PACKETS_CHANNEL,
      ordered: false,
      maxRetransmits: 0,
    });
    this.#packets.binaryType = 'arraybuffer';
    this.#packets.onmessage = ({ data }) => this.#onPacket(data);
    this.#packets.onopen = () => (this.#isOpen = true);
    this.#packets.onclose = () => this.#ended();
    connection.on('data', (data) => this.#onMessage(data));
    connection.on('close', () => this.#ended());
    connection.on('error', () => this.#ended());
  }

  /** `open` when both channels are open. */
  get state(): LineState {
    if (this.#isClosed) return 'closed';
    return this.#isOpen && this.#connection.open ? 'open' : 'connecting';
  }

  /** True once the page at the other end has answered the call. */
  get isAnswered(): boolean {
    return this.peerConnection.remoteDescription !== null;
  }

  /** True if nothing waits in the packets' channel [F2]. */
  get isReady(): boolean {
    return this.state === 'open' && this.#packets.bufferedAmount === 0;
  }

  /** Sends a packet; the bytes are copied. @returns false if the line is not open, and nothing was sent. */
  sendPacket(bytes: Uint8Array): boolean {
    if (this.state !== 'open' || this.#packets.readyState !== 'open') return false;
    this.#packets.send(bytes as Uint8Array<ArrayBuffer>);
    this.#sentAt = performance.now();
    return true;
  }

  /** Sends a message; it is dropped if the line is not open. */
  sendMessage(text: string): void {
    if (this.state !== 'open') return;
    void this.#connection.send(text);
    this.#following = FOLLOW_FOR_MS / FOLLOW_EVERY_MS;
    this.#follower ??= setInterval(() => this.#follow(), FOLLOW_EVERY_MS);
  }

  /**
   * [F3.6] The browser sends a lost message again as soon as the other end reports what came after it; if nothing
   * comes after it, only when a timer runs out, each time a longer one.
   */
  #follow(): void {
    if (this.#isClosed || this.#following-- <= 0) {
      clearInterval(this.#follower);
      this.#follower = undefined;
      return;
    }
    const hasFollowed = performance.now() - this.#sentAt < FOLLOW_EVERY_MS;
    if (!hasFollowed && this.isReady && this.#packets.readyState === 'open') this.#packets.send(EMPTY);
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
    this.#isClosed = true;
    this.#arrived.length = 0;
    setTimeout(() => this.#connection.close(), LAST_MESSAGE_MS);
  }

  #ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#arrived.length = 0;
    this.#connection.close();
  }

  #onPacket(data: unknown): void {
    if (this.#isClosed || !(data instanceof ArrayBuffer) || data.byteLength === 0) return;
    if (this.#arrived.length >= MOST_PACKETS) this.#arrived.shift();
    this.#arrived.push(new Uint8Array(data));
  }

  #onMessage(data: unknown): void {
    if (this.#isClosed || typeof data !== 'string') return;
    if (data.length > MAX_MESSAGE_LENGTH || this.#messages.length >= MOST_MESSAGES) this.#ended();
    else this.#messages.push(data);
  }
}
