import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isEverywhere, machineNames, networkAddresses, urlOf } from './addresses.ts';
import type { Ports } from './app.ts';
import { createApp, routeUpgrade } from './app.ts';
import { BROKER_PATH, createBroker } from './broker/broker.ts';
import type { Certificate } from './certificate.ts';
import { ownCertificate, readCertificate } from './certificate.ts';
import type { Pages } from './pages.ts';
import { builtPages, sourcePages } from './pages.ts';
import { takePort } from './ports.ts';
import type { PortWish, ServerSettings } from './settings.ts';
import { startStun } from './stun.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders and switches for tests; each has a default. */
export type ServerOptions = {
  /** Whether pages update by themselves when a file is saved; true by default. */
  readonly live?: boolean;
  /** The folder of vite's cache. */
  readonly viteCache?: string;
  /** The folder in which the server stores its certificate. */
  readonly certificates?: string;
  /** The folder of the built pages. */
  readonly built?: string;
};

/** A running server. */
export type Server = {
  /** The pages' address on this machine, with a slash at its end. HTTPS if HTTP is off. */
  readonly url: string;
  /** The same with HTTPS; null if HTTPS is off. */
  readonly secureUrl: string | null;
  /** The UDP port of STUN; null if STUN is off. */
  readonly stunPort: number | null;
  /** The path of the broker, for PeerJS; null if the broker is elsewhere. */
  readonly brokerPath: string | null;
  /** Ends the broker's connections and accepts no new ones, as if it had failed; the pages go on. */
  stopBroker(): Promise<void>;
  startBroker(): void;
  /** Ends everything. */
  close(): Promise<void>;
};

/**
 * Starts pages, broker and STUN. Prints nothing.
 * @throws SetupError with one sentence if a part can't start; the others are closed then.
 */
export async function startServer(settings: ServerSettings, options: ServerOptions = {}): Promise<Server> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map((closer) => closer()));
  };
  try {
    return { ...(await startParts(settings, options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the parts one by one, and adds a closing function for each. */
async function startParts(
  settings: ServerSettings,
  options: ServerOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<Server, 'close'>> {
  const pages = await pagesFor(settings, options);
  closers.push(() => pages.close());
  const broker = settings.broker === null ? createBroker(settings.trustProxy) : null;
  if (broker !== null) closers.push(() => broker.stop());

  const ports: Ports = { stun: null, https: null };
  const app = createApp(settings, broker, pages, ports) as RequestListener;
  const listen = async (server: HttpServer, wish: PortWish, setting: string): Promise<AddressInfo> => {
    server.on('upgrade', (request, socket, head) => {
      routeUpgrade(broker, pages, request, socket, head);
    });
    const address = await takePort(wish, setting, (port) => bind(server, port, settings.host));
    closers.push(() => closeHttp(server));
    return address;
  };
  const http = settings.http && (await listen(createHttp(app), settings.http, 'PORT'));
  const https =
    settings.https &&
    (await listen(createHttps(await certificateFor(settings, options), app), settings.https, 'HTTPS_PORT'));
  const first = http ?? https;
  ports.https = https && https.port;
  if (first === null) throw new Error('HTTP and HTTPS are both off, which readSettings refuses');
  if (settings.stunPort !== null) {
    const responder = await startStun(settings.stunPort, first.address);
    closers.push(() => responder.close());
    ports.stun = responder.port;
  }

  const host = settings.host === undefined || isEverywhere(settings.host) ? 'localhost' : settings.host;
  return {
    url: urlOf(http === null ? 'https' : 'http', host, first.port),
    secureUrl: https && urlOf('https', host, https.port),
    stunPort: ports.stun,
    brokerPath: broker && BROKER_PATH,
    stopBroker: async () => broker?.stop(),
    startBroker: () => broker?.start(),
  };
}

async function certificateFor(settings: ServerSettings, options: ServerOptions): Promise<Certificate> {
  if (settings.tlsFiles !== null) return readCertificate(settings.tlsFiles);
  const folder = options.certificates ?? join(ROOT, 'node_modules/.cache/handover');
  return ownCertificate(folder, [...machineNames(), '127.0.0.1', '::1', ...networkAddresses()]);
}

async function pagesFor(settings: ServerSettings, options: ServerOptions): Promise<Pages> {
  if (settings.mode === 'serve') return builtPages(options.built ?? join(ROOT, 'dist'), settings.broker);
  const source = { root: ROOT, live: options.live ?? true, cache: options.viteCache };
  return sourcePages(source, settings.broker);
}

function bind(server: HttpServer, port: number, host: string | undefined): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function closeHttp(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
