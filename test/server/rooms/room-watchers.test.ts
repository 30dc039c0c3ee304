import { createServer } from 'node:http';
import type { Writable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Random } from '../../../src/core/base/random.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { randomRoomCode } from '../../../src/core/room/code.ts';
import { isOwnSocket } from '../../../src/server/visitors/own-page.ts';
import type { StreamPart } from '../../../src/session/watching/room-stream.ts';
import type { WatchedRoom, WatchState } from '../../../src/dedicated/watch-state.ts';
import { RoomWatchers } from '../../../src/server/rooms/room-watchers.ts';
import { refuseUpgrade } from '../../../src/server/visitors/refuse.ts';
import { FULL, LOCKED } from '../../../src/transport/socket/close-codes.ts';
import { watchAddress } from '../../../src/transport/socket/line-address.ts';

const CODE = 'KQXMT' as RoomCode;
/** Milliseconds that the process takes to answer. */
const ANSWER_MS = 20;

/** A bundle that begins with a text, and has so many zeros after it. */
function bundleOf(text: string, isKeyframe: boolean, bytes: number): StreamPart {
  const whole = Buffer.concat([Buffer.from(text), Buffer.alloc(bytes)]);
  return { kind: 'bundle', bytes: new Uint8Array(whole), isKeyframe };
}

/** The server's part, with a process of rooms that the test plays. */
async function watched(state: WatchState = 'open', most = 16) {
  const process = { state };
  const told: (readonly WatchedRoom[])[] = [];
  const refused: string[] = [];
  const watchers: RoomWatchers = new RoomWatchers(
    {
      watch: (ask, rooms) => {
        told.push(rooms);
        const { state } = process;
        const states = new Map(rooms.map(({ code }) => [code, state]));
        setTimeout(() => watchers.take({ kind: 'watchable', ask, states }), ANSWER_MS);
      },
    },
    {
      networkOf: ({ headers }) => String(headers.from ?? 'a network'),
      refused: (network) => refused.push(network),
      mayLookFor: () => true,
      most,
    },
  );
  const server = createServer();
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => undefined);
    if (!watchers.upgrade(request, stream, head)) refuseUpgrade(stream, 404);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    watchers.stop();
    server.close();
  });
  return {
    watchers,
    process,
    told,
    bundle: (text: string, isKeyframe: boolean, bytes = 0): void =>
      watchers.take({ kind: 'stream', code: CODE, part: bundleOf(text, isKeyframe, bytes) }),
    wantsKeyframe: (): boolean => told.at(-1)?.[0]?.wantsKeyframe === true,
    /** Waits until so many see the room, and somebody else has been let in and waits for a keyframe. */
    async waits(there: number): Promise<void> {
      const last = (): unknown => told.at(-1);
      const room = { code: CODE, watchers: there, wantsKeyframe: true };
      await expect.poll(last, { timeout: 5000 }).toEqual([room]);
    },
    refused,
    begin: (text: string): void =>
      watchers.take({ kind: 'stream', code: CODE, part: { kind: 'begin', text } }),
    /** One that watches: what it got, up to the first zero of each, and why it was closed. */
    async come(from = 'a network', code = CODE) {
      const address = watchAddress(new URL(`http://127.0.0.1:${port}/rooms/`), code);
      const socket = new WebSocket(address, { headers: { from } });
      const got: string[] = [];
      const counts: string[] = [];
      const end: { code: number | null } = { code: null };
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (text.includes('"watchers"')) counts.push(text);
        else got.push(text.split('\0')[0]);
      });
      socket.on('close', (why) => (end.code = why));
      onTestFinished(() => socket.terminate());
      await new Promise((resolve) => void socket.once('open', resolve));
      return { socket, got, counts, end };
    },
  };
}

