import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../src/core/base/random.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { randomRoomCode } from '../../../src/core/room/code.ts';
import type { Server } from '../../../src/server/server.ts';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';
import { PLAYERS, SHARED_MS } from './clock-hand.ts';
import type { Figures } from './figures.ts';
import { figuresOf } from './figures.ts';
import type { LineKind } from './messages.ts';
import { lose, losses, SITE_PORT } from './network.ts';
import type { PlayerProcess } from './player-process.ts';
import { beginPlayer } from './player-process.ts';
import { openRoom, startSite } from '../site.ts';

export const ROOMS = ['browser', 'udp', 'websockets'] as const;
/** A player's room; a room of the server over UDP; one over WebSockets. */
export type RoomKind = (typeof ROOMS)[number];

export type Run = {
  readonly room: RoomKind;
  readonly percent: number;
  readonly seconds: number;
  readonly seed: number;
};

const LINES: Readonly<Record<RoomKind, LineKind>> = { browser: 'UDP', udp: 'UDP', websockets: 'WebSocket' };
/** How often each player comes in: the last time it stays. */
const ENTRIES = 3;
/** Milliseconds between leaving and coming back: the host has noticed. */
const AWAY_MS = 500;
/**
 * Milliseconds from the first move to the watch: bots have begun, and V8 has compiled what runs often. Until then the
 * processes of five peers need more than two cores.
 */
const WARM_UP_MS = 15_000;

/** Plays in one room, and measures it. @throws Error with one sentence if a player does not come in. */
export async function measure(run: Run): Promise<Figures> {
  lose(run.percent, run.room === 'websockets');
  const folder = mkdtempSync(join(tmpdir(), 'handover-feel-'));
  const server = await startSite(folder, { PORT: String(SITE_PORT) });
  const players: PlayerProcess[] = [];
  try {
    for (let i = 0; i < PLAYERS; i++) players.push(await beginPlayer());
    return await playIn(run, server, players);
  } finally {
    for (const player of players) player.stop();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

async function playIn(run: Run, { url }: Server, players: readonly PlayerProcess[]): Promise<Figures> {
  const broker = `${url.replace('http', 'ws')}broker`;
  let code: RoomCode;
  let guests = players;
  if (run.room === 'browser') {
    code = randomRoomCode(new Random(run.seed));
    await players[0].ask({ kind: 'open', url: broker, code }, 'in');
    guests = players.slice(1);
  } else code = await openRoom(url);
  const rooms = run.room === 'websockets' ? `${url}rooms/` : null;
  const network = { broker: { url: broker }, address: '127.0.0.1', rooms };
  const entries = await enter(guests, network, code, PLAYERS - guests.length);
  const fromMs = performance.now() + SHARED_MS + WARM_UP_MS;
  const untilMs = fromMs + run.seconds * 1000;
  const order = { kind: 'play', seed: run.seed, fromMs, untilMs, resetSeconds: 0 } as const;
  const played = await Promise.all(players.map((player) => player.ask(order, 'played')));
  for (const { line, sight } of played)
    if (line !== LINES[run.room] && sight.slot !== sight.host)
      throw new Error(`Player ${sight.slot} has a line of the kind "${line}" to its host.`);
  return figuresOf(
    played.map(({ sight }) => sight),
    entries,
    untilMs,
    losses(),
  );
}

/** One after the other comes in, leaves and comes back. @returns the seconds that each took each time. */
async function enter(
  guests: readonly PlayerProcess[],
  network: NodeStationSettings,
  code: RoomCode,
  firstColour: number,
): Promise<number[]> {
  const entries: number[] = [];
  for (const [i, guest] of guests.entries())
    for (let entry = 0; entry < ENTRIES; entry++) {
      if (entry > 0) {
        await guest.ask({ kind: 'leave' }, 'left');
        await new Promise((resolve) => void setTimeout(resolve, AWAY_MS));
      }
      const { seconds } = await guest.ask({ kind: 'enter', network, code, colour: firstColour + i }, 'in');
      entries.push(seconds);
    }
  return entries;
}
