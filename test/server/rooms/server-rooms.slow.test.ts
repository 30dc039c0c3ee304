import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { readRoomCode } from '../../../src/core/room/code.ts';
import { readRoomId } from '../../../src/core/room/identity/key.ts';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { RoomsProcess } from '../../../src/dedicated/rooms-process.ts';
import { LivingRooms } from '../../../src/server/rooms/living-rooms.ts';
import { serverRooms } from '../../../src/server/rooms/server-rooms.ts';
import type { Server } from '../../../src/server/server.ts';
import { doorId } from '../../../src/transport/station.ts';
import { connectBroker, startBroker } from '../broker/broker-client.ts';
import { temporaryFolder } from '../folders.ts';
import type { Asked } from './rooms-server.ts';
import { ask, from, NOWHERE, PILE, serve, watchOf } from './rooms-server.ts';

async function metric({ metricsPort }: Server, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

describe('rooms that a server offers', () => {
  test('are opened for who asks, until the server is full; the metrics count them', async () => {
    const server = await serve({ HANDOVER_ROOMS: '1' });
    expect(await (await fetch(`${server.url}config.json`)).json()).toMatchObject({
      serverRooms: true,
      roomPlayers: 8,
    });
    const { status, answer } = await ask(server);
    expect(status).toBe(201);
    expect(readRoomCode(answer.code ?? '')).toBe(answer.code);
    expect(readRoomId(answer.room)).toBe(answer.room);
    await expect.poll(() => metric(server, 'handover_rooms'), { timeout: 5000 }).toBe(1);
    expect(await metric(server, 'handover_rooms_people')).toBe(0);
    await expect.poll(() => metric(server, 'handover_rooms_ticks'), { timeout: 5000 }).toBeGreaterThan(30);
    expect(await ask(server, from(2))).toEqual({ status: 503, answer: { why: 'full' } });
  });

  test('[N4.1] one network has no more at a time than its share, and others have theirs', async () => {
    const server = await serve({ HANDOVER_ROOMS: '3', HANDOVER_ROOMS_OF_NETWORK: '2' });
    const asked = [];
    for (let i = 0; i < 4; i++) asked.push((await ask(server, from(1))).status);
    expect(asked).toEqual([201, 201, 429, 429]);
    expect((await ask(server, from(2))).status).toBe(201);
  });

  test('[N4.1] a room that has ended counts no more; neither does one that was not opened', async () => {
    const { url } = await startBroker();
    const network = { broker: { url: `${url.replace('http', 'ws')}broker` }, address: '127.0.0.1' };
    const rooms = new RoomsProcess(() => ({ network, mostRooms: 4, emptyMs: 1500, lineSecret: 'secret' }));
    onTestFinished(() => rooms.stop());
    const watch = watchOf(new LivingRooms(1, 'a secret'));
    const app = express().use('/rooms', serverRooms(rooms, watch));
    const http = app.listen(0, '127.0.0.1');
    await once(http, 'listening');
    onTestFinished(() => void http.close());
    const server = { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` };
    const status = async (asked?: Asked): Promise<number> => (await ask(server, asked)).status;
    expect(await status(NOWHERE), 'no such level').toBe(503);
    expect(await status()).toBe(201);
    expect(await status()).toBe(429);
    await expect.poll(() => rooms.figures.rooms, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => rooms.figures.rooms, { timeout: 20_000, message: 'it ends' }).toBe(0);
    expect(await status()).toBe(201);
    process.kill(rooms.pid ?? NaN, 'SIGKILL');
    await expect.poll(() => status(), { timeout: 20_000, interval: 500 }).toBe(201);
  });

  test.each<[string, Asked]>([
    ['no JSON', { body: '{' }],
    ['nothing', { body: '' }],
    ['another type', { headers: { 'Content-Type': 'text/plain' } }],
    ['a page of another site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['no level', { body: '{}' }],
    ['nobody', { body: JSON.stringify({ ...PILE, capacity: 0 }) }],
    ['more people than there are slots', { body: JSON.stringify({ ...PILE, capacity: 32 }) }],
    ['too many bodies', { body: '{"level":{"id":"grid","seed":1,"count":4096}}' }],
    ['a long order', { body: JSON.stringify({ ...PILE, more: 'x'.repeat(2000) }) }],
  ])('an order is refused: %s', async (_, asked) => {
    expect((await ask(await serve({ HANDOVER_ROOMS: '1' }), asked)).status).toBe(400);
  });

  test('[N9.10] a page of another version gets none; whoever asks about a room learns the version', async () => {
    const server = await serve({ HANDOVER_ROOMS: '1' });
    const order = (protocol: unknown): Asked => ({ body: JSON.stringify({ ...PILE, protocol }) });
    expect((await ask(server, order(PROTOCOL_VERSION + 1))).status).toBe(409);
    expect((await ask(server, order('new'))).status).toBe(400);
    expect((await ask(server, order(PROTOCOL_VERSION))).status).toBe(201);
    for (const code of ['ACDEF', 'nothing'])
      expect(await (await fetch(`${server.url}rooms/${code}`)).json()).toEqual({
        key: null,
        protocol: PROTOCOL_VERSION,
      });
  });

  test('a network gets a few, then it has to wait; a level that nobody has is no room', async () => {
    const server = await serve({ HANDOVER_ROOMS: '1' });
    const asked = [];
    for (let i = 0; i < 5; i++) asked.push(await ask(server, NOWHERE));
    expect(asked.map(({ status }) => status)).toEqual([503, 503, 503, 503, 429]);
    expect(await metric(server, 'handover_refused_total{why="rooms"}')).toBe(1);
  });

  test('[N4.1] [N6.2] [N6.3] that are kept are there again when the server has ended and begins anew', async () => {
    const folder = join(temporaryFolder(), 'rooms');
    const rooms = { HANDOVER_ROOMS: '3', HANDOVER_ROOMS_OF_NETWORK: '1', HANDOVER_SNAPSHOTS: folder };
    const first = await serve(rooms);
    const { answer } = await ask(first, from(1));
    await first.close();
    const second = await serve(rooms);
    // [N4.1] It counts for its network, which the folder does not name.
    expect((await ask(second, from(1))).status).toBe(429);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.join()).not.toContain('203.0.113');
    // [N6.3] Before its process has read anything, its door is nobody else's.
    const stranger = await connectBroker(second.url, doorId(answer.code as RoomCode));
    expect(await stranger.next()).toMatchObject({ type: 'ID-TAKEN' });
    await expect.poll(() => metric(second, 'handover_rooms'), { timeout: 30_000 }).toBe(1);
    await expect.poll(() => metric(second, 'handover_rooms_returning'), { timeout: 30_000 }).toBe(0);
    expect(await metric(second, 'handover_rooms_snapshot_failures')).toBe(0);
    // Its door is there again: the broker gives its id to nobody else.
    const door = await connectBroker(second.url, doorId(answer.code as RoomCode));
    expect(await door.next()).toMatchObject({ type: 'ID-TAKEN' });
  });

  test('[N8.1] no room holds more people than the operator says', async () => {
    const server = await serve({ HANDOVER_ROOMS: '2', HANDOVER_ROOMS_PLAYERS: '10' });
    const order = (capacity: number): Asked => ({ body: JSON.stringify({ ...PILE, capacity }) });
    expect((await ask(server, order(11))).status).toBe(400);
    expect((await ask(server, order(10))).status).toBe(201);
    expect(await (await fetch(`${server.url}config.json`)).json()).toMatchObject({ roomPlayers: 10 });
  });

  test('no page of another site looks for rooms', async () => {
    const server = await serve({ HANDOVER_ROOMS: '1' });
    const status = async (site: string): Promise<number> =>
      (await fetch(`${server.url}rooms/KQXMT`, { headers: { 'Sec-Fetch-Site': site } })).status;
    expect([await status('cross-site'), await status('same-site'), await status('same-origin')]).toEqual([
      403, 403, 200,
    ]);
  });

  test('are not offered where they are off', async () => {
    const server = await serve({});
    expect(await (await fetch(`${server.url}config.json`)).json()).not.toHaveProperty('serverRooms');
    expect((await ask(server)).status).toBe(404);
  });
});
