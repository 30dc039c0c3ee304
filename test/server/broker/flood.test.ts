import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../../src/server/broker/limits/limits.ts';
import type { BrokerClient } from './broker-client.ts';
import { connectBroker, startBroker, upgrade } from './broker-client.ts';

const KB = 1024;

/** Waits until something holds; the test's own limit ends it. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20);
}

/** Opens a TCP connection that neither reads nor closes, and sends an upgrade by it. */
async function halfOpen(url: string, path: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const headers =
    'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
  socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
  return socket;
}

/** Sends what a client sends to another all the time, and waits now and then for the broker. */
async function flood(
  from: BrokerClient,
  to: string,
  type: string,
  count: number,
  payload = '',
): Promise<void> {
  for (let i = 0; i < count && from.socket.readyState === from.socket.OPEN; i++) {
    from.send({ type, dst: to, payload });
    if (i % 10 === 9) await wait(1);
  }
}

describe('a client that never reads', () => {
  /** A client that has stopped reading, and that says it is alive. */
  async function deafClient(url: string): Promise<BrokerClient> {
    const deaf = await connectBroker(url, 'deaf');
    await deaf.next();
    deaf.socket.pause();
    const heartbeats = setInterval(() => deaf.send({ type: 'HEARTBEAT' }), 50);
    onTestFinished(() => {
      clearInterval(heartbeats);
      deaf.socket.terminate();
    });
    return deaf;
  }

  test('[F1] is dropped although it sends heartbeats, and its id is free for it', async () => {
    const { url, broker, refusals } = await startBroker({ pingMs: 40, aliveMs: 400 });
    await deafClient(url);
    await until(() => broker.figures().sockets === 0);
    expect(refusals.get('silent')).toBe(1);
    const next = await connectBroker(url, 'deaf');
    expect((await next.next()).type).toBe('OPEN');
  });

  test('[F1] is dropped when too much waits for it, at once, and what waited is freed', async () => {
    // With open limits on messages the flood is fast; what the system takes before anything waits is some megabytes.
    const open = { atOnce: 1e9, anotherMs: 1 };
    const limits = { ...LIMITS, offersOfClient: open, offersOfNetwork: open, offersOfNetworkInAll: open };
    const { url, broker, refusals } = await startBroker({
      limits: { ...limits, offersToId: open, bytes: open },
    });
    await deafClient(url);
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, broker.figures().unreadBytes)), 1);
    onTestFinished(() => clearInterval(watching));
    // Each client may send a megabyte in ten seconds.
    for (let i = 0; i < 200 && !refusals.has('unread'); i++) {
      const flooder = await connectBroker(url, `flooder-${i}`);
      await flood(flooder, 'deaf', 'OFFER', 33, 'x'.repeat(30 * KB));
      flooder.socket.close();
    }
    expect(refusals.get('unread')).toBe(1);
    expect(most).toBeLessThanOrEqual(LIMITS.unreadBytes);
    await until(() => broker.figures().unreadBytes === 0);
    expect(await upgrade(url, 'broker/peerjs?key=peerjs&id=deaf&token=new')).toBe('open');
  });

  test('[F1] and sends pings makes the broker keep no answers', async () => {
    const { url, broker } = await startBroker();
    const deaf = await deafClient(url);
    for (let i = 0; i < 2000; i++) deaf.socket.ping('x'.repeat(100));
    await until(() => broker.figures().sockets === 0);
    expect(broker.figures().unreadBytes).toBe(0);
  });
});

