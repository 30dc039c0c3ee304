import { WebSocket } from 'ws';
import { parseFields } from '../../core/room/fields.ts';
import { Backoff } from '../backoff.ts';
import {
  BROKER_KEY,
  FIRST_ANSWER_MS,
  FIRST_RETRY_MS,
  MOST_RETRY_MS,
  NEXT_ANSWER_MS,
} from '../broker-terms.ts';
import type { AddressState } from '../station.ts';

/** The broker at which members find each other, as PeerJS's protocol names it. */
export type BrokerUrl = {
  /** As ws://host:port/path or wss://…, without the last part, `peerjs`. */
  readonly url: string;
  readonly key?: string;
  /** True for a broker on this machine whose certificate nobody has signed. */
  readonly trustsAny?: boolean;
  /** Headers of the socket, by which our own broker knows the rooms of its server. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** The version of PeerJS whose messages these are: it goes into the address of the socket. */
const PEERJS_VERSION = '1.5.5';
/** Milliseconds between two signs of life: a PeerJS broker drops who says nothing for a minute. */
const HEARTBEAT_MS = 5000;
/** Bytes in a message of the broker, at most. */
const MAX_MESSAGE = 64 * 1024;

/**
 * One id at the broker, over a WebSocket: it registers the id, keeps it, and asks again when the broker is gone. It does
 * not look into messages between members.
 */
export class BrokerSocket {
  readonly #address: string;
  readonly #trustsAny: boolean;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #onMessage: (value: unknown) => void;
  #socket: WebSocket;
  #state: AddressState = 'opening';
  readonly #backoff = new Backoff(FIRST_RETRY_MS, MOST_RETRY_MS);
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /**
   * @param token proves to the broker, later or from another process, that the id belongs to its sender.
   * @param onMessage takes what the broker brings, as parsed JSON that nobody has checked.
   */
  constructor(
    { url, key = BROKER_KEY, trustsAny = false, headers = {} }: BrokerUrl,
    id: string,
    token: string,
    onMessage: (value: unknown) => void,
  ) {
    const query = new URLSearchParams({ key, id, token, version: PEERJS_VERSION });
    this.#address = `${url.replace(/\/$/, '')}/peerjs?${query}`;
    this.#onMessage = onMessage;
    this.#trustsAny = trustsAny;
    this.#headers = headers;
    this.#socket = this.#connect(FIRST_ANSWER_MS);
  }

  get state(): AddressState {
    return this.#state;
  }

  /** The broker has given the id. */
  opened(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#state = 'open';
    this.#backoff.reset();
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.send({ type: 'HEARTBEAT' }), HEARTBEAT_MS);
  }

  /** The broker says that another has the id. */
  taken(): void {
    if (this.#isOver || this.#state === 'open') return;
    this.#end('taken');
  }

  /** Sends a message, if the broker is there. */
  send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Gives up the id. */
  close(): void {
    if (this.#state !== 'taken') this.#end('closed');
  }

  get #isOver(): boolean {
    return this.#state === 'taken' || this.#state === 'closed';
  }

  /** @param withinMs milliseconds that the broker has to give the id. */
  #connect(withinMs: number): WebSocket {
    const socket = new WebSocket(this.#address, {
      maxPayload: MAX_MESSAGE,
      rejectUnauthorized: !this.#trustsAny,
      headers: this.#headers,
    });
    socket.on('message', (data: Buffer) => {
      if (socket === this.#socket) this.#onMessage(parseFields(String(data), MAX_MESSAGE));
    });
    // The end of the socket follows an error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket === this.#socket) this.#lost();
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => socket.terminate(), withinMs);
    return socket;
  }

  #lost(): void {
    if (this.#isOver) return;
    this.#state = this.#state === 'open' || this.#state === 'lost' ? 'lost' : 'unreachable';
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#socket = this.#connect(NEXT_ANSWER_MS)), this.#backoff.next());
  }

  #end(state: 'taken' | 'closed'): void {
    this.#state = state;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    this.#socket.close();
  }
}
