import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { InlineConfig } from 'vite';
import { build } from 'vite';
import { createBroker } from '../../../src/server/broker/broker.ts';
import { launchBrowserServer } from './browser.ts';
import { startBuiltServer, TEST_LIMITS } from './server.ts';
import type { Shared } from './shared.ts';

/** The process that shared.ts describes. It writes `Shared` as one line of JSON, and ends with its input. */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Pages of the tests' own, beside those that players get. */
const TEST_PAGES = ['effects', 'headset-view', 'own-world', 'voice-graph'].map(
  (name) => `test/e2e/pages/${name}.html`,
);

async function buildPages(outDir: string): Promise<void> {
  const common: InlineConfig = { root: ROOT, logLevel: 'error' };
  const options = { outDir, reportCompressedSize: false };
  await build({ ...common, build: { ...options, emptyOutDir: true } });
  await build({
    ...common,
    publicDir: false,
    build: { ...options, emptyOutDir: false, manifest: false, rolldownOptions: { input: TEST_PAGES } },
  });
}

/** A broker that POST /stop and POST /start stop and start, also from pages of another origin. Returns its port. */
async function startShakyBroker(): Promise<number> {
  const broker = createBroker({ limits: TEST_LIMITS });
  const app = express();
  const done = (response: express.Response): void =>
    void response.set('Access-Control-Allow-Origin', '*').end();
  app.post('/stop', (_, response) => void broker.stop().then(() => done(response)));
  app.post('/start', (_, response) => {
    broker.start();
    done(response);
  });
  broker.mount(app);
  const server = createServer(app);
  server.on('upgrade', (request, socket, head) => broker.upgrade(request, socket, head));
  return bind(server);
}

function bind(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** A port at which nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  const port = await bind(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

process.stdin.on('end', () => process.exit()).resume();
const folder = mkdtempSync(join(tmpdir(), 'handover-pages-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
const [browser, wholeBrowser] = await Promise.all([
  launchBrowserServer('light'),
  launchBrowserServer('whole'),
  buildPages(folder),
]);
const server = await startBuiltServer(folder);
const shared: Shared = {
  browser: browser.wsEndpoint(),
  wholeBrowser: wholeBrowser.wsEndpoint(),
  folder,
  pages: server.url,
  ports: {
    steady: Number(new URL(server.url).port),
    shaky: await startShakyBroker(),
    dead: await deadPort(),
  },
};
console.log(JSON.stringify(shared));
