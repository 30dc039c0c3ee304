import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Request } from 'express';
import type { ProxyServer } from 'httpxy';
import { createProxyServer } from 'httpxy';
import type { Upgrade } from '../broker/entrance.ts';
import { refuseUpgrade } from '../visitors/refuse.ts';

/** Marks what another process has passed on: it is never passed on once more. */
const PASSED = 'handover-passed';
/**
 * Milliseconds that another process has to open a WebSocket: one that stands still answers none, and whoever asks comes
 * again. And to answer a request: it may have to begin a process for a room.
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
    upgradeTimeout: UPGRADE_MS,
  });
  /** The streams that were passed on, and to which address. */
  readonly #streams = new Map<Upgrade['stream'], string>();
  /** Requests and WebSockets that were passed on. */
  passed = 0;

  constructor() {
    this.#proxy.on('error', (_, request, answer) => refuse(request, answer));
  }

  /** True for what another process has passed on. A visitor who says so alone is served here, or refused. */
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

  /** Passes a request on. @param body what of it has been read here already. */
  answer(request: Request, response: ServerResponse, url: string, body?: Buffer): void {
    this.passed++;
    const buffer = body === undefined ? {} : { buffer: Readable.from([body]) };
    // Express takes from `url` what it has matched.
    const target = new URL(request.originalUrl, url);
    const options = { target, ignorePath: true, headers: headersOf(request), ...buffer };
    this.#proxy.web(request, response, options).catch(() => undefined);
  }

  /** Ends everything that was passed on to an address: a machine that is cut off ends nothing. */
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

/** No process can be asked at present. */
export function refuseForNow({ stream }: Pick<Upgrade, 'stream'>): void {
  if (!stream.destroyed) refuseUpgrade(stream, 503);
}
