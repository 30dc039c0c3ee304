import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Express, Request, RequestHandler } from 'express';
import express from 'express';
import { isEverywhere, isLoopback, networkAddresses, urlOf } from './addresses.ts';
import type { Broker } from './broker/broker.ts';
import { BROKER_SOCKET_PATH } from './broker/broker.ts';
import type { ServedConfig } from './page-config.ts';
import { pageConfig, stunUrl } from './page-config.ts';
import type { Operations } from './operations/operations.ts';
import type { Pages } from './pages.ts';
import { isOwnSocket } from './visitors/own-page.ts';
import { refuseUpgrade } from './visitors/refuse.ts';
import type { RoomWatchers } from './rooms/room-watchers.ts';
import type { RoomLines } from './rooms/room-lines.ts';
import type { RoomVoices } from './voice/room-voices.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { RoomCode } from '../core/room/code.ts';
import {
  readLineAddress,
  readVoiceAddress,
  readWatchAddress,
  ROOMS_PATH,
} from '../transport/socket/line-address.ts';
import type { ServerSettings } from './settings/settings.ts';
import type { Visitors } from './visitors/visitors.ts';

/** Headers of every answer: they limit what a page may ask the browser for, and what it tells other sites. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  // A page's address contains its room's code.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'microphone=(self), xr-spatial-tracking=(self), camera=(), geolocation=()',
};

/** Seconds for which a browser asks by HTTPS alone, after it has seen a certificate that the operator gave: half a year. */
const HSTS_SECONDS = 182 * 24 * 3600;

/** The parts of the server that the app needs. */
export type AppParts = {
  /** Null if the broker is elsewhere. */
  readonly broker: Broker | null;
  readonly pages: Pages;
  /** They may be completed later. */
  readonly ports: Readonly<Ports>;
  readonly visitors: Visitors;
  /** Null if the server offers no rooms of its own. */
  readonly rooms: RequestHandler | null;
  readonly operations: Pick<Operations, 'watchRequests'>;
  /** Returns false while visitors should be sent elsewhere. */
  readonly isReady: () => boolean;
};

/** The ports besides HTTP; null if off, or if the part does not run yet. */
export type Ports = { stun: number | null; https: number | null };

/** Creates the app that answers all HTTP requests. */
export function createApp(settings: ServerSettings, parts: AppParts): Express {
  const { broker, pages, ports, visitors } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', visitors.isProxy);
  // In other modes Express sends the stack of an error to the client.
  app.set('env', 'production');
  app.use(parts.operations.watchRequests);
  app.use((request, response, next) => {
    response.set(HEADERS);
    // Not with the server's own certificate: after this header a browser lets nobody accept that certificate any more.
    if (settings.tlsFiles !== null && isEncrypted(request)) {
      response.set('Strict-Transport-Security', `max-age=${HSTS_SECONDS}`);
    }
    next();
  });
  app.get('/healthz', (_, response) => {
    response.set('Cache-Control', 'no-store').type('text').send('ok\n');
  });
  app.get('/readyz', (_, response) => {
    const ready = parts.isReady();
    response.set('Cache-Control', 'no-store').status(ready ? 200 : 503);
    response.type('text').send(ready ? 'ready\n' : 'not ready\n');
  });
  app.get('/config.json', (request, response) => {
    const config = configFor(request, settings, ports, visitors.networkOf(request));
    response.set('Cache-Control', 'no-store').json(config);
  });
  broker?.mount(app);
  if (parts.rooms !== null) app.use(ROOMS_PATH, parts.rooms);
  app.use(pages.handler);
  return app;
}

/** Returns true for a request that came over this server's own TLS. */
function isEncrypted({ socket }: IncomingMessage): boolean {
  return socket instanceof TLSSocket;
}

/**
 * Returns the configuration for a page.
 * @param request its host is as the client wrote it.
 */
function configFor(request: Request, settings: ServerSettings, ports: Ports, network: string): ServedConfig {
  const asked: string | undefined = request.hostname;
  // From this machine itself, STUN would answer with the loopback address, and the link for friends would
  // lead to their own machines.
  const onThisMachine = asked !== undefined && isLoopback(asked) && isEverywhere(settings.host);
  const address = onThisMachine ? networkAddresses().find((found) => isIPv4(found)) : undefined;
  const stun = stunUrl(onThisMachine ? (address ?? '127.0.0.1') : asked, ports.stun);
  const config = {
    ...pageConfig(settings.ice, settings.broker, stun, Date.now() / 1000, network),
    ...(settings.rooms === null
      ? {}
      : {
          serverRooms: true,
          roomPlayers: settings.rooms.players,
          watching: settings.rooms.watchers > 0,
          voices: settings.rooms.voices !== null,
        }),
  };
  const forNetwork =
    address === undefined || ports.https === null ? {} : { networkUrl: urlOf('https', address, ports.https) };
  const byTls = isEncrypted(request) || 'networkUrl' in forNetwork;
  return {
    ...config,
    ...forNetwork,
    ...(byTls && settings.tlsFiles === null ? { ownCertificate: true } : {}),
  };
}

/** The parts of the server that take WebSockets. */
export type UpgradeParts = Pick<AppParts, 'broker' | 'pages' | 'visitors'> & {
  /** Null if the server offers no rooms of its own, or its broker is elsewhere. */
  readonly lines: RoomLines | null;
  /** Null if nobody may watch rooms here. */
  readonly watchers: RoomWatchers | null;
  /** Null without a voice server. */
  readonly voices: RoomVoices | null;
  /** Null if this is the only process of its site. */
  readonly cluster: Pick<Cluster, 'isRoomHere'> | null;
};

/**
 * Passes a WebSocket upgrade to the broker, to a room or to vite. Refuses all others.
 * @returns why it was refused here; null if it was not.
 */
export function routeUpgrade(
  { broker, pages, lines, watchers, voices, cluster, visitors }: UpgradeParts,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): 'path' | 'doors' | null {
  // A connection that breaks now must not end the process.
  socket.on('error', () => undefined);
  const path = request.url?.replace(/\?.*$/s, '');
  if (broker !== null && path === BROKER_SOCKET_PATH) {
    broker.upgrade(request, socket, head);
    return null;
  }
  const refuse = (status: number, why: 'path' | 'doors'): typeof why => {
    refuseUpgrade(socket, status);
    return why;
  };
  const toRoom = (): boolean =>
    [lines, watchers, voices].some((part) => part?.upgrade(request, socket, head) === true);
  const code = codeIn(request.url);
  if (cluster === null || code === null)
    return toRoom() || pages.upgrade(request, socket, head) ? null : refuse(404, 'path');
  // A page of another site could use up what its visitor's network may look for.
  if (!isOwnSocket(request)) return refuse(403, 'path');
  // [N9.13] It shows that the room exists if another process has it, so the request counts as a look for the room.
  if (broker?.mayLookFor(visitors.networkOf(request), code) === false) return refuse(429, 'doors');
  // [N9.2] The room may be at another process.
  void cluster.isRoomHere({ request, stream: socket, head }, code).then((isHere) => {
    if (isHere && !toRoom()) refuseUpgrade(socket, 404);
  });
  return null;
}

/** @returns the code of the room whose WebSocket is asked for; null for any other path. */
function codeIn(url: string | undefined): RoomCode | null {
  return (readLineAddress(url) ?? readWatchAddress(url) ?? readVoiceAddress(url))?.code ?? null;
}
