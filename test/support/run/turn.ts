import { spawn, spawnSync } from 'node:child_process';
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../src/core/base/random.ts';

const HOST = '127.0.0.1';
export const TURN_USER = 'player';
export const TURN_PASSWORD = 'cubes';

/** True if coturn is on this machine. */
export function hasTurn(): boolean {
  return spawnSync('turnserver', ['--version'], { timeout: 10_000 }).error === undefined;
}

export type TurnServer = { readonly port: number; close(): Promise<void> };

/** Starts coturn on this machine alone. */
export async function startTurn(): Promise<TurnServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'handover-turn-'));
  const server = spawn(
    'turnserver',
    [
      '-n',
      `--listening-ip=${HOST}`,
      `--listening-port=${port}`,
      `--relay-ip=${HOST}`,
      '--allow-loopback-peers',
      '--lt-cred-mech',
      `--user=${TURN_USER}:${TURN_PASSWORD}`,
      '--realm=handover',
      '--no-tls',
      '--no-dtls',
      '--no-cli',
      '--log-file=stdout',
      '--simple-log',
      `--pidfile=${join(folder, 'pid')}`,
      `--userdb=${join(folder, 'users')}`,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await answers(port);
  return {
    port,
    close: async () => {
      const ended = new Promise((resolve) => void server.once('exit', resolve));
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until something answers a STUN request at a port. */
async function answers(port: number): Promise<void> {
  const socket = createSocket('udp4');
  // A binding request of RFC 5389: type, no length, the magic cookie, any transaction.
  const request = Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), Buffer.alloc(12, 7)]);
  const asking = setInterval(() => socket.send(request, port, HOST), 100);
  const answer = new Promise((resolve) => void socket.once('message', () => resolve(true)));
  const patience = new Promise((resolve) => void setTimeout(resolve, 10_000, false));
  const answered = await Promise.race([answer, patience]);
  clearInterval(asking);
  socket.close();
  if (answered !== true) throw new Error('coturn did not start within 10 s');
}

export type Forwarder = {
  readonly port: number;
  /** Datagrams that came, and those of them that were dropped. */
  readonly counts: { came: number; dropped: number };
  close(): void;
};

/**
 * A bad network before a UDP server: each datagram, in either direction, is lost with a chance, and takes at least
 * `delayMs` (0) and up to `jitterMs` more, in milliseconds.
 */
export async function startForwarder(
  to: number,
  conditions: {
    readonly loss: number;
    readonly delayMs?: number;
    readonly jitterMs: number;
    readonly seed: number;
  },
): Promise<Forwarder> {
  const { delayMs = 0, jitterMs, seed } = conditions;
  const random = new Random(seed);
  const front = createSocket('udp4');
  const clients = new Map<string, Socket>();
  const counts = { came: 0, dropped: 0 };
  let closed = false;
  const carry = (send: () => void): void => {
    counts.came++;
    if (random.chance(conditions.loss)) {
      counts.dropped++;
      return;
    }
    setTimeout(
      () => {
        if (!closed) send();
      },
      delayMs + random.between(0, jitterMs),
    );
  };
  front.on('message', (message, from) => {
    const key = `${from.address}:${from.port}`;
    let client = clients.get(key);
    if (client === undefined) {
      client = createSocket('udp4');
      client.on('message', (answer) => carry(() => front.send(answer, from.port, from.address)));
      clients.set(key, client);
    }
    const behind = client;
    carry(() => behind.send(message, to, HOST));
  });
  await new Promise<void>((resolve) => void front.bind(0, HOST, resolve));
  return {
    port: front.address().port,
    counts,
    close: () => {
      closed = true;
      front.close();
      for (const client of clients.values()) client.close();
    },
  };
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => void socket.bind(0, HOST, resolve));
  const { port } = socket.address();
  socket.close();
  return port;
}
