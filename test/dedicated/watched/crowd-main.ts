import { WebSocket } from 'ws';
import { watchAddress } from '../../../src/transport/socket/line-address.ts';
import { pause } from '../tool.ts';
import type { CrowdAnswer, CrowdOrder } from './crowd-messages.ts';

/** The program of a crowd: sockets that watch, and that decode nothing. */

/** People of one network. */
const OF_NETWORK = 50;
/** Milliseconds between two that come: a link that is passed on, not an alarm clock. */
const APART_MS = 5;

type Member = {
  readonly socket: WebSocket;
  readonly calledMs: number;
  isThere: boolean;
  bytes: number;
  heardMs: number;
  gapMs: number;
  isLost: boolean;
};

const members: Member[] = [];

function come(url: string, code: Extract<CrowdOrder, { kind: 'come' }>['code'], isDeaf: boolean): void {
  const network = Math.floor(members.length / OF_NETWORK);
  const socket = new WebSocket(watchAddress(new URL(`${url}rooms/`), code), {
    headers: { 'X-Forwarded-For': `198.51.100.${network}` },
    perMessageDeflate: false,
  });
  const member: Member = {
    socket,
    calledMs: performance.now(),
    isThere: false,
    bytes: 0,
    heardMs: NaN,
    gapMs: 0,
    isLost: false,
  };
  if (!isDeaf) members.push(member);
  socket.on('error', () => undefined);
  socket.on('close', () => (member.isLost = true));
  socket.on('message', (data: Buffer, isBinary) => {
    const now = performance.now();
    member.gapMs = Math.max(member.gapMs, now - member.heardMs || 0);
    member.heardMs = now;
    member.bytes += data.length;
    if (!isBinary || member.isThere) return;
    member.isThere = true;
    slowestMs = Math.max(slowestMs, now - member.calledMs);
    if (isDeaf) socket.pause();
  });
}

let slowestMs = 0;

async function obey(order: CrowdOrder): Promise<void> {
  if (order.kind === 'come') {
    slowestMs = 0;
    for (let i = 0; i < order.reading + order.deaf; i++) {
      come(order.url, order.code, i >= order.reading);
      await pause(APART_MS);
    }
    while (!members.every(({ isThere }) => isThere)) await pause(50);
    answer({ kind: 'there', slowestMs });
    return;
  }
  for (const member of members) Object.assign(member, { bytes: 0, gapMs: 0, heardMs: NaN });
  await pause(order.seconds * 1000);
  const bytes = members.reduce((sum, member) => sum + member.bytes, 0);
  const kbps = (8 * bytes) / 1000 / order.seconds / Math.max(1, members.length);
  const gapMs = Math.max(0, ...members.map((member) => member.gapMs));
  answer({ kind: 'counted', kbps, gapMs, lost: members.filter(({ isLost }) => isLost).length });
}

function answer(what: CrowdAnswer): void {
  process.send?.(what);
}

process.on('message', (order: CrowdOrder) => void obey(order));
process.on('disconnect', () => process.exit(0));
answer({ kind: 'ready' });
