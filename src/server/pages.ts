import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { contentSecurityPolicy } from './policy.ts';
import type { OutsideBroker } from './settings.ts';
import { SetupError } from './settings.ts';

/** The pages of a server: from the sources while working on them, or as they were built. */
export type Pages = {
  readonly handler: RequestHandler;
  /** Takes an upgrade that is its own; false if it is not. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
};

export type SourceOptions = {
  readonly root: string;
  /** Whether pages change by themselves when a file is saved. */
  readonly live: boolean;
  /** Where vite keeps what it has prepared; undefined for its own place. */
  readonly cache?: string | undefined;
};

/** Serves the sources through vite. */
export async function sourcePages(options: SourceOptions, broker: OutsideBroker | null): Promise<Pages> {
  const { root, live, cache } = options;
  // Vite is not there in production.
  const { createServer: createVite } = await import('vite');
  // Never listens: vite hears here of the upgrades that are its own, whichever port they came by.
  const ear = createServer();
  const vite = await createVite({
    root,
    // There is one page; what is not there is a 404.
    appType: 'mpa',
    ...(cache === undefined ? {} : { cacheDir: cache }),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      middlewareMode: true,
      ws: { server: ear },
      // Names that only the local network gives can't be an attacker's.
      allowedHosts: ['.local'],
      ...(live ? {} : { hmr: false, watch: { ignored: ['**'] } }),
    },
  });
  const handler: RequestHandler = (request, response, next) => {
    // Somebody may just have changed it.
    const html = readFileSync(join(root, 'index.html'), 'utf8');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(html, originOf(broker)));
    vite.middlewares(request, response, next);
  };
  return {
    handler,
    upgrade: (request, socket, head) => {
      if (!/^vite-(?:hmr|ping)$/.test(request.headers['sec-websocket-protocol'] ?? '')) return false;
      return ear.emit('upgrade', request, socket, head);
    },
    close: () => vite.close(),
  };
}

function originOf(broker: OutsideBroker | null): string | null {
  return broker && `${broker.secure ? 'https' : 'http'}://${broker.host}:${broker.port}`;
}

/**
 * Serves a folder of built pages.
 * @throws SetupError with one sentence if nothing was built.
 */
export function builtPages(folder: string, broker: OutsideBroker | null): Pages {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) throw new SetupError('There are no built pages: do "npm run build" first.');
  const policy = contentSecurityPolicy(readFileSync(index, 'utf8'), originOf(broker));
  const files = sirv(folder, {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders: (response, path) => {
      // What is in assets/ has its content's hash in its name.
      const isHashed = path.startsWith('/assets/');
      response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('Content-Security-Policy', policy);
    },
  });
  const handler: RequestHandler = (request, response, next) => {
    // Always whole files: sirv throws at a range that makes no sense.
    delete request.headers.range;
    files(request, response, next);
  };
  return { handler, upgrade: () => false, close: () => Promise.resolve() };
}
