import { createSocket } from 'node:dgram';
import { WebSocket } from 'ws';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { FloodAnswer, Flooded, FloodOrder } from './flood-messages.ts';

/** The process of an attacker: it sends as much as it can to every port of a server, from many networks. */

/** Requests and sockets that are under way at a time. */
const AT_ONCE = 50;
/** UDP packets between two looks at everything else, and their length in bytes. */
const DATAGRAMS = 50;
const DATAGRAM_BYTES = 400;
/** Frames of garbage on a WebSocket. */
const FRAMES = 20;
/** Milliseconds after which a request or a socket is given up. */
const PATIENCE_MS = 2000;

const random = new Random(1);

function garbage(length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

/** Each is another network. */
function headers(): Record<string, string> {
  const byte = (): number => random.below(256);
  return { 'X-Forwarded-For': `198.${18 + random.below(2)}.${byte()}.${byte()}` };
}

/** A room that is there, half of the time. */
function someCode(codes: FloodOrder['codes']): string {
  if (random.chance(0.5)) return codes[random.below(codes.length)];
  return Array.from({ length: 5 }, () => 'ACDEFGHJKMNPQRTUVWXY'[random.below(20)]).join('');
}

/** An order for a room. */
const ORDER = JSON.stringify({ level: { id: 'pile', seed: 1 }, protocol: PROTOCOL_VERSION });

async function request({ url, metricsUrl, codes }: FloodOrder): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const post = {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'application/json' },
    body: random.chance(0.5) ? ORDER : garbage(2000).toString('latin1'),
    signal,
  };
  const get = { headers: headers(), signal };
  const kinds: readonly (() => Promise<Response>)[] = [
    () => fetch(url, get),
    () => fetch(`${url}rooms/${someCode(codes)}`, get),
    () => fetch(`${url}rooms`, post),
    () => fetch(metricsUrl, get),
  ];
  await (await kinds[random.below(kinds.length)]()).arrayBuffer();
}

/** Opens a WebSocket, and sends garbage once it is open. @returns frames that were sent. */
function socket({ url, codes }: FloodOrder): Promise<number> {
  const paths = [
    `broker/peerjs?key=peerjs&id=${random.below(1e9)}&token=${random.below(1e9)}`,
    `rooms/${someCode(codes)}/watch`,
    `rooms/${someCode(codes)}/line?id=${random.below(1e9)}&token=x`,
  ];
  const opened = new WebSocket(url.replace('http', 'ws') + paths[random.below(paths.length)], {
    headers: headers(),
    handshakeTimeout: PATIENCE_MS,
  });
  return new Promise((resolve) => {
    let sent = 0;
    opened.on('open', () => {
      for (; sent < FRAMES; sent++) opened.send(garbage(500), { binary: random.chance(0.5) });
      opened.close();
    });
    opened.on('error', () => undefined);
    opened.on('close', () => resolve(sent));
    setTimeout(() => opened.terminate(), PATIENCE_MS);
  });
}

async function flood(order: FloodOrder): Promise<Flooded> {
  const sent = { requests: 0, sockets: 0, frames: 0, datagrams: 0 };
  const endsAt = performance.now() + 1000 * order.seconds;
  const isOver = (): boolean => performance.now() >= endsAt;
  const worker = async (): Promise<void> => {
    while (!isOver()) {
      if (random.chance(0.5)) {
        sent.requests++;
        await request(order).catch(() => undefined);
      } else {
        sent.sockets++;
        sent.frames += await socket(order);
      }
    }
  };
  const udp = createSocket('udp4');
  const datagrams = async (): Promise<void> => {
    while (!isOver()) {
      for (let i = 0; i < DATAGRAMS && order.ports.length > 0; i++) {
        udp.send(garbage(DATAGRAM_BYTES), order.ports[random.below(order.ports.length)], '127.0.0.1');
        sent.datagrams++;
      }
      await new Promise((resolve) => void setTimeout(resolve, 1));
    }
  };
  await Promise.all([datagrams(), ...Array.from({ length: AT_ONCE }, worker)]);
  udp.close();
  return sent;
}

function tell(answer: FloodAnswer): void {
  process.send?.(answer);
}

process.on(
  'message',
  (order: FloodOrder) => void flood(order).then((sent) => tell({ kind: 'flooded', ...sent })),
);
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
