import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
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
export async function sourcePages({ root, live, cache }: SourceOptions): Promise<Pages> {
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
  return {
    handler: vite.middlewares,
    upgrade: (request, socket, head) => {
      if (!/^vite-(?:hmr|ping)$/.test(request.headers['sec-websocket-protocol'] ?? '')) return false;
      return ear.emit('upgrade', request, socket, head);
    },
    close: () => vite.close(),
  };
}

/**
 * Serves a folder of built pages.
 * @throws SetupError with one sentence if nothing was built.
 */
export function builtPages(folder: string, broker: OutsideBroker | null): Pages {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) throw new SetupError('There are no built pages: do "npm run build" first.');
  const policy = contentSecurityPolicy(readFileSync(index, 'utf8'), broker);
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

/** What the pages may load and do. The scripts that stand in the HTML are allowed by their hashes. */
function contentSecurityPolicy(html: string, broker: OutsideBroker | null): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, script]) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
  // 'self' does not cover WebSockets in every browser.
  const connect = ["'self'", 'ws:', 'wss:', 'data:', 'blob:'];
  if (broker !== null) connect.push(`${broker.secure ? 'https' : 'http'}://${broker.host}:${broker.port}`);
  return [
    "default-src 'self'",
    // The physics engine is WebAssembly.
    ["script-src 'self' 'wasm-unsafe-eval'", ...inline].join(' '),
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    `connect-src ${connect.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}
