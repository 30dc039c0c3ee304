import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Visitors } from '../../../src/server/visitors/visitors.ts';
import { connectBroker, startBroker, upgrade } from './broker-client.ts';

const PING_MS = 40;
const ALIVE_MS = 400;

/** Starts a broker that pings often. Returns the URL that its pages would have. */
async function startQuickBroker(proxies: readonly string[] = []): Promise<string> {
  const { url } = await startBroker({
    visitors: new Visitors(proxies),
    pingMs: PING_MS,
    aliveMs: ALIVE_MS,
  });
  return url;
}

test('a hidden page that only answers pings keeps its id, a suspended one loses it', async () => {
  const url = await startQuickBroker();
  const hidden = await connectBroker(url, 'hidden');
  const suspended = await connectBroker(url, 'suspended');
  suspended.socket.pause();
  // PeerJS looks for silent clients every 300 ms.
  await wait(ALIVE_MS + 3 * 300);

  const [asHidden, asSuspended] = await Promise.all([
    connectBroker(url, 'hidden', 'another token'),
    connectBroker(url, 'suspended'),
  ]);
  expect((await asHidden.next()).type).toBe('ID-TAKEN');
  expect((await asSuspended.next()).type).toBe('OPEN');
  hidden.send({ type: 'OFFER', dst: 'hidden' });
  await hidden.next();
  expect((await hidden.next()).type).toBe('OFFER');
});

test('[F1.12] the id of a client that is gone waits for it; a door waits for nobody', async () => {
  const url = await startQuickBroker();
  const answerTo = async (id: string, token: string): Promise<string> => {
    const client = await connectBroker(url, id, token);
    const { type } = await client.next();
    client.socket.terminate();
    await client.closed;
    return type;
  };
  expect(await answerTo('page', 'own')).toBe('OPEN');
  expect(await answerTo('page', 'another')).toBe('ID-TAKEN');
  expect(await answerTo('page', 'own')).toBe('OPEN');
  expect(await answerTo('handover-KQXMT', 'own')).toBe('OPEN');
  await expect.poll(() => answerTo('handover-KQXMT', 'another')).toBe('OPEN');
});

test('[F1] many who call one client do not make it break a limit by its answers', async () => {
  const { url } = await startBroker({ visitors: new Visitors(['127.0.0.1']) });
  const victim = await connectBroker(url, 'victim');
  await victim.next();
  for (let i = 0; i < 50; i++) {
    const from = { 'X-Forwarded-For': `203.0.113.${i}` };
    const caller = await connectBroker(url, `caller-${i}`, 'a token', from);
    caller.send({ type: 'OFFER', dst: 'victim' });
    expect(await victim.next()).toMatchObject({ type: 'OFFER', src: `caller-${i}` });
    victim.send({ type: 'ANSWER', dst: `caller-${i}` });
    await caller.next();
    expect(await caller.next()).toMatchObject({ type: 'ANSWER', src: 'victim' });
  }
});

test('[F1] an address in which the library would read another id than the broker is refused', async () => {
  const url = await startQuickBroker();
  const { port } = new URL(url);
  const path = '/broker/peerjs?key=peerjs&id=handover-KQXMT&token=T#&id=b&token=t&key=peerjs';
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'MTIzNDU2Nzg5MDEyMzQ1Ng==',
  };
  const status = await new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers });
    asked.on('response', ({ statusCode }) => resolve(statusCode));
    asked.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve('open');
    });
    asked.end();
  });
  expect(status).toBe(400);
});

test('a message to an unknown id fails soon, but a page that loads again in time gets it', async () => {
  const url = await startQuickBroker();
  const guest = await connectBroker(url, 'guest');
  await guest.next();
  const began = performance.now();
  guest.send({ type: 'OFFER', dst: 'nobody' });
  guest.send({ type: 'OFFER', dst: 'host' });
  await wait(1000);
  const host = await connectBroker(url, 'host');
  expect(await host.next()).toEqual({ type: 'OPEN' });
  expect(await host.next()).toMatchObject({ type: 'OFFER', src: 'guest' });
  expect(await guest.next()).toMatchObject({ type: 'EXPIRE', src: 'nobody' });
  expect(performance.now() - began).toBeLessThan(4000);
});

test('[F1] a network that tries one code after the other gets no more answers', async () => {
  const url = await startQuickBroker(['127.0.0.1']);
  const from = (network: string, id: string): Promise<'open' | number> =>
    upgrade(url, `broker/peerjs?key=peerjs&id=${id}&token=t`, undefined, { 'X-Forwarded-For': network });
  const doors = Array.from({ length: 102 }, (_, i) => `handover-${i}`);
  const answers = await Promise.all(doors.map((id) => from('203.0.113.9', id)));
  expect(answers.filter((answer) => answer === 'open')).toHaveLength(100);
  expect(answers.filter((answer) => answer === 429)).toHaveLength(2);
  expect(await from('203.0.113.9', 'a-page')).toBe('open');
  expect(await from('203.0.113.10', 'handover-1000')).toBe('open');
});

test('[F1] nor by sending messages to doors', async () => {
  const url = await startQuickBroker(['127.0.0.1']);
  const guest = await connectBroker(url, 'guest', 'token', { 'X-Forwarded-For': '203.0.113.9' });
  // Each connection stays below its own limit of 40 ids, but all of them exceed their network's limit of 100
  // doors.
  for (let i = 0; i < 30; i++) guest.send({ type: 'OFFER', dst: `handover-${i}` });
  const others = await Promise.all(
    [1, 2, 3].map((i) => connectBroker(url, `other-${i}`, 'token', { 'X-Forwarded-For': '203.0.113.9' })),
  );
  others.forEach(({ send }, i) => {
    for (let k = 0; k < 30; k++) send({ type: 'OFFER', dst: `handover-${i}-${k}` });
  });
  const ended = await Promise.race(others.map(({ closed }) => closed));
  expect(ended).toBe(1006);
});
