import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import express from 'express';
import { isEverywhere, isLoopback, networkAddresses, urlOf } from './addresses.ts';
import type { Broker } from './broker/broker.ts';
import { BROKER_SOCKET_PATH } from './broker/broker.ts';
import type { ServedConfig } from './page-config.ts';
import { pageConfig, stunUrl } from './page-config.ts';
import type { Pages } from './pages.ts';
import type { ServerSettings } from './settings.ts';

/** Headers of every answer: they limit what a page may ask the browser for, and what it tells other sites. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  // A page's address contains its room's code.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'microphone=(self), xr-spatial-tracking=(self), camera=(), geolocation=()',
};

/** The ports besides HTTP; null if off, or if the part does not run yet. */
export type Ports = { stun: number | null; https: number | null };

/**
 * Creates the app that answers all HTTP requests.
 * @param broker null if the broker is elsewhere.
 * @param ports may be completed after this call.
 */
export function createApp(
  settings: ServerSettings,
  broker: Broker | null,
  pages: Pages,
  ports: Readonly<Ports>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxy);
  // In other modes Express sends the stack of an error to the client.
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

/**
 * Returns the configuration for a page.
 * @param asked the host of the request, as the client wrote it.
 */
function configFor(asked: string | undefined, settings: ServerSettings, ports: Ports): ServedConfig {
  // From this machine itself, STUN would answer with the loopback address, and the link for friends would
  // lead to their own machines.
  const onThisMachine = asked !== undefined && isLoopback(asked) && isEverywhere(settings.host);
  const address = onThisMachine ? networkAddresses().find((found) => isIPv4(found)) : undefined;
  const stun = stunUrl(onThisMachine ? (address ?? '127.0.0.1') : asked, ports.stun);
  const config = pageConfig(settings.ice, settings.broker, stun, Date.now() / 1000);
  if (address === undefined || ports.https === null) return config;
  return { ...config, networkUrl: urlOf('https', address, ports.https) };
}

/** Passes a WebSocket upgrade to the broker or to vite; refuses all others. */
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
