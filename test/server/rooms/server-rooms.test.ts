import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { readRoomCode } from '../../../src/core/room/code.ts';
import { readRoomId } from '../../../src/core/room/identity/key.ts';
import type { Server } from '../../../src/server/server.ts';
import { startServer } from '../../../src/server/server.ts';
import type { Environment } from '../../../src/server/settings.ts';
import { readSettings } from '../../../src/server/settings.ts';
import { doorId } from '../../../src/transport/station.ts';
import { connectBroker } from '../broker/broker-client.ts';
import { temporaryFolder } from '../folders.ts';

const PILE = { level: { id: 'pile', seed: 1 } };

async function serve(environment: Environment): Promise<Server> {
  const folder = temporaryFolder({ 'index.html': '<!doctype html>', '.vite/manifest.json': '{}' });
  const settings = readSettings('serve', {
    HOST: '127.0.0.1',
    PORT: '0',
    STUN_PORT: 'off',
    HANDOVER_STUN: 'off',
    LOG: 'off',
    METRICS_PORT: '0',
    ...environment,
  });
  const server = await startServer(settings, { built: folder, certificates: join(folder, '.certificates') });
  onTestFinished(() => server.close());
  return server;
}

type Answer = { readonly code?: string; readonly room?: string; readonly why?: string };

type Asked = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

/** Asks for a room as a page does, unless told otherwise. */
async function ask(
  { url }: Server,
  { body = JSON.stringify(PILE), headers = {} }: Asked = {},
): Promise<{ readonly status: number; readonly answer: Answer }> {
  const type = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}rooms`, { method: 'POST', body, headers: { ...type, ...headers } });
  const text = await response.text();
  return { status: response.status, answer: text.startsWith('{') ? (JSON.parse(text) as Answer) : {} };
}

async function metric({ metricsPort }: Server, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

describe('rooms that a server offers', () => {
  test('are opened for who asks, until the server is full; the metrics count them', async () => {
    const server = await serve({ HANDOVER_ROOMS: '1' });
    expect(await (await fetch(`${server.url}config.json`)).json()).toMatchObject({ serverRooms: true });
    const { status, answer } = await ask(server);
    expect(status).toBe(201);
    expect(readRoomCode(answer.code ?? '')).toBe(answer.code);
    expect(readRoomId(answer.room)).toBe(answer.room);
    await expect.poll(() => metric(server, 'handover_rooms'), { timeout: 5000 }).toBe(1);
    expect(await metric(server, 'handover_rooms_people')).toBe(0);
    await expect.poll(() => metric(server, 'handover_rooms_ticks'), { timeout: 5000 }).toBeGreaterThan(30);
    expect(await ask(server)).toEqual({ status: 503, answer: { why: 'full' } });
  });

  test.each<[string, Asked]>([
    ['no JSON', { body: '{' }],
    ['nothing', { body: '' }],
    ['another type', { headers: { 'Content-Type': 'text/plain' } }],
    ['a page of another site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['no level', { body: '{}' }],
    ['too many bodies', { body: '{"level":{"id":"grid","seed":1,"count":4096}}' }],
    ['a long order', { body: JSON.stringify({ ...PILE, more: 'x'.repeat(2000) }) }],
  ])('an order is refused: %s', async (_, asked) => {
    expect((await ask(await serve({ HANDOVER_ROOMS: '1' }), asked)).status).toBe(400);
  });

  test('a network gets a few, then it has to wait; a level that nobody has is no room', async () => {
    const server = await serve({ HANDOVER_ROOMS: '1' });
    const none = { body: '{"level":{"id":"nowhere","seed":1}}' };
    const asked = [];
    for (let i = 0; i < 5; i++) asked.push(await ask(server, none));
    expect(asked.map(({ status }) => status)).toEqual([503, 503, 503, 503, 429]);
    expect(await metric(server, 'handover_refused_total{why="rooms"}')).toBe(1);
  });

  test('[N6.2] that are kept are there again when the server has ended and begins anew', async () => {
    const snapshots = { HANDOVER_ROOMS: '2', HANDOVER_SNAPSHOTS: join(temporaryFolder(), 'rooms') };
    const first = await serve(snapshots);
    const { answer } = await ask(first);
    await first.close();
    const second = await serve(snapshots);
    await expect.poll(() => metric(second, 'handover_rooms'), { timeout: 30_000 }).toBe(1);
    await expect.poll(() => metric(second, 'handover_rooms_returning'), { timeout: 30_000 }).toBe(0);
    expect(await metric(second, 'handover_rooms_snapshot_failures')).toBe(0);
    // Its door is there again: the broker gives its id to nobody else.
    const door = await connectBroker(second.url, doorId(answer.code as RoomCode));
    expect(await door.next()).toMatchObject({ type: 'ID-TAKEN' });
  });

  test('are not offered where they are off', async () => {
    const server = await serve({});
    expect(await (await fetch(`${server.url}config.json`)).json()).not.toHaveProperty('serverRooms');
    expect((await ask(server)).status).toBe(404);
  });
});
