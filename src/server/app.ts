import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import express from 'express';
import type { Broker } from './broker.ts';
import { BROKER_SOCKET_PATH } from './broker.ts';
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

/** All that is answered over HTTP; the port of STUN is asked for at each request. */
export function createApp(
  settings: ServerSettings,
  broker: Broker | null,
  pages: Pages,
  stunPort: () => number | null,
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
    const stun = stunUrl(request.hostname, stunPort());
    response.set('Cache-Control', 'no-store');
    response.json(pageConfig(settings.ice, settings.broker, stun, Date.now() / 1000));
  });
  broker?.mount(app);
  app.use(pages.handler);
  return app;
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
