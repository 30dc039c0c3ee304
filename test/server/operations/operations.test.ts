import { once } from 'node:events';
import { request as requestHttps } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ownCertificate } from '../../../src/server/certificate.ts';
import { SecurityLog } from '../../../src/server/operations/refusals.ts';
import type { Server } from '../../../src/server/server.ts';
import { startServer } from '../../../src/server/server.ts';
import type { Environment } from '../../../src/server/settings/settings.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { connectBroker, upgrade } from '../broker/broker-client.ts';
import { temporaryFolder } from '../folders.ts';

type Line = Readonly<Record<string, unknown>>;

/** Collects the lines of a log. */
function collector(): { readonly lines: Line[]; write(text: string): void } {
  const lines: Line[] = [];
  return { lines, write: (text) => void lines.push(JSON.parse(text) as Line) };
}

/** Starts a server of one built page that writes its logs into `lines`. */
async function serve(environment: Environment = {}): Promise<{ server: Server; lines: Line[] }> {
  const folder = temporaryFolder({ 'index.html': '<!doctype html>' });
  const settings = readSettings('serve', {
    HOST: '127.0.0.1',
    PORT: '0',
    STUN_PORT: 'off',
    HANDOVER_STUN: 'off',
    ...environment,
  });
  const logs = collector();
  const server = await startServer(settings, { built: folder, certificates: join(folder, '.c'), logs });
  onTestFinished(() => server.close());
  return { server, lines: logs.lines };
}

/** Returns the headers of a server's answer over HTTPS; any certificate is accepted. */
function headersOf(url: string): Promise<IncomingMessage['headers']> {
  return new Promise((resolve, reject) => {
    requestHttps(url, { rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.headers);
    })
      .on('error', reject)
      .end();
  });
}

describe('logs', () => {
  test('the request log has each request, without the code of a room', async () => {
    const { server, lines } = await serve({ LOG: 'requests' });
    await (await fetch(`${server.url}?room=ABCDE`)).text();
    await (await fetch(`${server.url}nothing`)).text();
    const requests = (): typeof lines => lines.filter(({ log }) => log === 'requests');
    // An answer may arrive before the server has noted that it is out.
    await vi.waitFor(() => expect(requests()).toHaveLength(2));
    await server.close();
    const at = (path: string) => requests().find((request) => request.path === path);
    const page = { method: 'GET', status: 200, whole: true, network: 'this machine', msg: 'answered' };
    expect(at('/')).toMatchObject(page);
    expect(at('/nothing')).toMatchObject({ method: 'GET', status: 404 });
    expect(JSON.stringify(lines)).not.toContain('ABCDE');
    expect(Object.keys(requests()[0])).not.toContain('hostname');
  });

  test('the security log has what was refused, and nothing else', async () => {
    const { server, lines } = await serve({ TRUST_PROXY: '127.0.0.1' });
    await (await fetch(server.url)).text();
    const mallory = await connectBroker(server.url, 'mallory', 't', { 'X-Forwarded-For': '203.0.113.9' });
    mallory.send({ type: 'LEAVE', dst: 'ada' });
    await mallory.closed;
    for (let i = 0; i < 3; i++) expect(await upgrade(server.url, 'nowhere')).toBe(404);
    await server.close();
    expect(lines).toMatchObject([
      { level: 40, log: 'security', why: 'form', network: '203.0.113.9', count: 1, msg: 'refused' },
      { level: 40, log: 'security', why: 'path', network: 'this machine', count: 3, msg: 'refused' },
    ]);
  });

  test('a header that nobody may send here is noted, so that a forgotten TRUST_PROXY shows', async () => {
    const { server, lines } = await serve();
    await (await fetch(server.url, { headers: { 'X-Forwarded-For': '203.0.113.9' } })).text();
    await server.close();
    expect(lines).toMatchObject([{ why: 'forwarded', network: 'this machine', count: 1 }]);
  });

  test('are silent when they are off', async () => {
    const { server, lines } = await serve({ LOG: 'off' });
    await upgrade(server.url, 'nowhere');
    await server.close();
    expect(lines).toEqual([]);
  });

  test('[F1] a flood of refusals gives few lines', () => {
    const logs = collector();
    const log = new SecurityLog(pino({}, logs));
    for (let i = 0; i < 1000; i++) for (let k = 0; k < 300; k++) log.refused('doors', `198.51.100.${k}`);
    log.close();
    expect(logs.lines).toHaveLength(101);
    expect(logs.lines[0]).toMatchObject({ network: '198.51.100.0', count: 1000 });
    expect(logs.lines[100]).toMatchObject({ count: 200_000, msg: 'refused others' });
  });
});

describe('metrics', () => {
  test('answer at a port of their own, at loopback, and count what happens', async () => {
    const { server } = await serve({ METRICS_PORT: '0' });
    const url = `http://127.0.0.1:${server.metricsPort}/metrics`;
    expect((await fetch(`${server.url}metrics`)).status).toBe(404);
    expect((await fetch(url.replace('metrics', ''))).status).toBe(404);
    const [ada, bob] = [await connectBroker(server.url, 'ada'), await connectBroker(server.url, 'bob')];
    await Promise.all([ada.next(), bob.next()]);
    ada.send({ type: 'OFFER', dst: 'bob' });
    await bob.next();
    await upgrade(server.url, 'nowhere');
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    expect(text).toContain('\nhandover_broker_sockets 2\n');
    expect(text).toContain('\nhandover_broker_ids 2\n');
    expect(text).toContain('\nhandover_broker_unread_bytes 0\n');
    expect(text).toContain('\nhandover_broker_messages_total{type="OFFER"} 1\n');
    expect(text).toContain('\nhandover_refused_total{why="path"} 1\n');
    expect(text).toContain('\nhandover_http_request_seconds_count{method="GET",status="404"} 1\n');
    expect(text).toMatch(/\nprocess_resident_memory_bytes \d+\n/);
  });

  test('are off unless they are asked for', async () => {
    const { server } = await serve();
    expect(server.metricsPort).toBeNull();
  });

  test('at a port that is taken give one sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(serve({ METRICS_PORT: String(port) })).rejects.toThrow(
      `Port ${port} is taken: stop what uses it, or set METRICS_PORT to another one.`,
    );
  });
});

test('a server is ready while its broker runs, and healthy all the time', async () => {
  const { server } = await serve();
  const statuses = (): Promise<number[]> =>
    Promise.all(['readyz', 'healthz'].map(async (path) => (await fetch(server.url + path)).status));
  expect(await statuses()).toEqual([200, 200]);
  await server.stopBroker();
  expect(await statuses()).toEqual([503, 200]);
  server.startBroker();
  expect(await statuses()).toEqual([200, 200]);
});

test('HTTPS with a given certificate asks browsers to stay with it; with our own one it never does', async () => {
  const folder = temporaryFolder();
  await ownCertificate(folder, ['localhost', '127.0.0.1']);
  const given = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
  const header = 'strict-transport-security';
  const { server } = await serve({ HTTPS_PORT: '0', ...given });
  expect((await headersOf(server.secureUrl ?? ''))[header]).toMatch(/^max-age=\d{8}$/);
  expect((await fetch(server.url)).headers.has(header), 'by HTTP it means nothing').toBe(false);
  const { server: own } = await serve({ HTTPS_PORT: '0' });
  expect((await headersOf(own.secureUrl ?? ''))[header]).toBeUndefined();
});
