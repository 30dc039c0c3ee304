import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds that a refused client has to take its answer. */
const ANSWER_MS = 1000;

/**
 * Refuses a WebSocket upgrade with an HTTP status, and destroys the socket: its other end may never close its half,
 * and would hold the socket for ever.
 */
export function refuseUpgrade(socket: Duplex, status: number): void {
  // A connection that breaks now must not end the process.
  socket.on('error', () => undefined);
  const destroy = (): void => void socket.destroy();
  const patience = setTimeout(destroy, ANSWER_MS);
  patience.unref();
  socket.once('close', () => clearTimeout(patience));
  socket.once('finish', destroy);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

/** Milliseconds that a visitor has to read the last bytes of a WebSocket. */
const LAST_BYTES_MS = 1000;

/** Destroys a stream once it has brought its last bytes, or soon if nobody reads them. */
export function destroySoon(stream: Duplex): void {
  const destroy = (): void => void stream.destroy();
  const patience = setTimeout(destroy, LAST_BYTES_MS);
  stream.once('close', () => clearTimeout(patience));
  stream.end(destroy);
}
