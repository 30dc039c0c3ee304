import { randomUUID } from 'node:crypto';
import { DOOR_PREFIX } from '../../src/core/room/code.ts';
import type { BrokerClient } from '../server/broker/broker-client.ts';
import { connectBroker } from '../server/broker/broker-client.ts';

/** Strangers who know a room's code, and flood its door. They speak PeerJS's protocol with the broker by hand. */
export type Flood = {
  /** How many messages were sent so far. */
  readonly sent: number;
  stop(): void;
};

/** The strangers, and the messages that each of them sends. */
export type FloodOptions = {
  readonly url: string;
  readonly code: string;
  /** Strangers, each with a socket and an id of its own. */
  readonly clients: number;
  /** Messages that each sends a second. */
  readonly perSecond: number;
  /** Makes the payload of each message. */
  readonly message: () => { readonly type: string; readonly payload: object };
  /** The flood ends by itself after so many seconds. */
  readonly seconds: number;
};

const STEP_MS = 50;

/** Starts a flood. A stranger whose connection the broker ends comes back as somebody else. */
export async function startFlood(options: FloodOptions): Promise<Flood> {
  const { url, code, perSecond, message, seconds } = options;
  const dst = DOOR_PREFIX + code;
  const connect = (): Promise<BrokerClient | null> => connectBroker(url, randomUUID()).catch(() => null);
  const clients = await Promise.all(Array.from({ length: options.clients }, connect));
  const start = performance.now();
  const sent = clients.map(() => 0);
  const comingBack = new Set<number>();
  const comeBack = async (i: number): Promise<void> => {
    if (comingBack.has(i)) return;
    comingBack.add(i);
    clients[i] = await connect();
    comingBack.delete(i);
    if (isOver) clients[i]?.socket.terminate();
  };
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
    for (const client of clients) client?.socket.terminate();
  };
  const timer = setInterval(() => {
    const passed = (performance.now() - start) / 1000;
    clients.forEach((client, i) => {
      if (client?.socket.readyState !== client?.socket.OPEN) void comeBack(i);
      else for (; sent[i] < passed * perSecond; sent[i]++) client?.send({ ...message(), dst });
    });
    if (passed > seconds) stop();
  }, STEP_MS);
  return {
    get sent() {
      return sent.reduce((a, b) => a + b);
    },
    stop,
  };
}

/** A candidate of so many bytes, for a connection that nobody has offered. */
export function strayCandidate(bytes: number): ReturnType<FloodOptions['message']> {
  return {
    type: 'CANDIDATE',
    payload: { connectionId: randomUUID(), type: 'data', candidate: { candidate: 'x'.repeat(bytes) } },
  };
}

/** An offer of a line, as a page makes it, behind which there is no page. */
export function emptyOffer(): ReturnType<FloodOptions['message']> {
  const connectionId = `dc_${randomUUID()}`;
  const hex = randomUUID().replaceAll('-', '').repeat(2).toUpperCase();
  const sdp = [
    'v=0',
    'o=- 323647504439077063 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${hex.slice(0, 4)}`,
    `a=ice-pwd:${hex.slice(0, 24)}`,
    `a=fingerprint:sha-256 ${hex.match(/../g)?.join(':') ?? ''}`,
    'a=setup:actpass',
    'a=mid:0',
    'a=sctp-port:5000',
    '',
  ].join('\r\n');
  const kind = { type: 'data', label: connectionId, reliable: true, serialization: 'raw' };
  return { type: 'OFFER', payload: { ...kind, connectionId, sdp: { type: 'offer', sdp } } };
}
