import type { DataConnection } from 'peerjs';
import { fingerprintsIn } from '../fingerprints.ts';
import type { ConnectionEvents, LineConnection } from '../line-connection.ts';
import { PACKETS_CHANNEL } from '../line-connection.ts';

/** A line's connection in a page. PeerJS's own channel carries messages; a second one beside it carries packets. */
export class PeerJsConnection implements LineConnection {
  readonly page: string;
  /** The WebRTC connection, for its statistics. */
  readonly peerConnection: RTCPeerConnection;
  readonly #connection: DataConnection;
  readonly #packets: RTCDataChannel;
  /** True if PeerJS's own channel is there; the end that dials makes it. */
  #hasChannel: boolean;
  #hasPackets = false;

  /** The connection belongs to this from now on. */
  constructor(connection: DataConnection) {
    this.#connection = connection;
    this.#hasChannel = Boolean(connection.dataChannel);
    this.page = connection.peer;
    this.peerConnection = connection.peerConnection;
    // PeerJS's "unreliable" is only unordered, so the packets' channel is not PeerJS's.
    this.#packets = this.peerConnection.createDataChannel('packets', {
      negotiated: true,
      id: PACKETS_CHANNEL,
      ordered: false,
      maxRetransmits: 0,
    });
    this.#packets.binaryType = 'arraybuffer';
    this.#packets.onopen = () => (this.#hasPackets = true);
  }

  listen(events: ConnectionEvents): void {
    this.#packets.onmessage = ({ data }) => events.packet(plain(data));
    this.#packets.onclose = () => events.ended();
    this.peerConnection.addEventListener('datachannel', () => {
      if (this.#hasChannel) events.extraChannel();
      this.#hasChannel = true;
    });
    this.#connection.on('data', (data) => events.message(plain(data)));
    this.#connection.on('close', () => events.ended());
    this.#connection.on('error', () => events.ended());
  }

  get isOpen(): boolean {
    return this.#hasPackets && this.#connection.open;
  }

  get hasAnswer(): boolean {
    return this.peerConnection.remoteDescription !== null;
  }

  get isAnswered(): boolean {
    return ['connected', 'completed'].includes(this.peerConnection.iceConnectionState);
  }

  get ownBinding(): string | null {
    return fingerprintsIn(this.peerConnection.localDescription?.sdp);
  }

  get otherBinding(): string | null {
    return fingerprintsIn(this.peerConnection.remoteDescription?.sdp);
  }

  get unsentMessages(): number {
    return this.#connection.dataChannel.bufferedAmount;
  }

  get unsentPackets(): number {
    return this.#packets.bufferedAmount;
  }

  sendMessage(text: string): void {
    void this.#connection.send(text);
  }

  sendPacket(bytes: Uint8Array): boolean {
    if (this.#packets.readyState !== 'open') return false;
    this.#packets.send(bytes as Uint8Array<ArrayBuffer>);
    return true;
  }

  close(): void {
    this.#connection.close();
  }
}

/** Texts and bytes as a line takes them; no bytes for anything else. */
function plain(data: unknown): string | Uint8Array {
  if (typeof data === 'string') return data;
  return data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array();
}
