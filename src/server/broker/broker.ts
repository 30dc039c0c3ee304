import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { IClient } from 'peer';
import { ExpressPeerServer } from 'peer';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { ClientLimits } from './client-limits.ts';
import { networkOf, NetworkLimits } from './network-limits.ts';

/** Paths of the broker and of its WebSockets, as PeerJS asks for them. */
export const BROKER_PATH = '/broker';
export const BROKER_SOCKET_PATH = `${BROKER_PATH}/peerjs`;

/**
 * Milliseconds between pings, and without a sign of life until a client is removed: a suspended machine goes
 * soon, and one or two lost pings do no harm.
 */
const PING_MS = 5000;
const ALIVE_MS = 20_000;
/**
 * Milliseconds that a message to an unknown id waits, because the page with that id may be loading again.
 * Within one more second the sender learns that nobody is there.
 */
const UNCLAIMED_MS = 1500;
/** Each client costs some tens of kilobytes; a host needs two. */
const MAX_CLIENTS = 2000;
/** Bytes; an offer or answer has about 5 kB. */
const MAX_MESSAGE = 64 * 1024;
/** A close code of RFC 6455. */
const GOING_AWAY = 1001;

/** The PeerJS broker without an HTTP server: the server passes requests and upgrades to it. */
export type Broker = {
  /** Makes an app answer requests below `BROKER_PATH`. Call it once. */
  mount(app: Express): void;
  /**
   * Takes a WebSocket upgrade at `BROKER_SOCKET_PATH`; the answer is 503 while stopped, 429 over the
   * network's limit.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all connections, and accepts no new ones until `start`. Resolves when they are closed. */
  stop(): Promise<void>;
  start(): void;
};

/**
 * Creates a broker. PeerJS's timers run until the process ends: they can't be stopped.
 * @param trustProxy whether a client's address is taken from the X-Forwarded-For header.
 * @param pingMs milliseconds between two pings.
 * @param aliveMs milliseconds without a sign of life after which a client loses its id.
 */
export function createBroker(trustProxy: boolean, pingMs = PING_MS, aliveMs = ALIVE_MS): Broker {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE });
  const networks = new NetworkLimits();
  sockets.on('connection', (socket, request) => guard(socket, networks, networkOf(request, trustProxy)));
  const peers = ExpressPeerServer(
    // It only passes this server to the next line, which does not use it.
    createServer(),
    {
      createWebSocketServer: () => sockets,
      path: '/',
      proxied: trustProxy,
      alive_timeout: aliveMs,
      expire_timeout: UNCLAIMED_MS,
      concurrent_limit: MAX_CLIENTS,
      allow_discovery: false,
    },
  );
  peers.disable('x-powered-by');
  peers.on('connection', keepAlive());
  // Errors in the clients' messages arrive here. Without a listener they would end the process.
  peers.on('error', () => undefined);
  const pings = setInterval(() => sockets.clients.forEach((socket) => socket.ping()), pingMs);
  pings.unref();

  let running = true;
  return {
    mount: (app) => {
      app.use(BROKER_PATH, (_, response, next) => {
        if (running) next();
        else response.sendStatus(503);
      });
      app.use(BROKER_PATH, peers);
    },
    upgrade: (request, socket, head) => {
      if (!running) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
        return;
      }
      // A client that asks for a room's door id learns whether that room exists. So it counts like a message
      // to the door.
      if (!networks.mayUseId(networkOf(request, trustProxy), idIn(request.url), Date.now())) {
        socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
    },
    stop: () => {
      running = false;
      return closeAll([...sockets.clients]);
    },
    start: () => void (running = true),
  };
}

/**
 * Counts pongs as signs of life: browsers answer pings even if they slow down the timers of a hidden page. If
 * a client comes back before its old connection was removed, it gets the OPEN message, which PeerJS forgets.
 */
function keepAlive(): (client: IClient) => void {
  const known = new WeakMap<IClient, WebSocket>();
  return (client) => {
    const socket = client.getSocket();
    if (socket === null) return;
    const before = known.get(client);
    known.set(client, socket);
    client.setLastPing(Date.now());
    socket.on('pong', () => client.setLastPing(Date.now()));
    if (before === undefined) return;
    client.send({ type: 'OPEN' });
    before.terminate();
  };
}

/** Returns the id that a client asks for, or ''. */
function idIn(url: string | undefined): string {
  return new URLSearchParams(url?.replace(/^[^?]*/, '')).get('id') ?? '';
}

/**
 * Ends the connection of a client that does something that none of our pages does. Each message is checked
 * before PeerJS receives it, because PeerJS would act on it at once.
 */
function guard(socket: WebSocket, networks: NetworkLimits, network: string | null): void {
  const conduct = new ClientLimits((id, now) => networks.mayUseId(network, id, now));
  if (networks.openSocket(network, Date.now())) socket.on('close', () => networks.closeSocket(network));
  else socket.terminate();
  const emit = socket.emit.bind(socket);
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    const isAllowed = event !== 'message' || conduct.allows(String(args[0]), Date.now());
    if (isAllowed) return emit(event, ...args);
    socket.terminate();
    return true;
  };
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
