import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

/** Two ends of a WebSocket; neither has read anything. */
export type TwoSockets = { readonly caller: WebSocket; readonly callee: WebSocket };

/** Opens a WebSocket within this process; it ends with the test. The caller may still be connecting. */
export async function twoSockets(): Promise<TwoSockets> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const caller = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    for (const socket of [caller, ...server.clients]) socket.terminate();
    server.close();
  });
  const [callee] = (await once(server, 'connection')) as [WebSocket];
  return { caller, callee };
}
