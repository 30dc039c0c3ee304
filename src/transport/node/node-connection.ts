import type { DataChannel, RtcConfig } from 'node-datachannel';
import { PeerConnection } from 'node-datachannel';
import { fingerprintsIn } from '../fingerprints.ts';
import type { ConnectionEvents, LineConnection } from '../line-connection.ts';
import { PACKETS_CHANNEL } from '../line-connection.ts';
import type { Reach } from './candidates.ts';
import { addressesHere, Candidates } from './candidates.ts';

/** A description or a candidate for the other end, in the words of PeerJS's messages. */
export type OwnSignal =
  | { readonly kind: 'offer' | 'answer'; readonly sdp: string }
  | { readonly kind: 'candidate'; readonly candidate: string; readonly mid: string };

/**
 * A line's connection in Node.
 *
 * Between two processes of one machine a call fails now and then: libdatachannel looks at the other end's certificate
 * before it has stored the description with the fingerprint. Over a network the description is always first. A member
 * dials again [F3.7].
 */
export class NodeConnection implements LineConnection {
  readonly page: string;
  readonly #peer: PeerConnection;
  /** References to both channels are kept: a channel without one is collected, and closes. */
  #messages: DataChannel | null = null;
  #packets: DataChannel | null = null;
  /** Candidates that came before the description. A connection throws on them in another thread. */
  #waiting: (readonly [candidate: string, mid: string])[] | null = [];
  readonly #candidates: Candidates;
  #own: string | null = null;
  #other: string | null = null;
  #events: ConnectionEvents | null = null;
  #isClosed = false;
  readonly #onClose: () => void;

  /**
   * @param page the id at the broker of the other end.
   * @param reach of the other end's candidates.
   * @param signal takes what the other end must learn.
   * @param onClose called once, when it has ended.
   */
  constructor(
    page: string,
    { config, reach }: { readonly config: RtcConfig; readonly reach: Reach },
    signal: (own: OwnSignal) => void,
    onClose: () => void,
  ) {
    this.page = page;
    // Read anew for each connection: a machine's addresses change while a room lasts.
    this.#candidates = new Candidates(reach, addressesHere());
    this.#onClose = onClose;
    this.#peer = new PeerConnection(page, config);
    this.#peer.onLocalDescription((sdp, type) => {
      this.#own = sdp;
      if (type === 'offer' || type === 'answer') signal({ kind: type, sdp });
    });
    this.#peer.onLocalCandidate((candidate, mid) => {
      signal({ kind: 'candidate', candidate: candidate.replace(/^a=/, ''), mid });
    });
    this.#peer.onStateChange((state) => {
      if (state === 'failed' || state === 'closed') this.#end();
    });
    this.#peer.onDataChannel((channel) => this.#came(channel));
  }

  /** Calls the other end. @param label of the channel of messages. */
  call(label: string): void {
    this.#messages = this.#hear(this.#peer.createDataChannel(label), 'message');
  }

  /**
   * The description of the other end has come; an offer is answered.
   * @throws Error if the library refuses it.
   */
  describe(type: 'offer' | 'answer', sdp: string): void {
    // The fingerprints are read from the same text as the library has.
    const other = this.#candidates.inDescription(sdp);
    this.#peer.setRemoteDescription(other, type);
    this.#other = other;
    // A negotiated channel that is made before is never opened.
    const channel = this.#peer.createDataChannel('packets', {
      negotiated: true,
      id: PACKETS_CHANNEL,
      unordered: true,
      maxRetransmits: 0,
    });
    this.#packets = this.#hear(channel, 'packet');
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const [candidate, mid] of waiting) this.#try(candidate, mid);
  }

  /** A candidate of the other end has come. */
  addCandidate(candidate: string, mid: string): void {
    if (!this.#candidates.takes(candidate)) return;
    if (this.#waiting === null) this.#try(candidate, mid);
    else this.#waiting.push([candidate, mid]);
  }

  /** The library refuses what is no candidate, and every candidate once it has failed. */
  #try(candidate: string, mid: string): void {
    if (this.#isClosed) return;
    try {
      this.#peer.addRemoteCandidate(candidate, mid);
    } catch {
      // The connection goes on with the other candidates.
    }
  }

  listen(events: ConnectionEvents): void {
    this.#events = events;
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#messages?.isOpen() === true && this.#packets?.isOpen() === true;
  }

  get hasAnswer(): boolean {
    return this.#other !== null;
  }

  get isAnswered(): boolean {
    return !this.#isClosed && ['connected', 'completed'].includes(this.#peer.iceState());
  }

  get ownBinding(): string | null {
    return fingerprintsIn(this.#own);
  }

  get otherBinding(): string | null {
    return fingerprintsIn(this.#other);
  }

  get unsentMessages(): number {
    return this.#messages?.bufferedAmount() ?? 0;
  }

  get unsentPackets(): number {
    return this.#packets?.bufferedAmount() ?? 0;
  }

  sendMessage(text: string): void {
    this.#send(() => this.#messages?.sendMessage(text));
  }

  sendPacket(bytes: Uint8Array): boolean {
    return this.#send(() => this.#packets?.sendMessageBinary(bytes));
  }

  /** @returns false if the channel has closed: it throws then. */
  #send(send: () => boolean | undefined): boolean {
    if (!this.isOpen) return false;
    try {
      // The result says whether anything waits; the channel has the bytes either way.
      send();
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#peer.close();
    this.#onClose();
  }

  #end(): void {
    this.#events?.ended();
    this.close();
  }

  #came(channel: DataChannel): void {
    if (this.#messages === null) this.#messages = this.#hear(channel, 'message');
    else this.#events?.extraChannel();
  }

  #hear(channel: DataChannel, kind: 'message' | 'packet'): DataChannel {
    channel.onMessage((data) => {
      this.#events?.[kind](plain(data));
    });
    channel.onClosed(() => this.#end());
    channel.onError(() => this.#end());
    return channel;
  }
}

/** The same bytes without the methods of a Buffer, which makes views where a Uint8Array copies. */
function plain(data: string | Buffer | ArrayBuffer): string | Uint8Array {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
