import type { DataConnection, MediaConnection } from 'peerjs';
import { Peer as PeerJs } from 'peerjs';
import type { RoomCode } from '../../core/room/code.ts';

/** Where pages find each other, and how they get through to each other. */
export type BrokerSettings = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly secure: boolean;
  readonly key?: string;
  /** STUN and TURN services, and whether only TURN is to be used. */
  readonly rtc: RTCConfiguration;
};

/**
 * `unreachable`: the broker did not answer at first, and is not asked again. `lost`: it did, but has gone; it is
 * asked again and again, and play does not need it.
 */
export type AddressState = 'opening' | 'open' | 'lost' | 'taken' | 'unreachable' | 'closed';

/** What comes in at an address. */
export type Visitors = {
  onLine(connection: DataConnection): void;
  onCall(call: MediaConnection): void;
};

/** Milliseconds before the broker is asked again: the first time, and at most. */
const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 10_000;
/** Milliseconds after which a broker that neither answers nor hangs up is taken to have agreed. */
const SILENT_OPEN_MS = 3000;
/** What the ids of all rooms begin with, so that they can't be mistaken for others' at a shared broker. */
const DOORBELL = 'handover-';

/** The id at the broker under which the present host of a room answers. */
export function doorbellId(code: RoomCode): string {
  return DOORBELL + code;
}

/** An id that nobody else has. */
export function randomId(): string {
  return crypto.randomUUID();
}

/** One id of this page at the broker, kept for as long as the page wants it. */
export class Address {
  readonly id: string;
  readonly #visitors: Visitors;
  readonly #peer: PeerJs;
  #state: AddressState = 'opening';
  #retryMs = FIRST_RETRY_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #missing = new Set<string>();

  constructor(id: string, settings: BrokerSettings, visitors: Visitors) {
    this.id = id;
    this.#visitors = visitors;
    const { rtc, ...broker } = settings;
    // 0: PeerJS writes nothing to the console.
    this.#peer = new PeerJs(id, { ...broker, config: rtc, debug: 0 });
    this.#peer.on('open', () => this.#opened());
    this.#peer.on('connection', (connection) => this.#visitors.onLine(connection));
    this.#peer.on('call', (call) => this.#visitors.onCall(call));
    this.#peer.on('disconnected', () => this.#lost());
    this.#peer.on('error', (error) => this.#failed(error.type, error.message));
  }

  get state(): AddressState {
    return this.#state;
  }

  /** True once if the broker has said since the last call that nobody has this id. */
  isMissing(id: string): boolean {
    return this.#missing.delete(id);
  }

  /** Begins to connect to an id; null if the broker can't be asked at present. */
  connect(id: string): DataConnection | null {
    // Before the broker has answered, PeerJS would drop what it is to send.
    if (this.#state !== 'open' || this.#peer.disconnected) return null;
    this.#missing.delete(id);
    return this.#peer.connect(id, { reliable: true, serialization: 'raw' }) ?? null;
  }

  /** Calls an id; null if the broker can't be asked at present. */
  call(id: string, stream: MediaStream): MediaConnection | null {
    if (this.#state !== 'open' || this.#peer.disconnected) return null;
    return this.#peer.call(id, stream) ?? null;
  }

  /** Gives the id up, and everything that came through it. */
  close(): void {
    this.#state = 'closed';
    clearTimeout(this.#retry);
    this.#peer.destroy();
  }

  #opened(): void {
    this.#state = 'open';
    this.#retryMs = FIRST_RETRY_MS;
  }

  #lost(): void {
    if (this.#state !== 'open' && this.#state !== 'lost') return;
    this.#state = 'lost';
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#reconnect(), this.#retryMs);
    this.#retryMs = Math.min(MOST_RETRY_MS, this.#retryMs * 2);
  }

  #reconnect(): void {
    if (!this.#peer.disconnected || this.#peer.destroyed) return;
    this.#peer.reconnect();
    // A broker that has not noticed the loss hands the id over without a word.
    this.#retry = setTimeout(() => {
      if (this.#state === 'lost' && !this.#peer.disconnected) this.#opened();
    }, SILENT_OPEN_MS);
  }

  #failed(type: string, message: string): void {
    if (type === 'peer-unavailable') {
      // PeerJS says whom only in its sentence.
      const id = message.split(' ').at(-1);
      if (id !== undefined) this.#missing.add(id);
    } else if (type === 'unavailable-id') {
      this.#state = 'taken';
    } else if (this.#state === 'opening' && type !== 'webrtc') {
      this.#state = 'unreachable';
      this.#peer.destroy();
    }
  }
}
