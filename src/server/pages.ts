import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { contentSecurityPolicy } from './content-security-policy.ts';
import type { OutsideBroker } from './settings/services.ts';
import { SetupError } from './settings/reading.ts';

/** The pages of a server: from the sources during development, or from a build. */
export type Pages = {
  readonly handler: RequestHandler;
  /** Takes an upgrade for vite; returns false for any other. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
};

/** How the sources are served. */
export type SourceOptions = {
  readonly root: string;
  /** Whether pages update by themselves when a file is saved. */
  readonly live: boolean;
  /** The folder of vite's cache; undefined for vite's default. */
  readonly cache?: string | undefined;
};

/** Serves the sources through vite. */
export async function sourcePages(options: SourceOptions, broker: OutsideBroker | null): Promise<Pages> {
  const { root, live, cache } = options;
  // Vite is not installed in production.
  const { createServer: createVite } = await import('vite');
  // This server never listens. It passes vite's upgrades to vite, from whichever port they came.
  const upgrades = createServer();
  const vite = await createVite({
    root,
    // There is only one page; any other path is a 404.
    appType: 'mpa',
    ...(cache === undefined ? {} : { cacheDir: cache }),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      middlewareMode: true,
      ws: { server: upgrades },
      // Only the local network gives such names, so they can't belong to an attacker.
      allowedHosts: ['.local'],
      ...(live ? {} : { hmr: false, watch: { ignored: ['**'] } }),
    },
  });
  const handler: RequestHandler = (request, response, next) => {
    // Read at each request, because the file may have changed.
    const html = readFileSync(join(root, 'index.html'), 'utf8');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(html, originOf(broker)));
    vite.middlewares(request, response, next);
  };
  return {
    handler,
    upgrade: (request, socket, head) => {
      if (!/^vite-(?:hmr|ping)$/.test(request.headers['sec-websocket-protocol'] ?? '')) return false;
      return upgrades.emit('upgrade', request, socket, head);
    },
    close: () => vite.close(),
  };
}

function originOf(broker: OutsideBroker | null): string | null {
  return broker && `${broker.secure ? 'https' : 'http'}://${broker.host}:${broker.port}`;
}

/**
 * Serves a folder of built pages.
 * @throws SetupError with one sentence if there is no build.
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
      // The files in assets/ have a hash of their contents in their names.
      const isHashed = path.startsWith('/assets/');
      response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('Content-Security-Policy', policy);
    },
  });
  const handler: RequestHandler = (request, response, next) => {
    // Always whole files: sirv throws if a range is invalid.
    delete request.headers.range;
    files(request, response, next);
  };
  return { handler, upgrade: () => false, close: () => Promise.resolve() };
}
