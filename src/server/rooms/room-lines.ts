import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RoomCode } from '../../core/room/code.ts';
import { DOOR_PREFIX } from '../../core/room/code.ts';
import { MAX_FRAME } from '../../transport/socket/socket-connection.ts';
import { LINE_SECRET, linePath, sayNoRoom } from '../../transport/node/line-server.ts';
import { readLineAddress } from '../../transport/socket/line-address.ts';
import type { Rate } from '../visitors/token-buckets.ts';
import { TokenBuckets } from '../visitors/token-buckets.ts';
import { isOwnSocket } from '../visitors/own-page.ts';
import { destroySoon, refuseUpgrade } from '../visitors/refuse.ts';

/** How fast one network may open lines: a class whose network lets no UDP through joins at once, with three each. */
const LINES_OF_NETWORK: Rate = { atOnce: 120, anotherMs: 250 };

/** How to reach the process that has the rooms. */
export type LineEndpoint = {
  /** The port of this machine at which the process with the rooms takes lines; null while there is none. */
  readonly linePort: number | null;
  /** The secret that the server shows to that process, so that it believes the server. */
  readonly lineSecret: string;
};

/** The parts of the server that lines need. */
export type LinesWatch = {
  networkOf(request: IncomingMessage): string;
  /** A line was refused. */
  refused(network: string): void;
  /** Whether a network may look for a room. */
  mayLookFor(network: string, code: RoomCode): boolean;
  /** [N2.6] True if a client with this id and this token is at the broker. Never rejects. */
  isAtBroker(id: string, token: string): Promise<boolean>;
};

/**
 * [N2.3] Passes WebSockets of pages on to the process that has the rooms. It looks at nothing that goes through: a line
 * itself bounds what may come.
 */
export class RoomLines {
  readonly #endpoint: LineEndpoint;
  readonly #watch: LinesWatch;
  readonly #networks = new TokenBuckets(LINES_OF_NETWORK);
  /** Accepts WebSockets to unknown rooms, to close them with a code: browsers log a refused upgrade as an error. */
  readonly #nowhere = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME, autoPong: false });
  readonly #streams = new Set<Duplex>();

  constructor(endpoint: LineEndpoint, watch: LinesWatch) {
    this.#endpoint = endpoint;
    this.#watch = watch;
  }

  /** Takes an upgrade, if it is one of a line. @returns false if it is not. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const asked = readLineAddress(request.url);
    if (asked === null) return false;
    const { code, id, token } = asked;
    const network = this.#watch.networkOf(request);
    const refuse = (status: number): void => {
      this.#watch.refused(network);
      refuseUpgrade(stream, status);
    };
    const judge = (isAtBroker: boolean): void => {
      const port = this.#endpoint.linePort;
      if (stream.destroyed) return;
      if (!isAtBroker) refuse(403);
      else if (code !== null && !this.#watch.mayLookFor(network, code)) refuse(429);
      else if (code !== null && port !== null) this.#pass(request, stream, head, { port, code, page: id });
      else this.#sayNoRoom(request, stream, head);
    };
    // A page of another site could use up what its visitor's network may look for.
    if (!isOwnSocket(request)) refuse(403);
    else if (!this.#networks.take(network, Date.now())) refuse(429);
    // Every guest knows the token of its room's door.
    else if (id.startsWith(DOOR_PREFIX)) refuse(403);
    else void this.#watch.isAtBroker(id, token).then(judge);
    return true;
  }

  #sayNoRoom(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    this.#keep(stream);
    this.#nowhere.handleUpgrade(request, stream, head, sayNoRoom);
  }

  /** Remembers a stream until it has closed. */
  #keep(stream: Duplex): void {
    this.#streams.add(stream);
    stream.once('close', () => void this.#streams.delete(stream));
  }

  #pass(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    { port, code, page }: { readonly port: number; readonly code: RoomCode; readonly page: string },
  ): void {
    const inner = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#keep(stream);
    stream.once('close', () => inner.destroy());
    inner.on('error', () => undefined);
    inner.once('close', () => destroySoon(stream));
    inner.write(upgradeRequest(request, linePath({ code, page }), this.#endpoint.lineSecret));
    inner.write(head);
    stream.pipe(inner).pipe(stream);
  }

  /** Ends all lines. */
  stop(): void {
    for (const stream of this.#streams) stream.destroy();
  }
}

/** The visitor's request as the process with the rooms gets it: the key of its WebSocket, and nothing else of its own. */
function upgradeRequest({ headers }: IncomingMessage, path: string, secret: string): string {
  const key = String(headers['sec-websocket-key'] ?? '').replace(/[^\w+/=]/g, '');
  const version = String(headers['sec-websocket-version'] ?? '').replace(/\D/g, '');
  return [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Key: ${key}`,
    `Sec-WebSocket-Version: ${version}`,
    `${LINE_SECRET}: ${secret}`,
    '\r\n',
  ].join('\r\n');
}
