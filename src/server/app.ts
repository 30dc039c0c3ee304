import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import express from 'express';
import { isEverywhere, isLoopback, networkAddresses, urlOf } from './addresses.ts';
import type { Broker } from './broker.ts';
import { BROKER_SOCKET_PATH } from './broker.ts';
import type { ServedConfig } from './page-config.ts';
import { pageConfig, stunUrl } from './page-config.ts';
import type { Pages } from './pages.ts';
import type { ServerSettings } from './settings.ts';

/** Goes with every answer: what a page may ask the browser for, and what it must not give away. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  // The address of a page holds the code of its room.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'microphone=(self), xr-spatial-tracking=(self), camera=(), geolocation=()',
};

/** Where this machine can be reached beside HTTP; known only once it all runs. */
export type Ports = { stun: number | null; https: number | null };

/** All that is answered over HTTP. */
export function createApp(
  settings: ServerSettings,
  broker: Broker | null,
  pages: Pages,
  ports: Readonly<Ports>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxy);
  // Express tells the asker where in the code it failed, unless it is in production.
  app.set('env', 'production');
  app.use((_, response, next) => {
    response.set(HEADERS);
    next();
  });
  app.get('/healthz', (_, response) => {
    response.set('Cache-Control', 'no-store').type('text').send('ok\n');
  });
  app.get('/config.json', (request, response) => {
    response.set('Cache-Control', 'no-store').json(configFor(request.hostname, settings, ports));
  });
  broker?.mount(app);
  app.use(pages.handler);
  return app;
}

/** What a page is told that was asked for at a host, as its asker wrote it. */
function configFor(asked: string | undefined, settings: ServerSettings, ports: Ports): ServedConfig {
  // On this machine itself a page would learn its loopback address from STUN, and give its friends a link to
  // their own machines.
  const onThisMachine = asked !== undefined && isLoopback(asked) && isEverywhere(settings.host);
  const address = onThisMachine ? networkAddresses().find((found) => isIPv4(found)) : undefined;
  const stun = stunUrl(onThisMachine ? (address ?? '127.0.0.1') : asked, ports.stun);
  const config = pageConfig(settings.ice, settings.broker, stun, Date.now() / 1000);
  if (address === undefined || ports.https === null) return config;
  return { ...config, networkUrl: urlOf('https', address, ports.https) };
}

/** Hands a WebSocket's beginning to whom it is for: the broker, or vite; all others are refused. */
export function routeUpgrade(
  broker: Broker | null,
  pages: Pages,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  // A connection that breaks now must not end the process.
  socket.on('error', () => undefined);
  const path = request.url?.replace(/\?.*$/s, '');
  if (broker !== null && path === BROKER_SOCKET_PATH) broker.upgrade(request, socket, head);
  else if (!pages.upgrade(request, socket, head)) {
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  }
}
