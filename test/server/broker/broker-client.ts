import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Broker, BrokerOptions } from '../../../src/server/broker/broker.ts';
import { createBroker } from '../../../src/server/broker/broker.ts';
import type { Refusal } from '../../../src/server/broker/limits/limits.ts';

/** A message of the broker, in PeerJS's form. */
export type BrokerMessage = { readonly type: string; readonly src?: string; readonly payload?: unknown };

/** A client that speaks PeerJS's protocol with a broker. */
export type BrokerClient = {
  readonly socket: WebSocket;
  /** Resolves with the next message, in order. */
  next(): Promise<BrokerMessage>;
  send(message: object): void;
  /** Resolves with the close code when the connection ends. */
  readonly closed: Promise<number>;
};

/** A broker at its own port, and what it has refused. */
export type BrokerUnderTest = {
  readonly broker: Broker;
  /** The URL that its pages would have. */
  readonly url: string;
  /** How often it has refused something, by reason. */
  readonly refusals: Map<Refusal, number>;
  /** Returns how many TCP connections it holds. */
  connections(): Promise<number>;
};

/** Starts a broker until the test ends. */
export async function startBroker(options: BrokerOptions = {}): Promise<BrokerUnderTest> {
  const refusals = new Map<Refusal, number>();
  const refused = (why: Refusal): void => void refusals.set(why, (refusals.get(why) ?? 0) + 1);
  const broker = createBroker({ watch: { refused, passed: () => undefined }, ...options });
  const app = express();
  const server = createServer(app);
  broker.mount(app);
  server.on('upgrade', (request, socket, head) => {
    broker.upgrade(request, socket, head);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    await broker.stop();
    server.close();
  });
  return {
    broker,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    refusals,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  };
}

/** Connects to the broker of a server, as a page from `url` does. */
export async function connectBroker(
  url: string,
  id: string,
  token = `of ${id}`,
  headers: Record<string, string> = {},
): Promise<BrokerClient> {
  const query = new URLSearchParams({ key: 'peerjs', id, token, version: '1.5.5' });
  const socket = new WebSocket(new URL(`broker/peerjs?${query}`, url.replace(/^http/, 'ws')), {
    rejectUnauthorized: false,
    headers,
  });
  const waiting: ((message: BrokerMessage) => void)[] = [];
  const heard: BrokerMessage[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as BrokerMessage;
    const waiter = waiting.shift();
    if (waiter === undefined) heard.push(message);
    else waiter(message);
  });
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve);
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    closed,
    next: () => {
      const message = heard.shift();
      if (message !== undefined) return Promise.resolve(message);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    send: (message) => {
      socket.send(JSON.stringify(message));
    },
  };
}

/** Returns the server's answer to a WebSocket upgrade: `open`, or the status with which it refused. */
export function upgrade(
  url: string,
  path: string,
  protocol?: string,
  headers: Record<string, string> = {},
): Promise<'open' | number> {
  const socket = new WebSocket(new URL(path, url.replace(/^http/, 'ws')), protocol, {
    rejectUnauthorized: false,
    headers,
  });
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => undefined);
  });
}
