import type { VoiceNews, VoiceRequest } from '../socket/voice-messages.ts';
import { readVoiceNews, writeVoiceMessage } from '../socket/voice-messages.ts';
import type { CallEvents } from './calls.ts';
import type { Address } from './address.ts';
import type { Refusals } from '../guard/refusals.ts';
import type { Unfreed } from './unfreed.ts';

/** The page's own id at the broker, and the services that help it to connect. */
export type VoiceMeans = {
  readonly own: Pick<Address, 'id' | 'token' | 'state'>;
  readonly rtc: RTCConfiguration;
  /** Counts what makes no sense. */
  readonly refusals: Refusals;
  /** Counts the connections. */
  readonly unfreed: Unfreed;
};

/** The part of a WebSocket that a line needs. */
export type VoiceSocket = Pick<
  WebSocket,
  'readyState' | 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose'
>;

/**
 * One connection of a page to the voices of a room: a WebSocket to the site, one WebRTC connection for the page's own
 * voice, and one for all others. When one of them breaks, the line is over, and another one begins anew.
 */
export class VoiceLine {
  readonly #socket: VoiceSocket;
  readonly #means: VoiceMeans;
  readonly #report: (report: (events: CallEvents) => void) => void;
  /** The page that is heard by the mid of its line. */
  #heard: ReadonlyMap<string, string> = new Map();
  #stream: MediaStream | null = null;
  #speaking: RTCPeerConnection | null = null;
  #listening: RTCPeerConnection | null = null;
  /** How many offers of this page's voice were sent, and how many were answered: only the last answer counts. */
  #asked = 0;
  #answered = 0;
  /** Offers of the others' voices are answered one after another. */
  #last = Promise.resolve();
  #isOver = false;

  /** @param socket becomes the line's own. @param report gets what happens to the voices of others. */
  constructor(
    socket: VoiceSocket,
    means: VoiceMeans,
    report: (report: (events: CallEvents) => void) => void,
  ) {
    this.#socket = socket;
    this.#means = means;
    this.#report = report;
    socket.onopen = () => {
      if (this.#stream !== null) this.#begin(this.#stream);
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#take(typeof data === 'string' ? data : '');
    socket.onclose = () => this.close();
  }

  /** True once it has broken, or was closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True while this page's voice reaches the voice server. */
  get isSpeaking(): boolean {
    return this.#speaking?.connectionState === 'connected';
  }

  /** True while voices go in either direction. */
  get isConnected(): boolean {
    return this.isSpeaking || this.#listening?.connectionState === 'connected';
  }

  /** The WebRTC connections, for their statistics. */
  *connections(): Iterable<RTCPeerConnection> {
    if (this.#speaking !== null) yield this.#speaking;
    if (this.#listening !== null) yield this.#listening;
  }

  /** Sends this stream from now on; null: none. Does nothing if that is so already. */
  speak(stream: MediaStream | null): void {
    if (stream === this.#stream || this.#isOver) return;
    this.#stream = stream;
    this.#speaking?.close();
    this.#speaking = null;
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (stream === null) this.#send({ kind: 'hush' });
    else this.#begin(stream);
  }

  /** Ends the line. May be called twice. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.close();
    for (const connection of this.connections()) connection.close();
    this.#speaking = null;
    this.#listening = null;
    for (const page of this.#heard.values()) this.#report((events) => events.ended(page));
    this.#heard = new Map();
  }

  #send(request: VoiceRequest): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(writeVoiceMessage(request));
  }

  #take(text: string): void {
    if (this.#isOver) return;
    const news = readVoiceNews(text);
    if (news === null) {
      this.#means.refusals.count('failed');
      return;
    }
    if (news.kind === 'voices') {
      this.#last = this.#last.then(() => this.#attempt(() => this.#listen(news)));
      return;
    }
    const speaking = this.#speaking;
    if (++this.#answered < this.#asked || speaking === null) return;
    void this.#attempt(() => speaking.setRemoteDescription({ type: 'answer', sdp: news.sdp }), speaking);
  }

  /** Does something with a connection. If it fails, the line is over, unless the connection is given up already. */
  async #attempt(act: () => Promise<void>, connection: RTCPeerConnection | null = null): Promise<void> {
    try {
      if (!this.#isOver) await act();
    } catch {
      if (this.#isOver || (connection !== null && connection !== this.#speaking)) return;
      this.#means.refusals.count('failed');
      this.close();
    }
  }

  /** @returns null if the browser makes no more connections; then the line is over. */
  #newConnection(): RTCPeerConnection | null {
    try {
      const connection = new RTCPeerConnection(this.#means.rtc);
      this.#means.unfreed.watch(connection);
      connection.onconnectionstatechange = () => {
        const isOwn = connection === this.#speaking || connection === this.#listening;
        if (connection.connectionState === 'failed' && isOwn) this.close();
      };
      return connection;
    } catch {
      this.#means.refusals.count('failed');
      this.close();
      return null;
    }
  }

  /** Begins to speak. */
  #begin(stream: MediaStream): void {
    const connection = this.#newConnection();
    if (connection === null) return;
    this.#speaking = connection;
    for (const track of stream.getAudioTracks().slice(0, 1))
      connection.addTransceiver(track, { direction: 'sendonly' });
    const offer = async (): Promise<void> => {
      const sdp = await describe(connection);
      if (this.#speaking !== connection) return;
      this.#asked++;
      this.#send({ kind: 'speak', sdp });
    };
    void this.#attempt(offer, connection);
  }

  async #listen({ sdp, pages }: Extract<VoiceNews, { readonly kind: 'voices' }>): Promise<void> {
    const connection = (this.#listening ??= this.#newConnection());
    if (connection === null) return;
    await connection.setRemoteDescription({ type: 'offer', sdp });
    const answer = await describe(connection);
    if (this.#isOver) return;
    this.#send({ kind: 'listen', sdp: answer });
    this.#hear(connection, new Map(Object.entries(pages)));
  }

  /** Reports whose voices have come and gone. */
  #hear(connection: RTCPeerConnection, heard: ReadonlyMap<string, string>): void {
    for (const [mid, page] of this.#heard)
      if (heard.get(mid) !== page) this.#report((events) => events.ended(page));
    for (const { mid, receiver } of connection.getTransceivers()) {
      const page = mid === null ? undefined : heard.get(mid);
      if (mid === null || page === undefined || this.#heard.get(mid) === page) continue;
      this.#report((events) => events.started(page, new MediaStream([receiver.track])));
    }
    this.#heard = heard;
  }
}

/** Describes this end, without candidates: it sends the first packet to the voice server, which answers that. */
async function describe(connection: RTCPeerConnection): Promise<string> {
  await connection.setLocalDescription();
  return connection.localDescription?.sdp ?? '';
}
