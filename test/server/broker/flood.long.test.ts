import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { BrokerClient } from './broker-client.ts';
import { connectBroker } from './broker-client.ts';

const PROCESS = fileURLToPath(new URL('./broker-process.ts', import.meta.url));
const DOOR = 'handover-ABCDE';
const MB = 1024 * 1024;
/** Seconds before the memory is first looked at, and of the flood after that. */
const WARM_S = 30;
const FLOOD_S = 60;
const FLOODERS = 30;
/** Most megabytes by which the memory may grow, and most seconds in which a friend must have an answer. */
const MOST_GROWTH_MB = 10;
const FRIEND_WITHIN_S = 10;

/** Starts the broker. Returns its URL, and a function that asks for its memory in megabytes. */
async function startProcess(): Promise<{ url: string; memory(): Promise<number> }> {
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', PROCESS], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<number> => Number((await lines.next()).value);
  const url = `http://127.0.0.1:${await next()}/`;
  return {
    url,
    memory: () => {
      child.stdin.write('\n');
      return next().then((bytes) => bytes / MB);
    },
  };
}

/** Does something with a client until the flood ends; with another one whenever the broker has dropped it. */
async function insist(
  url: string,
  id: string,
  isOver: () => boolean,
  act: (client: BrokerClient) => Promise<void>,
): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const client = await connectBroker(url, `${id}-${i}`).catch(() => null);
    if (client !== null) await actUntilOver(client, isOver, act);
    await wait(100);
  }
}

async function actUntilOver(
  client: BrokerClient,
  isOver: () => boolean,
  act: (client: BrokerClient) => Promise<void>,
): Promise<void> {
  while (!isOver() && isOpen(client)) await act(client);
  client.socket.terminate();
}

function isOpen({ socket }: BrokerClient): boolean {
  return socket.readyState === socket.OPEN;
}

/** A client that reads nothing, that always has the same id, and that says it is alive. */
async function beDeaf(url: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const client = await connectBroker(url, 'deaf').catch(() => null);
    client?.socket.pause();
    if (client !== null) await actUntilOver(client, isOver, sayAlive);
    await wait(100);
  }
}

async function sayAlive(client: BrokerClient): Promise<void> {
  client.send({ type: 'HEARTBEAT' });
  await wait(500);
  // Its own end notices by a failed heartbeat alone that it was dropped.
  if (client.socket.bufferedAmount > 1000) client.socket.terminate();
}

/** Sends nearly what one client may, to the deaf client, to nobody, and to the host. */
async function flood(client: BrokerClient): Promise<void> {
  const payload = 'x'.repeat(30_000);
  for (const dst of ['deaf', 'nobody', DOOR]) {
    for (let i = 0; i < 10; i++) client.send({ type: 'OFFER', dst, payload });
    for (let i = 0; i < 50; i++) client.send({ type: 'CANDIDATE', dst, payload: 'x'.repeat(500) });
  }
  await wait(10_500);
}

test('[F1] a minute’s flood leaves the broker’s memory flat, and friends join meanwhile', async () => {
  const { url, memory } = await startProcess();
  let over = false;
  const isOver = (): boolean => over;
  const host = await connectBroker(url, DOOR);
  host.socket.on('message', (data: Buffer) => {
    const { type, src } = JSON.parse(data.toString()) as { type: string; src?: string };
    if (type === 'OFFER' && src?.startsWith('friend')) host.send({ type: 'ANSWER', dst: src });
  });
  const attack = [
    beDeaf(url, isOver),
    ...Array.from({ length: FLOODERS }, (_, i) => insist(url, `flooder-${i}`, isOver, flood)),
  ];
  await wait(WARM_S * 1000);
  const before = await memory();
  const [sizes, joins]: [number[], number[]] = [[], []];
  for (let s = 0; s < FLOOD_S; s += 5) {
    const began = performance.now();
    const friend = await connectBroker(url, `friend-${s}`);
    await friend.next();
    friend.send({ type: 'OFFER', dst: DOOR });
    expect((await friend.next()).type).toBe('ANSWER');
    joins.push((performance.now() - began) / 1000);
    friend.socket.close();
    await wait(5000);
    sizes.push(await memory());
  }
  over = true;
  await Promise.all(attack);
  const rounded = (numbers: readonly number[]): string => numbers.map((n) => n.toFixed(2)).join(' ');
  console.log(`memory in MB: ${before.toFixed(1)}, then ${rounded(sizes)}; joins in s: ${rounded(joins)}`);
  expect(Math.max(...joins)).toBeLessThan(FRIEND_WITHIN_S);
  expect(Math.max(...sizes) - before).toBeLessThan(MOST_GROWTH_MB);
}, 180_000);
