import type { RoomCode } from '../../core/room/code.ts';
import { voiceAddress } from '../socket/line-address.ts';
import type { VoiceNews, VoiceRequest } from '../socket/voice-messages.ts';
import { readVoiceNews, writeVoiceMessage } from '../socket/voice-messages.ts';
import type { Refusals } from '../guard/refusals.ts';
import type { Address } from './address.ts';
import type { CallEvents } from './calls.ts';

/** Milliseconds after which a lost connection to the voices is tried again, the first time, and at most. */
const AGAIN_MS = 3000;
const MOST_AGAIN_MS = 60_000;
/** Milliseconds that the browser has to find its paths: the voice server finds the page's by itself, later too. */
const PATHS_MS = 1000;

/** The voices that a page wants in a large room. */
export type WantedVoices = {
  readonly code: RoomCode;
  /** Null: this page does not speak. The caller keeps it and stops its tracks. */
  readonly stream: MediaStream | null;
};

/**
 * The voices of a large room, through the voice server of its site: one connection for this page's own voice, and one
 * for all others.
 */
export class ServerCalls {
  readonly #own: Address;
  readonly #rooms: URL;
  readonly #rtc: RTCConfiguration;
  readonly #refusals: Refusals;
  readonly #news: ((events: CallEvents) => void)[] = [];
  /** The page that is heard by the mid of its line. */
  #heard = new Map<string, string>();
  #socket: WebSocket | null = null;
  #code: RoomCode | null = null;
  #stream: MediaStream | null = null;
  #speaking: RTCPeerConnection | null = null;
  #listening: RTCPeerConnection | null = null;
  #againMs = AGAIN_MS;
  #againAt = 0;
  #last = Promise.resolve();

  /** @param rooms the address of the site's server rooms. @param refusals counts what makes no sense. */
  constructor(own: Address, rooms: URL, rtc: RTCConfiguration, refusals: Refusals) {
    this.#own = own;
    this.#rooms = rooms;
    this.#rtc = rtc;
    this.#refusals = refusals;
  }

  /**
   * Speaks and listens so from now on. Call it now and then: it also connects again.
   * @param wanted null: neither.
   */
  update(wanted: WantedVoices | null): void {
    if (wanted === null || wanted.code !== this.#code) this.#hangUp();
    this.#code = wanted?.code ?? null;
    const stream = wanted?.stream ?? null;
    const isOther = stream !== this.#stream;
    this.#stream = stream;
    if (wanted === null) return;
    if (this.#socket === null) this.#connect(wanted.code);
    else if (isOther && this.#socket.readyState === WebSocket.OPEN) this.#speak();
  }

  /** True while this page's voice reaches the voice server. */
  get isSpeaking(): boolean {
    return this.#speaking?.connectionState === 'connected';
  }

  /** Reports what has happened since the last `poll`. */
  poll(events: CallEvents): void {
    for (const report of this.#news.splice(0)) report(events);
  }

  /** The WebRTC connections under the voices, for their statistics. */
  *connections(): Iterable<RTCPeerConnection> {
    if (this.#speaking !== null) yield this.#speaking;
    if (this.#listening !== null) yield this.#listening;
  }

  /** Ends everything. */
  close(): void {
    this.update(null);
  }

  #connect(code: RoomCode): void {
    if (performance.now() < this.#againAt || this.#own.state !== 'open') return;
    const socket = new WebSocket(voiceAddress(this.#rooms, code, this.#own));
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#stream !== null) this.#speak();
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#socket === socket) this.#take(typeof data === 'string' ? data : '');
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#hangUp();
      this.#againAt = performance.now() + this.#againMs;
      this.#againMs = Math.min(MOST_AGAIN_MS, 2 * this.#againMs);
    };
  }

  #hangUp(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#speaking?.close();
    this.#speaking = null;
    this.#listening?.close();
    this.#listening = null;
    for (const page of this.#heard.values()) this.#news.push((events) => events.ended(page));
    this.#heard.clear();
  }

  #send(request: VoiceRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(writeVoiceMessage(request));
  }

  #take(text: string): void {
    const news = readVoiceNews(text);
    if (news === null) {
      this.#refusals.count('failed');
      return;
    }
    this.#againMs = AGAIN_MS;
    if (news.kind === 'voices') this.#then(() => this.#listen(news));
    else {
      const connection = this.#speaking;
      this.#then(() => connection?.setRemoteDescription({ type: 'answer', sdp: news.sdp }));
    }
  }

  /** One after another: a description must not overtake another. A description that fails ends the connection. */
  #then(act: () => Promise<void> | undefined): void {
    const socket = this.#socket;
    this.#last = this.#last.then(async () => {
      if (this.#socket !== socket) return;
      try {
        await act();
      } catch {
        this.#refusals.count('failed');
        if (this.#socket === socket) socket?.close();
      }
    });
  }

  /** Begins to speak, or ceases. */
  #speak(): void {
    this.#speaking?.close();
    this.#speaking = null;
    const track = this.#stream?.getAudioTracks().at(0);
    if (track === undefined) {
      this.#send({ kind: 'hush' });
      return;
    }
    const connection = new RTCPeerConnection(this.#rtc);
    this.#speaking = connection;
    connection.addTransceiver(track, { direction: 'sendonly' });
    this.#endIfBroken(connection);
    this.#then(async () => {
      await connection.setLocalDescription();
      await hasPaths(connection);
      const sdp = connection.localDescription?.sdp;
      if (sdp !== undefined && this.#speaking === connection) this.#send({ kind: 'speak', sdp });
    });
  }

  async #listen({ sdp, pages }: Extract<VoiceNews, { readonly kind: 'voices' }>): Promise<void> {
    const connection = (this.#listening ??= this.#newListening());
    await connection.setRemoteDescription({ type: 'offer', sdp });
    await connection.setLocalDescription();
    await hasPaths(connection);
    const answer = connection.localDescription?.sdp;
    if (answer !== undefined) this.#send({ kind: 'listen', sdp: answer });
    this.#hear(connection, new Map(Object.entries(pages)));
  }

  #newListening(): RTCPeerConnection {
    const connection = new RTCPeerConnection(this.#rtc);
    this.#endIfBroken(connection);
    return connection;
  }

  /** Reports whose voices have come and gone. */
  #hear(connection: RTCPeerConnection, heard: Map<string, string>): void {
    for (const [mid, page] of this.#heard)
      if (heard.get(mid) !== page) this.#news.push((events) => events.ended(page));
    for (const { mid, receiver } of connection.getTransceivers()) {
      const page = mid === null ? undefined : heard.get(mid);
      if (mid === null || page === undefined || this.#heard.get(mid) === page) continue;
      this.#news.push((events) => events.started(page, new MediaStream([receiver.track])));
    }
    this.#heard = heard;
  }

  /** The voices begin anew when a connection to the voice server has broken. */
  #endIfBroken(connection: RTCPeerConnection): void {
    connection.onconnectionstatechange = () => {
      const isOwn = connection === this.#speaking || connection === this.#listening;
      if (connection.connectionState === 'failed' && isOwn) this.#socket?.close();
    };
  }
}

/** Waits until the browser knows its own paths, or has had its time. */
function hasPaths(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (connection.iceGatheringState === 'complete') resolve();
    };
    connection.addEventListener('icegatheringstatechange', look);
    setTimeout(resolve, PATHS_MS);
    look();
  });
}
