import type { DataConnection, MediaConnection } from 'peerjs';
import { Peer as PeerJs } from 'peerjs';
import type { LineWay } from '../../core/room/line.ts';
import type { OfferBudget } from '../guard/offer-budget.ts';
import type { Refusals } from '../guard/refusals.ts';
import { SignalGuard } from '../guard/signal-guard.ts';
import type { Signal } from '../guard/signals.ts';
import { Backoff } from '../backoff.ts';
import { FIRST_ANSWER_MS, FIRST_RETRY_MS, MOST_RETRY_MS, NEXT_ANSWER_MS } from '../broker-terms.ts';
import { Searches } from '../searches.ts';
import type { AddressState } from '../station.ts';
import { randomId } from '../station.ts';
import { hookPeerJs } from './peerjs-hook.ts';
import type { Unfreed } from './unfreed.ts';

/** The broker at which pages find each other, and the services that help them to connect. */
export type BrokerSettings = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly secure: boolean;
  readonly key?: string;
  /** STUN and TURN services, and whether only TURN is to be used. */
  readonly rtc: RTCConfiguration;
};

/** Called for each connection and each call that comes in; they then belong to the handler. */
export type AddressHandlers = {
  onLine(connection: DataConnection): void;
  /** Null: calls are refused. */
  readonly onCall: ((call: MediaConnection) => void) | null;
};

/** The bounds of the connections that others make; a page's addresses may share them. */
export type AddressGuards = {
  readonly budget: OfferBudget;
  readonly refusals: Refusals;
  readonly unfreed: Unfreed;
};

/** PeerJS, what guards it, and a way to hand it a message as if the broker had brought it. */
type GuardedPeerJs = {
  readonly peer: PeerJs;
  readonly guard: SignalGuard;
  readonly deliver: (signal: Signal) => void;
};

/** One id of this page at the broker. The page keeps it until it closes or releases it. */
export class Address {
  readonly id: string;
  readonly #settings: BrokerSettings;
  readonly #handlers: AddressHandlers;
  /** Proves to the broker that the id belongs to its sender. */
  readonly token: string;
  readonly #guards: AddressGuards;
  /** A new one each time that the broker is asked again for its first answer. */
  #guarded: GuardedPeerJs;
  /** The pages that have connections here, and the ids of those. */
  readonly #pages = new Map<string, readonly string[]>();
  #state: AddressState = 'opening';
  readonly #backoff = new Backoff(FIRST_RETRY_MS, MOST_RETRY_MS);
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #searches = new Searches();

  /** @param token proves to the broker, later or from another page, that the id belongs to its sender. */
  constructor(
    id: string,
    settings: BrokerSettings,
    handlers: AddressHandlers,
    guards: AddressGuards,
    token = randomId(),
  ) {
    this.id = id;
    this.#settings = settings;
    this.#handlers = handlers;
    this.token = token;
    this.#guards = guards;
    this.#guarded = this.#askBroker();
  }

