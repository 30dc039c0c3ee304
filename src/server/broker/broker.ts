import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { IClient } from 'peer';
import { ExpressPeerServer } from 'peer';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { refuseUpgrade } from '../visitors/refuse.ts';
import { Visitors } from '../visitors/visitors.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { BROKER_KEY } from '../../transport/broker-terms.ts';
import { doorId } from '../../transport/station.ts';
import type { House } from './house.ts';
import { isId } from './limits/client-limits.ts';
import type { BrokerWatch, OtherClients, SignalMessage } from './clients.ts';
import { Clients } from './clients.ts';
import type { Upgrade } from './entrance.ts';
import { Entrance } from './entrance.ts';
import type { BrokerLimits, Refusal } from './limits/limits.ts';
import { LIMITS, UNCLAIMED_MS } from './limits/limits.ts';
import { NetworkLimits } from './limits/network-limits.ts';
import { Places } from './places.ts';

/** Paths of the broker and of its WebSockets, as PeerJS asks for them. */
export const BROKER_PATH = '/broker';
export const BROKER_SOCKET_PATH = `${BROKER_PATH}/peerjs`;

/**
 * Milliseconds between pings, and without an answer until a client is removed: a suspended machine goes soon, and
 * one that is slow for a moment stays.
 */
const PING_MS = 5000;
const ALIVE_MS = 20_000;
/** Milliseconds after which PeerJS has certainly forgotten a message to an id that nobody has. */
const FORGOTTEN_MS = UNCLAIMED_MS + 1500;
/** Bytes; an offer or answer has about 5 kB. */
const MAX_MESSAGE = 32 * 1024;
/** A close code of RFC 6455. */
const GOING_AWAY = 1001;
const TOKEN = /^[\x20-\x7e]{1,128}$/;

/** The answer to a refused upgrade; 503 asks to come again later, 429 says that this network asks too much. */
const STATUS: ReadonlyMap<Refusal, number> = new Map([
  ['stopped', 503],
  ['full', 503],
  ['address', 400],
  ['doors', 429],
  ['upgrades', 429],
]);

/** The other brokers of the same site, and what a broker asks of them. */
export type OtherBrokers = OtherClients & {
  /**
   * [N9.2] A client asks here for an id.
   * @returns true if it may have it here; false if it was passed on, or refused. Never rejects.
   */
  isHere(upgrade: Upgrade, id: string): Promise<boolean>;
};

/** How a broker runs; each part has a default. */
export type BrokerOptions = {
  /** Tells networks apart. By default no proxy is believed. */
  readonly visitors?: Visitors;
  readonly watch?: BrokerWatch;
  readonly limits?: BrokerLimits;
  /** The rooms of this broker's own server; by default it has none. */
  readonly house?: House;
  /** The other brokers of this site; left out if it is the only one. */
  readonly others?: OtherBrokers;
  /** Milliseconds between two pings. */
  readonly pingMs?: number;
  /** Milliseconds without an answer to a ping after which a client loses its id. */
  readonly aliveMs?: number;
};

/** The present load of a broker. */
export type BrokerFigures = {
  readonly sockets: number;
  readonly networks: number;
  readonly ids: number;
  /** Bytes for clients that have not read them yet, and for ids that nobody has. */
  readonly unreadBytes: number;
  readonly waitingBytes: number;
};

/** The PeerJS broker without an HTTP server: the server passes requests and upgrades to it. */
export type Broker = {
  /** Makes an app answer requests below `BROKER_PATH`. Call it once. */
  mount(app: Express): void;
  /** Takes a WebSocket upgrade at `BROKER_SOCKET_PATH`; a refused one gets its status, and its socket is destroyed. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  isRunning(): boolean;
  /** Whether a network may look for a room; each counts, wherever it looks. */
  mayLookFor(network: string, code: RoomCode): boolean;
  /** [N2.6] True if a client has this id, and has shown this token for it. */
  isHeldBy(id: string, token: string): boolean;
  /** True if a client has this id. */
  has(id: string): boolean;
  /** [N9.2] Another broker has this id: a client that has it here must ask again. */
  drop(id: string): void;
  /** [N9.3] Takes a message that another broker has passed on. Never throws. */
  take(message: SignalMessage): 'taken' | 'nobody';
  figures(): BrokerFigures;
  /** Ends all connections, and accepts no new ones until `start`. Resolves when they are closed. */
  stop(): Promise<void>;
  start(): void;
};

