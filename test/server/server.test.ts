import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as requestHttps } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { networkAddresses } from '../../src/server/addresses.ts';
import type { ServedConfig } from '../../src/server/page-config.ts';
import type { Server } from '../../src/server/server.ts';
import { startServer } from '../../src/server/server.ts';
import type { Environment } from '../../src/server/settings/settings.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { connectBroker, upgrade } from './broker/broker-client.ts';
import { temporaryFolder } from './folders.ts';

const SCRIPT = 'document.title = "hello";';
const BUILT = {
  'index.html': `<!doctype html><script>${SCRIPT}</script><script type="module" src="/assets/a-1.js"></script>`,
  'config.json': 'of a static site',
  'assets/a-1.js': 'plain',
  'assets/a-1.js.gz': 'gzipped',
  '.vite/manifest.json': '{}',
};

/** Starts a server of built pages on free ports; only this machine can reach it. */
async function serve(environment: Environment = {}): Promise<Server> {
  const folder = temporaryFolder(BUILT);
  const settings = readSettings('serve', {
    HOST: '127.0.0.1',
    PORT: '0',
    STUN_PORT: '0',
    HANDOVER_STUN: 'off',
    LOG: 'off',
    ...environment,
  });
  const server = await startServer(settings, { built: folder, certificates: join(folder, '.certificates') });
  onTestFinished(() => server.close());
  return server;
}

/** Returns status and text of a server's answer; any certificate is accepted. */
function getSecurely(url: string): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    requestHttps(url, { rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        resolve([response.statusCode, text]);
      });
    })
      .on('error', reject)
      .end();
  });
}

describe('built pages', () => {
  test('are served with headers that protect them', async () => {
    const { url } = await serve();
    const page = await fetch(url);
    expect(await page.text()).toBe(BUILT['index.html']);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('permissions-policy')).toContain('microphone=(self), xr-spatial-tracking=(self)');
    const hash = createHash('sha256').update(SCRIPT).digest('base64');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`);
    expect(policy).toContain("worker-src 'self' blob:");
    expect(page.headers.has('x-powered-by')).toBe(false);
  });

  test('are cached for ever if their names have a hash, and sent compressed if they are compressed', async () => {
    const { url } = await serve();
    const script = await fetch(`${url}assets/a-1.js`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(await script.text()).toBe('plain');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const packed = await fetch(`${url}assets/a-1.js`, { headers: { 'Accept-Encoding': 'gzip' } }).catch(
      (error: unknown) => error,
    );
    // The sample is not real gzip, so fetch fails; the header has arrived before.
    expect(packed instanceof Response && packed.headers.get('content-encoding')).toBe('gzip');
  });

  test('are sent whole, whatever range is requested', async () => {
    const { url } = await serve();
    const part = await fetch(url, { headers: { Range: 'bytes=4-1' } });
    expect(await part.text()).toBe(BUILT['index.html']);
  });

  test('are the only files that are served', async () => {
    const { url } = await serve();
    const paths = [
      'nothing',
      '.vite/manifest.json',
      '..%2f..%2fetc/passwd',
      'assets/%ff',
      'src/pages/main.ts',
    ];
    for (const path of paths) expect((await fetch(url + path)).status).toBe(404);
    expect(await (await fetch(`${url}healthz`)).text()).toBe('ok\n');
  });

  test('are missing without a build', async () => {
    const settings = readSettings('serve', { HOST: '127.0.0.1', PORT: '0', STUN_PORT: 'off' });
    await expect(startServer(settings, { built: temporaryFolder() })).rejects.toThrow(
      'There are no built pages: do "npm run build" first.',
    );
  });
});

describe('config.json', () => {
  test("is the server's own, and names its STUN by the host that was asked for", async () => {
    const server = await serve();
    const response = await fetch(`${server.url}config.json`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      broker: null,
      iceServers: [{ urls: [`stun:127.0.0.1:${server.stunPort}`] }],
      relayOnly: false,
    });
  });

  test('gives a page on this machine an address that others can use too, if there is one', async () => {
    const server = await serve({ HOST: '', HTTPS_PORT: '0' });
    const address = networkAddresses().find((found) => !found.includes(':'));
    const config = (await (await fetch(`${server.url}config.json`)).json()) as ServedConfig;
    const { hostname } = new URL(server.url);
    const { port } = new URL(server.secureUrl ?? '');
    expect(hostname).toBe('localhost');
    expect(config.iceServers[0].urls).toEqual([`stun:${address ?? '127.0.0.1'}:${server.stunPort}`]);
    expect(config.networkUrl).toBe(address && `https://${address}:${port}/`);
    expect(config.ownCertificate).toBe(address && true);
  });

  test("believes a proxy's headers only when told to", async () => {
    const headers = { 'X-Forwarded-Host': 'cubes.example' };
    const [plain, proxied] = [await serve(), await serve({ TRUST_PROXY: '127.0.0.1' })];
    const urls = async ({ url }: Server): Promise<string> =>
      (await fetch(`${url}config.json`, { headers })).text();
    expect(await urls(plain)).toContain('stun:127.0.0.1:');
    expect(await urls(proxied)).toContain('stun:cubes.example:');
  });
});

