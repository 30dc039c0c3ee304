import type { DataConnection, MediaConnection } from 'peerjs';
import { Peer as PeerJs } from 'peerjs';
import type { RoomCode } from '../../core/room/code.ts';
import { DOOR_PREFIX } from '../../core/room/code.ts';

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
export type AddressHandlers = {
  onLine(connection: DataConnection): void;
  onCall(call: MediaConnection): void;
};

/** Milliseconds before the broker is asked again: the first time, and at most. */
const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 10_000;
/** Milliseconds that the broker has for its answer: at first, and when it is asked again. */
const FIRST_ANSWER_MS = 10_000;
const NEXT_ANSWER_MS = 5000;
/** Milliseconds after ringing in which word of somebody's absence is late word, of an earlier attempt. */
const NEWS_AFTER_MS = 1000;
/** The id at the broker under which the present host of a room answers. */
export function doorId(code: RoomCode): string {
  return DOOR_PREFIX + code;
}

/** An id that nobody else has. */
export function randomId(): string {
  return crypto.randomUUID();
}

/** One id of this page at the broker, kept for as long as the page wants it. */
export class Address {
  readonly id: string;
  readonly #visitors: AddressHandlers;
  readonly #peer: PeerJs;
  #state: AddressState = 'opening';
  #retryMs = FIRST_RETRY_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Ids that nobody has, as the broker said; and when each was last asked for. */
  readonly #missing = new Set<string>();
  readonly #askedAt = new Map<string, number>();

  /** @param token proves to the broker, later or from another page, that this is the one who has the id. */
  constructor(id: string, settings: BrokerSettings, visitors: AddressHandlers, token?: string) {
    this.id = id;
    this.#visitors = visitors;
    const { rtc, ...broker } = settings;
    // 0: PeerJS writes nothing to the console.
    this.#peer = new PeerJs(id, {
      ...broker,
      config: rtc,
      debug: 0,
      ...(token === undefined ? {} : { token }),
    });
    this.#peer.on('open', () => this.#opened());
    this.#peer.on('connection', (connection) => this.#visitors.onLine(connection));
    this.#peer.on('call', (call) => this.#visitors.onCall(call));
    this.#peer.on('disconnected', () => this.#lost());
    this.#peer.on('error', (error) => this.#failed(error.type, error.message));
    this.#retry = setTimeout(() => this.#giveUp('unreachable'), FIRST_ANSWER_MS);
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
    this.#askedAt.set(id, performance.now());
    return this.#peer.connect(id, { reliable: true, serialization: 'raw' }) ?? null;
  }

  /** Calls an id; null if the broker can't be asked at present. */
  call(id: string, stream: MediaStream): MediaConnection | null {
    if (this.#state !== 'open' || this.#peer.disconnected) return null;
    return this.#peer.call(id, stream) ?? null;
  }

  /** Gives the id up, and everything that came through it. */
  close(): void {
    this.#giveUp('closed');
  }

  /** Gives the id up; what came through it stays. */
  release(): void {
    if (this.#state !== 'opening' && this.#state !== 'open' && this.#state !== 'lost') return;
    this.#state = 'closed';
    clearTimeout(this.#retry);
    this.#peer.disconnect();
  }

  #giveUp(state: 'closed' | 'unreachable'): void {
    this.#state = state;
    clearTimeout(this.#retry);
    try {
      this.#peer.destroy();
    } catch {
      // PeerJS keeps whatever kind of connection a stranger has asked for, and may stumble over it here.
    }
  }

  #opened(): void {
    clearTimeout(this.#retry);
    if (this.#state === 'closed') return;
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
    // A broker may hang; or hand the id over without a word, if it has not noticed the loss: then it notices now.
    this.#retry = setTimeout(() => this.#peer.disconnect(), NEXT_ANSWER_MS);
  }

  #failed(type: string, message: string): void {
    if (type === 'peer-unavailable') {
      // PeerJS says whom only in its sentence.
      const id = message.split(' ').at(-1);
      if (id !== undefined && this.#isNews(id)) this.#missing.add(id);
    } else if ((this.#state === 'opening' || this.#state === 'lost') && type === 'unavailable-id') {
      // One that was lost may have gone to another page meanwhile.
      this.#state = 'taken';
      clearTimeout(this.#retry);
    } else if (this.#state === 'opening' && type !== 'webrtc') {
      this.#giveUp('unreachable');
    }
  }

  #isNews(id: string): boolean {
    return performance.now() - (this.#askedAt.get(id) ?? -Infinity) > NEWS_AFTER_MS;
  }
}
