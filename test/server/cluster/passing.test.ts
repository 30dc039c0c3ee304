import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Passing } from '../../../src/server/cluster/passing.ts';

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A process that says what it was asked. */
async function behind(): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const app = express();
  app.use((request, response) => {
    asked.push(request);
    request.resume();
    response.status(201).json({ path: request.originalUrl });
  });
  const server = createServer(app);
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    asked.push(request);
    socket.on('message', (data) => socket.send(data));
  });
  return { url: await listen(server), asked };
}

/** A process that passes everything on to this address. */
async function before(url: string): Promise<{ readonly url: string; readonly passing: Passing }> {
  const passing = new Passing();
  const app = express();
  app.use('/rooms', (request, response) => passing.answer(request, response, url));
  const server = createServer(app);
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => undefined);
    passing.upgrade({ request, stream, head }, url);
  });
  return { url: await listen(server), passing };
}

/** An address at which nobody listens. */
async function nowhere(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/`;
}

function outcome(url: string): Promise<number | 'open' | 'ended'> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
    socket.on('error', () => resolve('ended'));
  });
}

describe('[N9.2] what is passed on', () => {
  test('keeps its path, and says for whom it is asked, whatever the visitor says', async () => {
    const { url, asked } = await behind();
    const front = await before(url);
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'Handover-Passed': 'by me' };
    const response = await fetch(`${front.url}rooms/KEVYN?a=b`, { headers });
    expect([response.status, await response.json()]).toEqual([201, { path: '/rooms/KEVYN' }]);
    expect(asked[0].headers['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1');
    expect(asked.map(Passing.isPassed)).toEqual([true]);
    expect(front.passing.passed).toBe(1);
  });

  test('is asked of the other process alone, whatever address the visitor writes in place of a path', async () => {
    const { url, asked } = await behind();
    const front = await before(url);
    for (const address of [
      'http://127.0.0.1:9/rooms/KEVYN?a',
      'http://h:99999/rooms/KEVYN',
      '//h/rooms/KEVYN',
    ]) {
      const socket = connect(Number(new URL(front.url).port), '127.0.0.1');
      socket.write(`GET ${address} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(String(answer)).toMatch(/^HTTP\/1.1 (?:201|404) /);
    }
    expect(asked.map(({ url: path }) => path)).toEqual(['/rooms/KEVYN', '/rooms/KEVYN']);
  });

  test('has the body that was read, whatever its headers say', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += String(part)));
      request.on('end', () => {
        bodies.push(`${request.method} ${text} ${request.headers['content-encoding']}`);
        response.end();
      });
    });
    const url = await listen(server);
    const passing = new Passing();
    const app = express();
    app.use('/rooms', (request, response) => {
      passing.answer(request, response, url, request.method === 'POST' ? Buffer.from('{"a":1}') : undefined);
    });
    const front = await listen(createServer(app));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    await fetch(`${front}rooms`, { method: 'POST', body: 'something longer than that', headers });
    await fetch(`${front}rooms/KEVYN`);
    expect(bodies).toEqual(['POST {"a":1} undefined', 'GET  undefined']);
  });

  test('may be a WebSocket, which ends with its process, and keeps the Host that it asked', async () => {
    const { url, asked } = await behind();
    const front = await before(url);
    const socket = new WebSocket(`${front.url.replace('http', 'ws')}broker/peerjs?id=a`);
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    expect(asked[0].headers.host).toBe(new URL(front.url).host);
    expect(asked[0].url).toBe('/broker/peerjs?id=a');
    const closed = once(socket, 'close');
    front.passing.end('http://127.0.0.1:9/');
    expect(socket.readyState).toBe(WebSocket.OPEN);
    front.passing.end(url);
    await closed;
  });

  test('is refused if the other process is dead', async () => {
    const front = await before(await nowhere());
    expect((await fetch(`${front.url}rooms/KEVYN`)).status).toBe(502);
    expect(await outcome(front.url)).toBe('ended');
  });

  test('is ended if the other process does not answer within 2.5 s', async () => {
    const front = await before(await listen(createServer().on('upgrade', () => undefined)));
    const from = performance.now();
    expect(await outcome(front.url)).toBe('ended');
    expect(performance.now() - from).toBeGreaterThan(2000);
  });

  test('gets the answer of a process that refuses it', async () => {
    const refusing = createServer().on('upgrade', (_, stream) => {
      stream.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    const front = await before(await listen(refusing));
    expect(await outcome(front.url)).toBe(429);
  });
});
