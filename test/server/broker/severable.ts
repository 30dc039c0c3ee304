import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to a server that can be cut and mended. */
export type SeverableWay = {
  /** The server's URL by this way. */
  readonly url: string;
  /** While it is cut, its connections are closed, and new ones end at once. */
  isCut: boolean;
};

/** Opens another way to the server at a URL, until the test ends. */
export async function severableWay(url: string): Promise<SeverableWay> {
  const way = new URL(url);
  const { port, hostname } = way;
  const sockets = new Set<Socket>();
  let isCut = false;
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    closeAll();
    server.close();
  });
  way.port = String((server.address() as AddressInfo).port);
  return {
    url: way.href,
    get isCut() {
      return isCut;
    },
    set isCut(value) {
      isCut = value;
      if (isCut) closeAll();
    },
  };
}
