import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** The project's pages, served as `npm start` serves them. */
export type PageServer = {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * Starts the dev server on a free port of this machine alone. It does not watch files: a page under test
 * must not reload because somebody saved one.
 */
export async function startServer(): Promise<PageServer> {
  const server = await createServer({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    cacheDir: 'node_modules/.vite/e2e',
    logLevel: 'warn',
    clearScreen: false,
    server: { host: '127.0.0.1', port: 0, strictPort: false, hmr: false, watch: null, open: false },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (address === null || typeof address !== 'object') {
    await server.close();
    throw new Error('The dev server has no port.');
  }
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
