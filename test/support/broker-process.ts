import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createBroker } from '../../src/server/broker/broker.ts';
import type { Brokers } from './brokers.ts';

/**
 * Two brokers in a process of their own, since PeerJS's timers never end: `steady`, and `shaky`, which a page
 * stops and starts by POST /stop and /start. Writes their ports as a line of JSON, and ends with its input.
 */

async function listen(): Promise<number> {
  const broker = createBroker(false);
  const app = express();
  app.post('/stop', (_, response) => void broker.stop().then(() => allow(response).end()));
  app.post('/start', (_, response) => {
    broker.start();
    allow(response).end();
  });
  broker.mount(app);
  const server = createServer(app);
  server.on('upgrade', (request, socket, head) => broker.upgrade(request, socket, head));
  return bind(server);
}

/** The page comes from another port. */
function allow(response: express.Response): express.Response {
  return response.set('Access-Control-Allow-Origin', '*');
}

function bind(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** A port at which nobody listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  const port = await bind(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

const ports: Brokers = { steady: await listen(), shaky: await listen(), dead: await deadPort() };
console.log(JSON.stringify(ports));
process.stdin.on('end', () => process.exit()).resume();