describe('the broker', () => {
  test('sends OPEN over HTTP and HTTPS, and is the same behind both', async () => {
    const server = await serve({ HTTPS_PORT: '0' });
    const [status, text] = await getSecurely(`${server.secureUrl}healthz`);
    expect((await getSecurely(`${server.secureUrl}config.json`))[1]).toContain('"ownCertificate":true');
    expect([status, text]).toEqual([200, 'ok\n']);
    const ada = await connectBroker(server.url, 'ada');
    const bob = await connectBroker(server.secureUrl ?? '', 'bob');
    expect([await ada.next(), await bob.next()]).toEqual([{ type: 'OPEN' }, { type: 'OPEN' }]);
    ada.send({ type: 'OFFER', dst: 'bob', payload: { sdp: 'words' } });
    expect(await bob.next()).toEqual({ type: 'OFFER', src: 'ada', dst: 'bob', payload: { sdp: 'words' } });
    bob.send({ type: 'ANSWER', dst: 'ada', payload: {} });
    expect(await ada.next()).toMatchObject({ type: 'ANSWER', src: 'bob' });
  });

  test('gives ids, but no list of clients', async () => {
    const { url } = await serve();
    expect((await fetch(`${url}broker/peerjs/id`)).status).toBe(200);
    expect((await fetch(`${url}broker/peerjs/peers`)).status).toBe(401);
  });

  test('gives an id to one client, or to the same client again', async () => {
    const { url } = await serve();
    const ada = await connectBroker(url, 'ada');
    await ada.next();
    const stranger = await connectBroker(url, 'ada', 'another token');
    expect((await stranger.next()).type).toBe('ID-TAKEN');
    const back = await connectBroker(url, 'ada');
    expect(await back.next()).toEqual({ type: 'OPEN' });
    await ada.closed;
    const bob = await connectBroker(url, 'bob');
    bob.send({ type: 'OFFER', dst: 'ada', payload: {} });
    expect(await back.next()).toMatchObject({ type: 'OFFER', src: 'bob' });
  });

  test.each(['', '{', 'null', '5', '[]', '{"type":"toString","dst":{}}', '{"type":"LEAVE","dst":"ada"}'])(
    'ends who sends what no page sends (%j), and goes on',
    async (text) => {
      const { url } = await serve();
      const [ada, mallory] = await Promise.all(['ada', 'mallory'].map((id) => connectBroker(url, id)));
      mallory.socket.send(text);
      expect(await mallory.closed).toBe(1006);
      ada.send({ type: 'OFFER', dst: 'ada' });
      await ada.next();
      expect(await ada.next()).toMatchObject({ type: 'OFFER' });
    },
  );

  test('ends a client that sends too much, and goes on', async () => {
    const { url } = await serve();
    const [ada, bob, eve] = await Promise.all(['ada', 'bob', 'eve'].map((id) => connectBroker(url, id)));
    bob.socket.send(Buffer.alloc(70_000));
    expect(await bob.closed).toBe(1009);
    for (let i = 0; i < 40; i++) eve.send({ type: 'OFFER', dst: 'none', payload: 'x'.repeat(30_000) });
    expect(await eve.closed).toBe(1006);
    ada.send({ type: 'OFFER', dst: 'ada' });
    await ada.next();
    expect(await ada.next()).toMatchObject({ type: 'OFFER' });
  });

  test('answers only below its own path', async () => {
    const { url } = await serve();
    expect(await upgrade(url, 'broker/peerjs?key=peerjs&id=a&token=t')).toBe('open');
    expect(await upgrade(url, 'broker')).toBe(404);
    expect(await upgrade(url, '')).toBe(404);
    expect(await upgrade(url, '', 'vite-hmr')).toBe(404);
  });

  test('can be stopped, and started again', async () => {
    const server = await serve();
    const ada = await connectBroker(server.url, 'ada');
    await server.stopBroker();
    expect(await ada.closed).toBe(1001);
    expect(await upgrade(server.url, 'broker/peerjs?key=peerjs&id=a&token=t')).toBe(503);
    expect((await fetch(`${server.url}broker/peerjs/id`)).status).toBe(503);
    expect((await fetch(server.url)).status).toBe(200);
    server.startBroker();
    expect(await (await connectBroker(server.url, 'ada')).next()).toEqual({ type: 'OPEN' });
  });

  test('does not run here if it is elsewhere', async () => {
    const server = await serve({ HANDOVER_BROKER: 'https://b.example/p' });
    expect(server.brokerPath).toBeNull();
    expect(await upgrade(server.url, 'broker/peerjs?key=peerjs&id=a&token=t')).toBe(404);
    expect((await fetch(`${server.url}broker/peerjs/id`)).status).toBe(404);
    expect((await fetch(server.url)).headers.get('content-security-policy')).toContain(
      'https://b.example:443',
    );
  });
});