test('[N5.4] a watcher gets the text of the world and the next keyframe, and everything after it', async () => {
  const site = await watched();
  const ada = await site.come();
  await site.waits(0);
  site.begin('wall');
  site.bundle('a', false);
  site.bundle('key 1', true);
  site.bundle('b', false);
  const bo = await site.come();
  await site.waits(1);
  site.bundle('c', false);
  site.bundle('key 2', true);
  site.bundle('d', false);
  await expect.poll(() => ada.got).toEqual(['wall', 'key 1', 'b', 'c', 'key 2', 'd']);
  await expect.poll(() => bo.got).toEqual(['wall', 'key 2', 'd']);
  const told = { code: CODE, watchers: 2, wantsKeyframe: false };
  await expect.poll(() => site.told.at(-1), { timeout: 5000 }).toEqual([told]);

  site.begin('tower');
  site.bundle('e', false);
  site.bundle('key 3', true);
  await expect.poll(() => bo.got.slice(-2)).toEqual(['tower', 'key 3']);
  await expect.poll(() => ada.got.slice(-3)).toEqual(['d', 'tower', 'key 3']);
  ada.socket.close();
  bo.socket.close();
  await expect.poll(() => site.told.at(-1), { timeout: 3000 }).toEqual([]);
  expect(site.watchers.count).toBe(0);
});

test('[N5.1] everybody is told how many watch, also when one comes as another goes', async () => {
  const site = await watched();
  const see = async (there: number): Promise<Awaited<ReturnType<typeof site.come>>> => {
    const one = await site.come();
    await site.waits(there);
    site.bundle('key', true);
    await expect.poll(() => one.got.length).toBeGreaterThan(0);
    return one;
  };
  const first = await site.come();
  await site.waits(0);
  site.begin('wall');
  site.bundle('key', true);
  const ada = await see(1);
  const sayTwo = '{"kind":"watchers","count":2}';
  await expect.poll(() => ada.counts.at(-1), { timeout: 3000 }).toBe(sayTwo);
  first.socket.close();
  const bo = await see(1);
  await expect.poll(() => bo.counts.at(-1), { timeout: 3000 }).toBe(sayTwo);
});

test('[N5.6] a locked room takes no new watchers, counts none of them, and keeps those that it has', async () => {
  const site = await watched();
  const ada = await site.come();
  await site.waits(0);
  site.begin('wall');
  site.bundle('key', true);
  await expect.poll(() => ada.got).toEqual(['wall', 'key']);
  site.process.state = 'locked';
  const strangers = await Promise.all([site.come(), site.come()]);
  // A keyframe that comes before the process has answered.
  site.bundle('key 2', true);
  const codes = (): unknown => strangers.map(({ end }) => end.code);
  await expect.poll(codes, { timeout: 5000 }).toEqual([LOCKED, LOCKED]);
  expect(strangers.flatMap(({ got }) => got)).toEqual([]);
  site.bundle('a', false);
  await expect.poll(() => ada.got).toEqual(['wall', 'key', 'key 2', 'a']);
  expect(site.told.flat().every(({ watchers }) => watchers <= 1)).toBe(true);
});

test('[N5.6] one network has a quarter of the places', async () => {
  const site = await watched();
  const codes = (all: Awaited<ReturnType<typeof site.come>>[]) => () => all.map(({ end }) => end.code);
  const ours = await Promise.all(Array.from({ length: 5 }, () => site.come()));
  await expect.poll(codes(ours), { timeout: 5000 }).toEqual([null, null, null, null, FULL]);
  for (const network of ['2', '3', '4']) for (let i = 0; i < 4; i++) await site.come(network);
  expect(site.watchers.count).toBe(16);
  const another = await site.come('5');
  await expect.poll(codes([another]), { timeout: 5000 }).toEqual([FULL]);
  expect(site.refused).toEqual(['a network', '5']);
});

test('[N5.6] codes of no room cost the process with the rooms little, whoever tries them', async () => {
  const site = await watched('none', 64);
  const random = new Random(3);
  for (let network = 0; network < 4; network++)
    for (let i = 0; i < 12; i++) await site.come(`network ${network}`, randomRoomCode(random));
  expect(site.refused, 'eight of each network').toHaveLength(16);
  await expect.poll(() => Math.max(...site.told.map((rooms) => rooms.length))).toBe(32);
  const asked = site.told.length;
  await new Promise((resolve) => void setTimeout(resolve, 500));
  expect(site.told.length - asked, 'ten questions a second at most').toBeLessThanOrEqual(6);
});

