import type { Server } from 'node:http';
import { networkOfAddress } from './visitors.ts';
import type { Visitors } from './visitors.ts';

/** Most connections of one network, and of all: a page needs some eight while it loads, and three in a room. */
const MOST_CONNECTIONS = { ofNetwork: 1000, inAll: 5000 };
/** Milliseconds for the headers of a request, and for a whole request; our own pages send no bodies. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 20_000;

/**
 * Limits the connections of an HTTP server before it reads anything. Connections of a named proxy are not limited by
 * network: it limits its own visitors.
 * @param refused called for each connection that was destroyed at once.
 */
export function limitConnections(
  server: Server,
  visitors: Visitors,
  refused: (network: string) => void,
  most = MOST_CONNECTIONS,
): void {
  const open = new Map<string, number>();
  server.maxConnections = most.inAll;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (visitors.isProxy(address)) return;
    const network = networkOfAddress(address);
    const count = open.get(network) ?? 0;
    if (count >= most.ofNetwork) {
      refused(network);
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
