import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { NO_SUCH_ROOM } from '../socket/close-codes.ts';
import { MAX_FRAME } from '../socket/socket-connection.ts';

/** The header in which the server shows the secret that it shares with this process. */
export const LINE_SECRET = 'handover-lines';

/** Milliseconds after which `closeAtOnce` terminates a socket that its other end has not closed. */
const CLOSED_MS = 1000;

/** A line to a room over a WebSocket, as somebody asks for it. */
export type LineRequest = {
  readonly code: string;
  /** The id at the broker of the page at the other end; the server vouches for it. */
  readonly page: string;
};

/** [N2.3] A process's own end of the lines over WebSockets. The server passes them on to it, by a port of this machine. */
export class LineServer {
  readonly #secret: Buffer;
  readonly #takes: (request: LineRequest, socket: WebSocket) => boolean;
  readonly #http = createServer((_, response) => void response.writeHead(404).end());
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    perMessageDeflate: false,
    autoPong: false,
  });

  /**
   * @param secret that the server shows: other programs of this machine may find the port.
   * @param takes gives a socket to its room; false if there is none.
   */
  constructor(secret: string, takes: (request: LineRequest, socket: WebSocket) => boolean) {
    this.#secret = Buffer.from(secret);
    this.#takes = takes;
    this.#http.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
  }

  /** @returns the port on which it listens, on this machine alone. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#http.on('error', reject);
      this.#http.listen(0, '127.0.0.1', () => resolve((this.#http.address() as AddressInfo).port));
    });
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // A connection that breaks now must not end the process.
    stream.on('error', () => undefined);
    const wanted = this.#isServer(request) ? readRequest(request.url) : null;
    if (wanted === null) {
      stream.destroy();
      return;
    }
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => undefined);
      // No member sends pings, and a stranger could send them without end.
      for (const event of ['ping', 'pong'] as const) socket.on(event, () => socket.terminate());
      if (!this.#takes(wanted, socket)) sayNoRoom(socket);
    });
  }

  #isServer(request: IncomingMessage): boolean {
    const shown = Buffer.from(String(request.headers[LINE_SECRET] ?? ''));
    return shown.length === this.#secret.length && timingSafeEqual(shown, this.#secret);
  }
}

/** Closes a socket to a room that is not there. */
export function sayNoRoom(socket: WebSocket): void {
  closeAtOnce(socket, NO_SUCH_ROOM);
}

/** Closes a socket. Nothing that comes is read. @param code says why; none if left out. */
export function closeAtOnce(socket: WebSocket, code?: number): void {
  // Whatever comes must not end the process.
  socket.on('error', () => undefined);
  socket.close(code);
  socket.pause();
  const patience = setTimeout(() => socket.terminate(), CLOSED_MS);
  socket.once('close', () => clearTimeout(patience));
}

/** The path by which the server asks for a line. */
export function linePath({ code, page }: LineRequest): string {
  return `/${new URLSearchParams({ code, page }).toString()}`;
}

function readRequest(url: string | undefined): LineRequest | null {
  const query = new URLSearchParams(url?.slice(1));
  const [code, page] = [query.get('code'), query.get('page')];
  return code === null || page === null ? null : { code, page };
}
