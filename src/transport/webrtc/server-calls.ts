import type { RoomCode } from '../../core/room/code.ts';
import { Backoff } from '../backoff.ts';
import { voiceAddress } from '../socket/line-address.ts';
import type { CallEvents } from './calls.ts';
import type { VoiceMeans } from './voice-line.ts';
import { VoiceLine } from './voice-line.ts';

/** Milliseconds after which a lost connection to the voices is tried again, the first time, and at most. */
const AGAIN_MS = 3000;
const MOST_AGAIN_MS = 60_000;

/** The voices that a page wants in a large room. */
export type WantedVoices = {
  readonly code: RoomCode;
  /** Null: this page does not speak. The caller keeps it and stops its tracks. */
  readonly stream: MediaStream | null;
};

/** The voices of a large room, through the voice server of its site. It connects again by itself. */
export class ServerCalls {
  readonly #rooms: URL;
  readonly #means: VoiceMeans;
  readonly #news: ((events: CallEvents) => void)[] = [];
  #line: VoiceLine | null = null;
  #code: RoomCode | null = null;
  readonly #backoff = new Backoff(AGAIN_MS, MOST_AGAIN_MS);
  #againAt = 0;

  /** @param rooms the address of the site's server rooms. */
  constructor(rooms: URL, means: VoiceMeans) {
    this.#rooms = rooms;
    this.#means = means;
  }

  /**
   * Speaks and listens so from now on. Call it now and then: it also connects again.
   * @param wanted null: neither.
   */
  update(wanted: WantedVoices | null): void {
    const code = wanted?.code ?? null;
    if (code !== this.#code) {
      this.#hangUp();
      this.#againAt = 0;
      this.#backoff.reset();
    }
    this.#code = code;
    if (wanted === null) return;
    if (this.#line?.isOver === true) this.#lost();
    this.#line ??= this.#connect(wanted.code);
    this.#line?.speak(wanted.stream);
    if (this.#line?.isConnected === true) this.#backoff.reset();
  }

  /** True while this page's voice reaches the voice server. */
  get isSpeaking(): boolean {
    return this.#line?.isSpeaking === true;
  }

  /** Reports what has happened since the last `poll`. */
  poll(events: CallEvents): void {
    for (const report of this.#news.splice(0)) report(events);
  }

  /** The WebRTC connections under the voices, for their statistics. */
  connections(): Iterable<RTCPeerConnection> {
    return this.#line?.connections() ?? [];
  }

  /** Ends everything. */
  close(): void {
    this.update(null);
  }

  #connect(code: RoomCode): VoiceLine | null {
    const { own } = this.#means;
    if (performance.now() < this.#againAt || own.state !== 'open') return null;
    const socket = new WebSocket(voiceAddress(this.#rooms, code, own));
    return new VoiceLine(socket, this.#means, (report) => this.#news.push(report));
  }

  #lost(): void {
    this.#hangUp();
    this.#againAt = performance.now() + this.#backoff.next();
  }

  #hangUp(): void {
    this.#line?.close();
    this.#line = null;
  }
}
