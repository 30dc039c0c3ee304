import type { RtcConfig } from 'node-datachannel';
import type { OfferBudget } from '../guard/offer-budget.ts';
import type { Refusals } from '../guard/refusals.ts';
import { SignalGuard } from '../guard/signal-guard.ts';
import type { Offer, Signal } from '../guard/signals.ts';
import { Searches } from '../searches.ts';
import type { AddressState } from '../station.ts';
import { randomId } from '../station.ts';
import type { Reach } from './candidates.ts';
import type { BrokerUrl } from './broker-socket.ts';
import { BrokerSocket } from './broker-socket.ts';
import type { OwnSignal } from './node-connection.ts';
import { NodeConnection } from './node-connection.ts';

/** The parts that the addresses of one station share. */
export type NodeNetwork = {
  readonly broker: BrokerUrl;
  readonly config: RtcConfig;
  readonly reach: Reach;
  readonly refusals: Refusals;
};

/** Connections that one id has at most: a full room with all its attempts has some tens. */
const MOST_CONNECTIONS = 200;

/**
 * One id of a process at the broker, and the connections that were made through it. It speaks as PeerJS in a page does,
 * and reads as strictly: the same guard stands before it.
 */
export class NodeAddress {
  readonly id: string;
  /** Proves to the broker that the id belongs to its sender. */
  readonly token: string;
  readonly #network: NodeNetwork;
  readonly #onLine: (connection: NodeConnection) => void;
  readonly #guard: SignalGuard;
  readonly #socket: BrokerSocket;
  readonly #searches = new Searches();
  readonly #connections = new Map<string, NodeConnection>();

  /**
   * @param onLine takes each connection that another page has opened; it belongs to the handler then.
   * @param budget of the offers of others.
   * @param token another process that has it may take over the id.
   */
  constructor(
    id: string,
    network: NodeNetwork,
    onLine: (connection: NodeConnection) => void,
    budget: OfferBudget,
    token = randomId(),
  ) {
    this.id = id;
    this.token = token;
    this.#network = network;
    this.#onLine = onLine;
    this.#guard = new SignalGuard({
      connection: (page, connectionId) => this.#connections.get(keyOf(page, connectionId)) ?? null,
      isExhausted: () => this.#connections.size >= MOST_CONNECTIONS,
      takesCalls: false,
      budget,
      refusals: network.refusals,
    });
    this.#socket = new BrokerSocket(network.broker, id, token, (value) => this.#take(value));
  }

  get state(): AddressState {
    return this.#socket.state;
  }

  /** True if the broker has said since the last call of this method that nobody has this id. */
  isMissing(id: string): boolean {
    return this.#searches.isMissing(id);
  }

  /** Begins to connect to an id; null if the broker can't be asked at present. */
  connect(id: string): NodeConnection | null {
    if (this.state !== 'open') return null;
    this.#searches.dialled(id, performance.now());
    const connectionId = `dc_${randomId()}`;
    const connection = this.#connection(id, connectionId, connectionId);
    if (connection === null) return null;
    this.#guard.asked(connection);
    try {
      connection.call(connectionId);
      return connection;
    } catch {
      this.#fail(connection);
      return null;
    }
  }

  /** True while there are connections that were made through this id. */
  get isInUse(): boolean {
    return this.#connections.size > 0;
  }

  /** Gives up the id; connections that were made through it stay open. */
  release(): void {
    this.#socket.close();
  }

  /** Gives up the id, and closes every connection that was made through it. */
  close(): void {
    this.release();
    for (const connection of this.#connections.values()) connection.close();
  }

  /** @returns null if the library makes no more connections. */
  #connection(page: string, connectionId: string, label: string): NodeConnection | null {
    const key = keyOf(page, connectionId);
    const signal = (own: OwnSignal): void => this.#send(page, connectionId, label, own);
    try {
      const connection = new NodeConnection(
        page,
        this.#network,
        signal,
        () => void this.#connections.delete(key),
      );
      this.#connections.set(key, connection);
      return connection;
    } catch {
      this.#network.refusals.count('failed');
      return null;
    }
  }

  #send(dst: string, connectionId: string, label: string, own: OwnSignal): void {
    if (own.kind === 'candidate') {
      const candidate = { candidate: own.candidate, sdpMid: own.mid, sdpMLineIndex: 0 };
      this.#socket.send({ type: 'CANDIDATE', dst, payload: { candidate, type: 'data', connectionId } });
      return;
    }
    const described = { sdp: { type: own.kind, sdp: own.sdp }, type: 'data', connectionId };
    if (own.kind === 'answer') this.#socket.send({ type: 'ANSWER', dst, payload: described });
    else {
      const offered = { ...described, label, reliable: true, serialization: 'raw' };
      this.#socket.send({ type: 'OFFER', dst, payload: offered });
    }
  }

  #take(value: unknown): void {
    const signal = this.#guard.take(value, performance.now());
    if (signal === null) return;
    switch (signal.type) {
      case 'OPEN':
        this.#socket.opened();
        break;
      case 'ID-TAKEN':
        this.#socket.taken();
        break;
      case 'EXPIRE':
        this.#searches.nobodyHas(signal.src, performance.now());
        break;
      case 'OFFER':
        this.#answer(signal.src, signal.payload);
        break;
      case 'ANSWER':
      case 'CANDIDATE':
        this.#hand(signal);
        break;
      default:
    }
  }

  #answer(page: string, { connectionId, label, sdp }: Offer & { readonly label?: string }): void {
    const connection = this.#connection(page, connectionId, label ?? connectionId);
    if (connection === null) return;
    this.#onLine(connection);
    this.#try(connection, () => connection.describe('offer', sdp.sdp));
  }

  #hand(signal: Extract<Signal, { type: 'ANSWER' | 'CANDIDATE' }>): void {
    const connection = this.#connections.get(keyOf(signal.src, signal.payload.connectionId));
    if (connection === undefined) return;
    if (signal.type === 'ANSWER') {
      const { sdp } = signal.payload.sdp;
      this.#try(connection, () => connection.describe('answer', sdp));
    } else {
      const { candidate, sdpMid } = signal.payload.candidate;
      connection.addCandidate(candidate, sdpMid ?? '0');
    }
  }

  /** The library throws on what it can't read; strangers have written it. */
  #try(connection: NodeConnection, act: () => void): void {
    try {
      act();
    } catch {
      this.#fail(connection);
    }
  }

  #fail(connection: NodeConnection): void {
    this.#network.refusals.count('failed');
    connection.close();
  }
}

function keyOf(page: string, connectionId: string): string {
  return `${connectionId} ${page}`;
}