/** Creates a broker. PeerJS's timers run until the process ends: they can't be stopped. */
export function createBroker(options: BrokerOptions = {}): Broker {
  const { visitors = new Visitors([]), watch = DEAF, limits = LIMITS, house, others } = options;
  const { pingMs = PING_MS, aliveMs = ALIVE_MS } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, autoPong: false });
  const networks = new NetworkLimits(limits);
  const places = new Places<Duplex>(limits);
  const clients = new Clients(limits, networks, places, watch, { aliveMs, waitMs: FORGOTTEN_MS, others });
  const entrance = new Entrance(sockets, clients, places, watch, house);
  const peers = createPeers(sockets, clients, limits, aliveMs);
  const sweeps = setInterval(() => clients.sweep(Date.now()), pingMs);
  sweeps.unref();

  let running = true;
  return {
    mount: (app) => {
      app.use(BROKER_PATH, (_, response, next) => (running ? next() : void response.sendStatus(503)));
      app.use(BROKER_PATH, peers);
    },
    upgrade: (request, stream, head) => {
      const { id, token, isValid } = addressIn(request.url);
      const own = house?.networkOf(request, id) ?? null;
      const network = own ?? visitors.networkOf(request);
      const refuse = (why: Refusal): void => {
        watch.refused(why, network);
        refuseUpgrade(stream, STATUS.get(why) ?? 400);
      };
      const nowMs = Date.now();
      if (!running) return refuse('stopped');
      if (!networks.mayUpgrade(network, nowMs)) return refuse('upgrades');
      if (!isValid) return refuse('address');
      // A client that asks for a room's door id learns whether that room exists. So it counts like a message
      // to the door.
      if (!networks.mayUseId(network, id, nowMs)) return refuse('doors');
      const asked = { request, stream, head };
      const enter = (atMs: number): void => {
        const isIn = entrance.enter(asked, { network, id, token, isOwn: own !== null }, atMs);
        if (!isIn) refuse('full');
      };
      if (others === undefined) return enter(nowMs);
      void others.isHere(asked, id).then((isHere) => {
        if (!isHere || stream.destroyed) return;
        if (running) enter(Date.now());
        else refuse('stopped');
      });
    },
    isRunning: () => running,
    mayLookFor: (network, code) => networks.mayUseId(network, doorId(code), Date.now()),
    isHeldBy: (id, token) => clients.isHeldBy(id, token),
    has: (id) => clients.holderOf(id) !== 'nobody',
    drop: (id) => clients.dropFrom(id),
    take: (message) => clients.take(message),
    figures: () => ({
      sockets: places.count,
      networks: places.networks,
      ids: clients.ids,
      unreadBytes: clients.unreadBytes,
      waitingBytes: clients.waitingBytes,
    }),
    stop: () => {
      running = false;
      return closeAll([...sockets.clients]);
    },
    start: () => void (running = true),
  };
}

/** Creates PeerJS's server over these sockets. */
function createPeers(sockets: WebSocketServer, clients: Clients, limits: BrokerLimits, aliveMs: number) {
  const peers = ExpressPeerServer(
    // PeerJS hands this server only to `createWebSocketServer`, which does not use it.
    createServer(),
    {
      createWebSocketServer: () => sockets,
      path: '/',
      // The broker itself removes the clients that are gone. PeerJS would do it later, because for it a HEARTBEAT is
      // enough.
      alive_timeout: 3 * aliveMs,
      expire_timeout: UNCLAIMED_MS,
      // Each client has a socket, and sockets are limited.
      concurrent_limit: 2 * limits.sockets,
      allow_discovery: false,
    },
  );
  peers.disable('x-powered-by');
  peers.on('connection', welcome(clients));
  // Errors in the clients' messages arrive here. Without a listener they would end the process.
  peers.on('error', () => undefined);
  return peers;
}

const DEAF: BrokerWatch = { refused: () => undefined, passed: () => undefined };

/**
 * Notes which client has which id. If a client comes back before its old connection was removed, it gets the OPEN
 * message, which PeerJS forgets.
 */
function welcome(clients: Clients): (client: IClient) => void {
  const known = new WeakMap<IClient, WebSocket>();
  return (client) => {
    const socket = client.getSocket();
    if (socket === null) return;
    const before = known.get(client);
    known.set(client, socket);
    clients.registered(client.getId(), socket);
    client.setLastPing(Date.now());
    socket.on('pong', () => client.setLastPing(Date.now()));
    if (before === undefined) return;
    client.send({ type: 'OPEN' });
    before.terminate();
  };
}

/** The id that a client asks for, and its proof that the id is its own. */
type Address = { readonly id: string; readonly token: string; readonly isValid: boolean };

/** Reads the id that a client asks for, and whether PeerJS would take id, token and key. */
function addressIn(url = ''): Address {
  // PeerJS takes the last value of a name that comes twice, and so does this. It stops at a #, which no page of ours sends.
  const query = new Map(new URLSearchParams(url.replace(/^[^?]*/, '')));
  const [id, token] = [query.get('id') ?? '', query.get('token') ?? ''];
  const isValid = isId(id) && TOKEN.test(token) && query.get('key') === BROKER_KEY && !url.includes('#');
  return { id, token, isValid };
}

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => {
      const closed = new Promise((resolve) => {
        socket.once('close', resolve);
      });
      socket.close(GOING_AWAY);
      // A suspended client never answers the close message.
      setTimeout(() => socket.terminate(), 500).unref();
      return closed;
    }),
  );
}