describe('a stranger with the code', () => {
  test('[F1] that sends OFFERs all the time does not bar the door, nor flood it with candidates', async () => {
    const { url, refusals } = await startBroker();
    const host = await connectBroker(url, 'handover-ABCDE');
    const stranger = await connectBroker(url, 'stranger');
    await host.next();
    await flood(stranger, 'handover-ABCDE', 'CANDIDATE', 50);
    await flood(stranger, 'handover-ABCDE', 'OFFER', 140);
    await flood(stranger, 'handover-ABCDE', 'CANDIDATE', 1000);
    const friend = await connectBroker(url, 'friend');
    await friend.next();
    friend.send({ type: 'OFFER', dst: 'handover-ABCDE', payload: 'of a friend' });
    const heard = new Map<string, number>();
    for (;;) {
      const { type, src } = await host.next();
      heard.set(`${src} ${type}`, (heard.get(`${src} ${type}`) ?? 0) + 1);
      if (src === 'friend') break;
    }
    expect(heard.get('friend OFFER')).toBe(1);
    expect(heard.get('stranger OFFER')).toBeLessThan(12);
    expect(heard.get('stranger CANDIDATE')).toBeLessThanOrEqual(400);
    expect(refusals.get('offers')).toBeGreaterThan(100);
    expect(refusals.get('stranger')).toBeGreaterThanOrEqual(50);
    host.send({ type: 'ANSWER', dst: 'friend' });
    expect((await friend.next()).type).toBe('ANSWER');
  });

  test('[F1] learns at once when too much waits for an id that nobody has', async () => {
    const { url, broker, refusals } = await startBroker({ limits: { ...LIMITS, waitingBytes: 60 * KB } });
    const stranger = await connectBroker(url, 'stranger');
    await stranger.next();
    for (let i = 0; i < 3; i++) stranger.send({ type: 'OFFER', dst: 'nobody', payload: 'x'.repeat(25 * KB) });
    expect(await stranger.next()).toMatchObject({ type: 'EXPIRE', src: 'nobody' });
    expect(refusals.get('waiting')).toBe(1);
    expect(broker.figures().waitingBytes).toBeLessThanOrEqual(60 * KB);
  });
});

describe('sockets', () => {
  test.each([
    ['without an id', '/broker/peerjs?key=peerjs&token=t', 'address'],
    ['with an id of 65 characters', `/broker/peerjs?key=peerjs&id=${'x'.repeat(65)}&token=t`, 'address'],
    ['with a second id', '/broker/peerjs?key=peerjs&id=a&token=t&id=b+c', 'address'],
    ['with another key', '/broker/peerjs?key=other&id=a&token=t', 'address'],
  ] as const)(
    '[F1] that were refused are destroyed, though the client never closes: %s',
    async (_, path, why) => {
      const { url, connections, refusals } = await startBroker();
      await Promise.all(Array.from({ length: 5 }, () => halfOpen(url, path)));
      await until(() => refusals.get(why) === 5);
      await until(async () => (await connections()) === 0);
    },
  );

  test('[F1] of a stopped broker are destroyed too', async () => {
    const { url, broker, connections, refusals } = await startBroker();
    await broker.stop();
    await halfOpen(url, '/broker/peerjs?key=peerjs&id=a&token=t');
    await until(() => refusals.get('stopped') === 1);
    await until(async () => (await connections()) === 0);
  });

  test('[F1] that a client was told to close are destroyed, though it never does', async () => {
    const { url, connections } = await startBroker({ pingMs: 40 });
    const ada = await connectBroker(url, 'ada');
    await halfOpen(url, '/broker/peerjs?key=peerjs&id=ada&token=another');
    await until(async () => (await connections()) === 2);
    await until(async () => (await connections()) === 1);
    expect(ada.socket.readyState).toBe(ada.socket.OPEN);
  });

  test('[F1] that make no progress give way to a newcomer of the same network', async () => {
    const { url, broker, refusals } = await startBroker({
      limits: { ...LIMITS, socketsOfNetwork: 4, graceMs: 0 },
    });
    const [host, guest, idle, other] = await Promise.all(
      ['host', 'guest', 'idle', 'other'].map((id) => connectBroker(url, id)),
    );
    await Promise.all([host.next(), guest.next(), idle.next(), other.next()]);
    guest.send({ type: 'OFFER', dst: 'host' });
    await host.next();
    host.send({ type: 'ANSWER', dst: 'guest' });
    await guest.next();
    for (const id of ['new-1', 'new-2'])
      expect((await (await connectBroker(url, id)).next()).type).toBe('OPEN');
    expect(await Promise.all([idle.closed, other.closed])).toEqual([1006, 1006]);
    expect([host.socket.readyState, guest.socket.readyState]).toEqual([1, 1]);
    expect([refusals.get('gave way'), broker.figures().sockets]).toEqual([2, 4]);
  });
});