test.each([
  [{}, true],
  [{ origin: 'https://play.example.org', host: 'play.example.org' }, true],
  [{ origin: 'https://play.example.org:8443', host: 'play.example.org' }, true],
  [
    { origin: 'https://play.example.org', host: '127.0.0.1:5173', 'x-forwarded-host': 'play.example.org' },
    true,
  ],
  [{ origin: 'http://[::1]:5173', host: '[::1]:5173' }, true],
  [{ origin: 'https://evil.example', host: 'play.example.org' }, false],
  [{ origin: 'http://localhost:8000', host: '127.0.0.1:5173' }, false],
  [{ origin: 'null', host: 'play.example.org' }, false],
  [{ origin: 'https://play.example.org' }, false],
  [{ origin: 'https://play.example.org', host: 'play.example.org', 'sec-fetch-site': 'cross-site' }, false],
])('[N5.6] a page of another site can’t watch: %j', (headers, isOwn) => {
  expect(isOwnSocket({ headers })).toBe(isOwn);
});

test('[N5.8] one that reads nothing gets no more than fits, and goes on with a keyframe; the others miss nothing', async () => {
  const site = await watched();
  const [ada, deaf] = [await site.come(), await site.come()];
  await site.waits(0);
  await new Promise((resolve) => void setTimeout(resolve, 5 * ANSWER_MS));
  site.begin('wall');
  site.bundle('key 1', true);
  await expect.poll(() => deaf.got).toHaveLength(2);
  deaf.socket.pause();
  const sent = ['wall', 'key 1'];
  // The system takes some megabytes for it before anything waits in this process.
  for (let i = 0; i < 100; i++) {
    site.bundle(`bundle ${i}`, false, 200_000);
    sent.push(`bundle ${i}`);
    await expect.poll(() => ada.got.length, { interval: 1 }).toBe(sent.length);
  }
  expect(ada.got).toEqual(sent);
  const { wantsKeyframe } = site;
  await expect.poll(wantsKeyframe, { timeout: 5000, message: 'it could take none' }).toBe(false);
  deaf.socket.resume();
  await expect.poll(wantsKeyframe, { timeout: 5000 }).toBe(true);
  site.bundle('between', false);
  site.bundle('key 2', true);
  site.bundle('after', false);
  await expect.poll(() => deaf.got.slice(-2)).toEqual(['key 2', 'after']);
  expect(deaf.got.length, 'most bundles were left out').toBeLessThan(80);
  expect(deaf.got).not.toContain('between');
  expect(deaf.got.slice(0, -2), 'without a gap before').toEqual(sent.slice(0, deaf.got.length - 2));
});

test('[N5.1] whoever sends something is ended', async () => {
  const site = await watched();
  for (const send of [
    (socket: WebSocket): void => socket.send(''),
    (socket: WebSocket): void => socket.send('x'),
    (socket: WebSocket): void => socket.send('x'.repeat(5000)),
    (socket: WebSocket): void => socket.ping(),
    (socket: WebSocket): void => socket.pong(),
    // Half a frame, and one that is never continued.
    (socket: WebSocket): void => void rawOf(socket).write(Buffer.from([0x82])),
    (socket: WebSocket): void => void rawOf(socket).write(Buffer.from([0x02, 0x80, 0, 0, 0, 0])),
  ]) {
    const one = await site.come();
    send(one.socket);
    await expect.poll(() => one.end.code).not.toBeNull();
  }
  await expect.poll(() => site.watchers.count).toBe(0);
});

/** The connection under a WebSocket of the library. */
function rawOf(socket: WebSocket): Writable {
  return (socket as unknown as { readonly _socket: Writable })._socket;
}