describe('ports', () => {
  /** Takes a port of this machine, and returns it. */
  async function takenPort(): Promise<number> {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    return (other.address() as AddressInfo).port;
  }

  test.each(['PORT', 'HTTPS_PORT'])('%s that was set and is taken gives one sentence', async (name) => {
    const port = await takenPort();
    await expect(serve({ [name]: String(port) })).rejects.toThrow(
      `Port ${port} is taken: stop what uses it, or set ${name} to another one.`,
    );
  });

  test('a default port that is taken is replaced by the next one', async () => {
    const port = await takenPort();
    const folder = temporaryFolder(BUILT);
    const settings = readSettings('serve', { HOST: '127.0.0.1', STUN_PORT: 'off' });
    const server = await startServer({ ...settings, http: { port, movable: true } }, { built: folder });
    onTestFinished(() => server.close());
    expect(Number(new URL(server.url).port)).toBeGreaterThan(port);
  });

  test('a host that is not an address of this machine gives one sentence', async () => {
    await expect(serve({ HOST: '192.0.2.99' })).rejects.toThrow('HOST is not an address of this machine.');
  });

  test('neither a failed start nor a close leaves anything behind', async () => {
    const port = await takenPort();
    const first = await serve();
    const { port: free } = new URL(first.url);
    await first.close();
    await expect(serve({ PORT: free, HTTPS_PORT: String(port) })).rejects.toThrow(`Port ${port} is taken`);
    expect(new URL((await serve({ PORT: free })).url).port).toBe(free);
  });
});

describe('sources, through vite', () => {
  let server: Server;
  beforeAll(async () => {
    const settings = readSettings('start', {
      HOST: '127.0.0.1',
      PORT: '0',
      HTTPS_PORT: '0',
      STUN_PORT: 'off',
    });
    server = await startServer(settings, { live: false, viteCache: 'node_modules/.vite/server-test' });
  });
  afterAll(() => server.close());

  test('are served over HTTP and HTTPS', async () => {
    const script = await (await fetch(`${server.url}src/pages/main.ts`)).text();
    expect(script).toContain('location.search');
    expect(await getSecurely(`${server.secureUrl}src/pages/main.ts`)).toEqual([200, script]);
    expect((await fetch(`${server.url}nothing`)).status).toBe(404);
  });

  test('the sockets of vite and of the broker are kept apart, over HTTP and HTTPS', async () => {
    for (const url of [server.url, server.secureUrl ?? '']) {
      // Without a page's token, vite accepts only clients without an origin.
      expect(await upgrade(url, '', 'vite-hmr')).toBe('open');
      expect(await upgrade(url, '', 'other')).toBe(404);
      expect(await upgrade(url, 'other')).toBe(404);
      expect(await (await connectBroker(url, `at-${new URL(url).port}`)).next()).toEqual({ type: 'OPEN' });
    }
  });

  test("the certificate's key is not among them", async () => {
    const key = await fetch(`${server.url}node_modules/.cache/handover/key.pem`);
    expect(key.status).toBe(403);
  });
});
