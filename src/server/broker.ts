import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { IClient } from 'peer';
import { ExpressPeerServer } from 'peer';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { Conduct } from './conduct.ts';
import { networkOf, Networks } from './networks.ts';

/** Where the broker is on its server, and, below, where its sockets are, as PeerJS asks for them. */
export const BROKER_PATH = '/broker';
export const BROKER_SOCKET_PATH = `${BROKER_PATH}/peerjs`;

/** Suspended machines shall go soon, and a lost ping or two be no matter. */
const PING_MS = 5000;
const ALIVE_MS = 20_000;
/**
 * What is sent to an id that nobody has waits for so long, since its page may be loading again; then, within a
 * second, the sender learns that nobody is there.
 */
const UNCLAIMED_MS = 1500;
/** Each costs some tens of kilobytes; a host needs two. */
const MAX_CLIENTS = 2000;
/** Bytes: an offer or answer is some 5 kB. */
const MAX_MESSAGE = 64 * 1024;
/** Of RFC 6455. */
const GOING_AWAY = 1001;

/** The PeerJS broker, apart from any server: whoever has one hands it requests and upgrades. */
export type Broker = {
  /** Has it answer what an app is asked below `BROKER_PATH`; once. */
  mount(app: Express): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all connections and takes no new ones until `start`. */
  stop(): Promise<void>;
  start(): void;
};

/**
 * Makes a broker. PeerJS's own timers run until the process ends: they can't be stopped.
 * @param pingMs milliseconds between two signs of life.
 * @param aliveMs milliseconds after which a silent client loses its id.
 */
export function createBroker(trustProxy: boolean, pingMs = PING_MS, aliveMs = ALIVE_MS): Broker {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE });
  const networks = new Networks();
  sockets.on('connection', (socket, request) => guard(socket, networks, networkOf(request, trustProxy)));
  const peers = ExpressPeerServer(
    // It only passes this on to the next line, which has no use for it.
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
  // What clients send wrongly arrives here, and unheard it would end the process.
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
      // Who asks to be a room's door learns whether there is such a room: that counts like ringing there.
      if (!networks.mayAsk(networkOf(request, trustProxy), idIn(request.url), Date.now())) {
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
 * Pongs count as signs of life: browsers answer pings even where they slow the timers of a hidden page. A client
 * that comes back before its old connection was missed is told that it is in, which PeerJS forgets.
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

/** The id that a client asks for. */
function idIn(url: string | undefined): string {
  return new URLSearchParams(url?.replace(/^[^?]*/, '')).get('id') ?? '';
}

/**
 * Ends the connection of a client that does what no page of ours would. What it sends is judged before PeerJS
 * hears it, which would act on it all the same.
 */
function guard(socket: WebSocket, networks: Networks, network: string | null): void {
  const conduct = new Conduct((id, now) => networks.mayAsk(network, id, now));
  if (networks.opens(network, Date.now())) socket.on('close', () => networks.closes(network));
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
      // Those that are suspended would never answer the closing.
      setTimeout(() => socket.terminate(), 500).unref();
      return closed;
    }),
  );
}