  get #peer(): PeerJs {
    return this.#guarded.peer;
  }

  /** Asks the broker for its first answer. */
  #askBroker(): GuardedPeerJs {
    const { rtc, ...broker } = this.#settings;
    // 0: PeerJS writes nothing to the console.
    const peer = new PeerJs(this.id, { ...broker, config: rtc, debug: 0, token: this.token });
    const { budget, refusals, unfreed } = this.#guards;
    const guard = new SignalGuard({
      connection: (page, connectionId) => peer.getConnection(page, connectionId),
      isExhausted: () => unfreed.isExhausted,
      takesCalls: this.#handlers.onCall !== null,
      budget,
      refusals,
    });
    const deliver = hookPeerJs(
      peer,
      (value) => guard.take(value, performance.now()),
      () => refusals.count('failed'),
    );
    peer.on('open', () => this.#opened());
    peer.on('connection', (connection) => {
      this.#note(connection);
      unfreed.watch(connection.peerConnection);
      this.#handlers.onLine(connection);
    });
    peer.on('call', (call) => {
      this.#note(call);
      this.#handlers.onCall?.(call);
    });
    peer.on('disconnected', () => this.#lost());
    peer.on('error', (error) => {
      // A PeerJS that was given up still reports errors.
      if (peer === this.#peer) this.#failed(error.type, error.message);
    });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#unreachable(), FIRST_ANSWER_MS);
    return { peer, guard, deliver };
  }

  get state(): AddressState {
    return this.#state;
  }

  /** True if the broker has said since the last call of this method that nobody has this id. */
  isMissing(id: string): boolean {
    return this.#searches.isMissing(id);
  }

  /**
   * Begins to connect to an id; null if the broker can't be asked at present.
   * @param way `relay`: this end offers no path but through its TURN servers.
   */
  connect(id: string, way: LineWay = 'any'): DataConnection | null {
    // Before the broker has answered, PeerJS would drop the request.
    if (this.#state !== 'open' || this.#peer.disconnected) return null;
    this.#searches.dialled(id, performance.now());
    const connection = this.#ask(() => this.#peer.connect(id, { reliable: true, serialization: 'raw' }));
    // PeerJS has one configuration for all connections; the browser looks for paths only after its offer is made.
    const { peerConnection } = connection ?? {};
    if (way === 'relay')
      peerConnection?.setConfiguration({ ...peerConnection.getConfiguration(), iceTransportPolicy: 'relay' });
    return connection;
  }

  /** Calls an id; null if the broker can't be asked at present. */
  call(id: string, stream: MediaStream): MediaConnection | null {
    if (this.#state !== 'open' || this.#peer.disconnected) return null;
    return this.#ask(() => this.#peer.call(id, stream));
  }

  /** Answers a call, and sends nothing on it. */
  answer(call: MediaConnection): void {
    try {
      call.answer();
      this.#guards.unfreed.watch(call.peerConnection);
    } catch {
      this.#guards.refusals.count('failed');
      call.close();
    }
  }

  /** True while there are connections that were made through this id. */
  get isInUse(): boolean {
    this.#forgetPages();
    return this.#pages.size > 0;
  }

  /** Gives up the id, and closes every connection that was made through it. */
  close(): void {
    this.#giveUp('closed');
  }

  /** Gives up the id; connections that were made through it stay open. */
  release(): void {
    if (this.#state === 'taken' || this.#state === 'closed') return;
    this.#state = 'closed';
    clearTimeout(this.#retry);
    this.#peer.disconnect();
  }

  /** @returns null if the browser makes no more connections. */
  #ask<T extends DataConnection | MediaConnection>(make: () => T | undefined): T | null {
    try {
      const connection = make();
      if (connection === undefined) return null;
      this.#note(connection);
      this.#guarded.guard.asked(connection);
      this.#guards.unfreed.watch(connection.peerConnection);
      return connection;
    } catch {
      this.#guards.refusals.count('failed');
      return null;
    }
  }

  #note({ peer: page, connectionId }: DataConnection | MediaConnection): void {
    this.#pages.set(page, [...(this.#pages.get(page) ?? []), connectionId]);
    this.#forgetPages();
  }

  /** PeerJS keeps the name of every page that had a connection here, until the broker says that the page has left. */
  #forgetPages(): void {
    for (const [page, before] of this.#pages) {
      const now = before.filter((connectionId) => this.#peer.getConnection(page, connectionId) !== null);
      this.#pages.set(page, now);
      if (now.length > 0) continue;
      this.#pages.delete(page);
      this.#guarded.deliver({ type: 'LEAVE', src: page });
    }
  }

  #giveUp(state: 'closed' | 'unreachable'): void {
    this.#state = state;
    clearTimeout(this.#retry);
    try {
      this.#peer.destroy();
    } catch {
      // PeerJS keeps any kind of connection that a stranger has asked for, and may throw on it here.
    }
  }

  /** The broker has not answered for the first time. PeerJS asks only once, so another one asks again. */
  #unreachable(): void {
    this.#giveUp('unreachable');
    this.#retry = setTimeout(() => (this.#guarded = this.#askBroker()), this.#backoff.next());
  }

  #opened(): void {
    clearTimeout(this.#retry);
    if (this.#state === 'closed') return;
    this.#state = 'open';
    this.#backoff.reset();
  }

  #lost(): void {
    if (this.#state !== 'open' && this.#state !== 'lost') return;
    this.#state = 'lost';
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#reconnect(), this.#backoff.next());
  }

  #reconnect(): void {
    if (!this.#peer.disconnected || this.#peer.destroyed) return;
    this.#peer.reconnect();
    // The broker may hang; or it gives the id without an answer if it has not noticed the loss: then it notices now.
    this.#retry = setTimeout(() => this.#peer.disconnect(), NEXT_ANSWER_MS);
  }

  #failed(type: string, message: string): void {
    if (type === 'peer-unavailable') {
      // PeerJS gives the id only as the last word of its sentence.
      const id = message.split(' ').at(-1);
      if (id !== undefined) this.#searches.nobodyHas(id, performance.now());
    } else if (this.#isWithoutBroker && type === 'unavailable-id') {
      // While this page was without its broker, another page may have taken the id.
      this.#state = 'taken';
      clearTimeout(this.#retry);
    } else if ((this.#state === 'opening' || this.#state === 'unreachable') && type !== 'webrtc') {
      this.#unreachable();
    }
  }

  get #isWithoutBroker(): boolean {
    return this.#state === 'opening' || this.#state === 'unreachable' || this.#state === 'lost';
  }
}
