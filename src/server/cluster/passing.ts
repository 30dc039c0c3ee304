import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Request } from 'express';
import type { ProxyServer } from 'httpxy';
import { createProxyServer } from 'httpxy';
import type { Upgrade } from '../broker/entrance.ts';
import { destroySoon, refuseUpgrade } from '../visitors/refuse.ts';

/** Marks what another process has passed on: it is never passed on once more. */
const PASSED = 'handover-passed';
/**
 * Milliseconds that another process has to open a WebSocket: if it hangs, the visitor must learn that soon, and asks
 * again. And milliseconds that it has to answer a request: it may have to start a process for a room first.
 */
const UPGRADE_MS = 2500;
const ANSWER_MS = 70_000;

/**
 * [N9.2] Passes requests and WebSockets of visitors on to other processes of the cluster, as a proxy does. Each process
 * must trust the others as proxies: they say for whom they ask.
 */
export class Passing {
  readonly #proxy: ProxyServer = createProxyServer({
    // A process's own certificate has no signature that another one would believe.
    secure: false,
    proxyTimeout: ANSWER_MS,
    // A connection for each request: nothing of one visitor's may be left for the next.
    agent: false,
    upgradeTimeout: UPGRADE_MS,
  });
  /** The streams that were passed on, and to which address. */
  readonly #streams = new Map<Upgrade['stream'], string>();
  /** Requests and WebSockets that were passed on. */
  passed = 0;

  constructor() {
    this.#proxy.on('error', (_, request, answer) => refuse(request, answer));
    this.#proxy.on('proxyReqWs', (asked, _, visitor) => {
      asked.once('upgrade', (__, other) => endTogether(visitor, other));
    });
  }

  /** True if another process has passed a request on. A visitor may say that, too: this process serves it then, or refuses. */
  static isPassed({ headers }: IncomingMessage): boolean {
    return headers[PASSED] !== undefined;
  }

  /** Passes a WebSocket on. @param url the address of the other process. */
  upgrade({ request, stream, head }: Upgrade, url: string): void {
    this.passed++;
    this.#streams.set(stream, url);
    stream.once('close', () => void this.#streams.delete(stream));
    const options = { target: url, headers: headersOf(request) };
    this.#proxy.ws(request, stream as Socket, options, head).catch(() => undefined);
  }

  /** Passes a request on. @param body the part that has been read here; left out if it has none. */
  answer(request: Request, response: ServerResponse, url: string, body: Buffer = Buffer.alloc(0)): void {
    this.passed++;
    const target = new URL(url);
    // A visitor may write a whole address in place of a path: it must not choose whom this process asks.
    target.pathname = `${request.baseUrl}${request.path}`;
    // The body as it was read, whatever was said of its form and its length.
    for (const name of ['content-encoding', 'transfer-encoding', 'expect']) delete request.headers[name];
    const headers = { ...headersOf(request), 'content-length': String(body.length) };
    const options = { target, ignorePath: true, headers, buffer: Readable.from([body]) };
    this.#proxy.web(request, response, options).catch(() => undefined);
  }

  /** Ends everything that was passed on to an address: a machine that is cut off ends no connection. */
  end(url: string): void {
    for (const [stream, to] of this.#streams) if (to === url) stream.destroy();
  }

  /** Ends everything that was passed on. */
  stop(): void {
    for (const stream of this.#streams.keys()) stream.destroy();
  }
}

/** @returns the headers that the other process gets besides the visitor's: for whom it is asked. */
function headersOf({ headers, socket }: IncomingMessage): Record<string, string> {
  const before = headers['x-forwarded-for'];
  const last = socket.remoteAddress ?? '';
  return { 'x-forwarded-for': before === undefined ? last : `${String(before)}, ${last}`, [PASSED]: '1' };
}

/** The other process does not answer: it may have died a moment ago, and the visitor comes again. */
function refuse(request: IncomingMessage | undefined, answer: ServerResponse | Socket | undefined): void {
  if (answer === undefined) return;
  if (!('headersSent' in answer)) answer.destroy();
  else if (!answer.headersSent) answer.writeHead(502).end();
  else if (request?.complete !== true) answer.destroy();
}

/** When one end of a WebSocket is gone, so is the other, once it has brought its last bytes. */
function endTogether(visitor: Socket, other: Socket): void {
  visitor.once('close', () => void other.destroy());
  other.once('close', () => destroySoon(visitor));
}

/** No process can be asked at present. */
export function refuseForNow({ stream }: Pick<Upgrade, 'stream'>): void {
  if (!stream.destroyed) refuseUpgrade(stream, 503);
}
