import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { WatchedRoom } from '../../../src/dedicated/watch-state.ts';
import { RoomWatchers } from '../../../src/server/rooms/room-watchers.ts';
import { refuseUpgrade } from '../../../src/server/visitors/refuse.ts';
import { LOCKED } from '../../../src/transport/socket/close-codes.ts';
import { watchAddress } from '../../../src/transport/socket/line-address.ts';

const CODE = 'KQXMT' as RoomCode;

/** The server's part, with a process of rooms that the test plays. */
async function watched() {
  const told: (readonly WatchedRoom[])[] = [];
  const refused: string[] = [];
  const watchers = new RoomWatchers(
    { watch: (rooms) => void told.push(rooms) },
    {
      networkOf: () => 'a network',
      refused: (network) => refused.push(network),
      mayLookFor: () => true,
      most: 10,
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
  const bundle = (text: string, isKeyframe: boolean, bytes = 0): void => {
    const whole = Buffer.concat([Buffer.from(text), Buffer.alloc(bytes)]);
    watchers.take({
      kind: 'stream',
      code: CODE,
      part: { kind: 'bundle', bytes: new Uint8Array(whole), isKeyframe },
    });
  };
  return {
    watchers,
    told,
    refused,
    bundle,
    begin: (text: string): void =>
      watchers.take({ kind: 'stream', code: CODE, part: { kind: 'begin', text } }),
    /** One that watches: what it got, up to the first zero of each, and why it was closed. */
    async come(code: RoomCode = CODE) {
      const socket = new WebSocket(watchAddress(new URL(`http://127.0.0.1:${port}/rooms/`), code));
      const got: string[] = [];
      const end: { code: number | null } = { code: null };
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (!text.includes('"watchers"')) got.push(text.split('\0')[0]);
      });
      socket.on('close', (why) => (end.code = why));
      onTestFinished(() => socket.terminate());
      await new Promise((resolve) => void socket.once('open', resolve));
      await expect.poll(() => told.at(-1)?.some((room) => room.code === code)).toBe(true);
      return { socket, got, end };
    },
  };
}

test('[N5.4] a watcher gets the text of the world and the next keyframe, and everything after it', async () => {
  const site = await watched();
  const ada = await site.come();
  expect(site.told.at(-1)).toEqual([{ code: CODE, watchers: 1, wantsKeyframe: true }]);
  site.begin('wall');
  site.bundle('a', false);
  site.bundle('key 1', true);
  site.bundle('b', false);
  const bo = await site.come();
  await expect.poll(() => site.told.at(-1)).toEqual([{ code: CODE, watchers: 2, wantsKeyframe: true }]);
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

test('[N5.6] a locked room takes no new watchers, and keeps those that it has', async () => {
  const site = await watched();
  const ada = await site.come();
  site.begin('wall');
  site.bundle('key', true);
  await expect.poll(() => ada.got).toEqual(['wall', 'key']);
  const bo = await site.come();
  site.watchers.take({ kind: 'watchable', code: CODE, state: 'locked' });
  await expect.poll(() => bo.end.code).toBe(LOCKED);
  site.bundle('a', false);
  await expect.poll(() => ada.got).toEqual(['wall', 'key', 'a']);
});

test('[N5.8] one that reads nothing gets no more than fits, and goes on with a keyframe; the others miss nothing', async () => {
  const site = await watched();
  const [ada, deaf] = [await site.come(), await site.come()];
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
  const wantsKeyframe = () => site.told.at(-1)?.[0].wantsKeyframe;
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
  ]) {
    const one = await site.come();
    send(one.socket);
    await expect.poll(() => one.end.code).not.toBeNull();
  }
  await expect.poll(() => site.watchers.count).toBe(0);
});
