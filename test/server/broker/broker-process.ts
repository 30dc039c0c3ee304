import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createBroker } from '../../../src/server/broker/broker.ts';

/**
 * A broker in a process of its own. It writes its port, and for each line that it gets the bytes of its memory after its
 * garbage was collected: garbage comes and goes by more than ten megabytes. Needs `--expose-gc`.
 */

const broker = createBroker();
const server = createServer();
broker.mount(express());
server.on('upgrade', (request, socket, head) => {
  broker.upgrade(request, socket, head);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on('data', () => {
  if (gc === undefined) throw new Error('start it with --expose-gc');
  gc();
  process.stdout.write(`${process.memoryUsage().rss}\n`);
});
process.stdin.on('end', () => process.exit());
