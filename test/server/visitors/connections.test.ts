import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnections } from '../../../src/server/visitors/connections.ts';
import { Visitors } from '../../../src/server/visitors/visitors.ts';

/** Starts an HTTP server for three connections of one network. Returns a function that opens one. */
async function serve(proxies: readonly string[], refused: string[]): Promise<() => Promise<Socket>> {
  const server = createServer((_, response) => response.end('hello'));
  limitConnections(server, new Visitors(proxies), (network) => refused.push(network), {
    ofNetwork: 3,
    inAll: 100,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
}

/** Returns what the server does with a connection: answer a request, or close it. */
async function fate(socket: Socket): Promise<'answered' | 'closed'> {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return Promise.race([
    once(socket, 'data').then(() => 'answered' as const),
    once(socket, 'close').then(() => 'closed' as const),
  ]);
}

test('[F1] one network holds so many connections, and may open another one for each that ends', async () => {
  const refused: string[] = [];
  const open = await serve([], refused);
  const first = await open();
  expect(await fate(first)).toBe('answered');
  for (let i = 0; i < 2; i++) expect(await fate(await open())).toBe('answered');
  expect(await fate(await open())).toBe('closed');
  expect(refused).toEqual(['this machine']);
  first.destroy();
  // The server learns a little later that the connection has ended.
  let next = await fate(await open());
  while (next === 'closed') next = await fate(await open());
  expect(next).toBe('answered');
});

test('a named proxy may hold more, because it limits its own visitors', async () => {
  const refused: string[] = [];
  const open = await serve(['127.0.0.1'], refused);
  for (let i = 0; i < 10; i++) expect(await fate(await open())).toBe('answered');
  expect(refused).toEqual([]);
});
