import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { Server } from '../../../src/server/server.ts';
import { readWhole, readWords } from '../../../src/tools/words.ts';
import { quantile } from '../../netsim/traffic.ts';
import { AskedProcess } from '../asked-process.ts';
import { PLAYERS, SHARED_MS } from '../feel/clock-hand.ts';
import { goFirst } from '../feel/network.ts';
import type { PlayerProcess } from '../feel/player-process.ts';
import { beginPlayer } from '../feel/player-process.ts';
import { readCosts } from '../costs.ts';
import { openRoom, startSite } from '../site.ts';
import { tableOf, writeTable } from '../table.ts';
import { pause, runTool } from '../tool.ts';
import type { CrowdAnswer, CrowdOrder } from './crowd-messages.ts';
import type { EyeAnswer, EyeOrder } from './eye-main.ts';

/**
 * `npm run watched`: four bots play in a room of a server, more and more people watch, and it prints what that costs, and
 * how late a watcher sees the play [N5]. `--write` puts the table into docs/server-rooms.md.
 */

const USAGE = `Usage: npm run watched -- [options]
  --seconds N    how long each row is measured (20)
  --watchers L   people who watch, with commas between (0,100,300,1000)
  --deaf N       people who read nothing, beside the most of these, in a row of their own (500; 0 for no such row)
  --write        puts the table into docs/server-rooms.md`;

/** Milliseconds from the first move until bots throw, and V8 has compiled what runs often. */
const WARM_UP_MS = 10_000;
/** Milliseconds in which the processes that begin leave the others alone. */
const CALM_MS = 2000;

const SITE = { HANDOVER_ROOMS_WATCHERS: '4000', TRUST_PROXY: '127.0.0.1', METRICS_PORT: '0' };

/** One row of the table. */
type Row = { readonly reading: number; readonly deaf: number };

type Figures = {
  /** Cores that the process took: of the server, and of the rooms. */
  readonly server: number;
  readonly rooms: number;
  readonly kbps: number;
  readonly gapMs: number;
  readonly slowestMs: number;
  readonly firstMs: number;
  readonly delayMs: { readonly p50: number; readonly p95: number };
  readonly tickP99Ms: number;
  readonly late: number;
  readonly skipped: number;
  readonly memoryMb: number;
};

async function measure(row: Row, seconds: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-watched-'));
  const server = await startSite(folder, SITE);
  const players: PlayerProcess[] = [];
  const children: { stop: () => void }[] = [];
  try {
    const code = await openRoom(server.url);
    for (let i = 0; i < PLAYERS; i++) players.push(await enter(server, code, i));
    const crowd = await AskedProcess.begin<CrowdOrder, CrowdAnswer>(
      new URL('./crowd-main.ts', import.meta.url),
    );
    children.push(crowd);
    const eye = await AskedProcess.begin<EyeOrder, EyeAnswer>(new URL('./eye-main.ts', import.meta.url));
    children.push(eye);
    const there = await crowd.ask({ kind: 'come', url: server.url, code, ...row }, 'there');
    const fromMs = performance.now() + SHARED_MS + WARM_UP_MS;
    const untilMs = fromMs + 1000 * seconds;
    for (const player of players)
      void player.ask({ kind: 'play', seed: 1, fromMs, untilMs, resetSeconds: 0 }, 'played');
    const seen = eye.ask({ url: server.url, code, fromMs, untilMs }, 'seen');
    await pause(WARM_UP_MS);
    const before = await readCosts(server);
    const counted = await crowd.ask({ kind: 'count', seconds }, 'counted');
    const after = await readCosts(server);
    const { sight, firstMs } = await seen;
    if (counted.lost > 0) throw new Error(`${counted.lost} watchers were lost.`);
    const delays = sight.delays.sort((a, b) => a - b);
    const passed = (after.atMs - before.atMs) / 1000;
    return {
      server: (after.server - before.server) / passed,
      rooms: (after.rooms - before.rooms) / passed,
      kbps: counted.kbps,
      gapMs: counted.gapMs,
      slowestMs: there.slowestMs,
      firstMs,
      delayMs: { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) },
      tickP99Ms: 1000 * after.figures.handover_rooms_tick_p99_seconds,
      late: after.figures.handover_rooms_late_ticks - before.figures.handover_rooms_late_ticks,
      skipped: after.figures.handover_rooms_skipped_ticks - before.figures.handover_rooms_skipped_ticks,
      memoryMb: process.memoryUsage.rss() / 1e6,
    };
  } finally {
    for (const player of players) player.stop();
    for (const child of children) child.stop();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

async function enter({ url }: Server, code: RoomCode, colour: number): Promise<PlayerProcess> {
  const player = await beginPlayer();
  const network = { broker: { url: `${url.replace('http', 'ws')}broker` }, address: '127.0.0.1' };
  await player.ask({ kind: 'enter', network, code, colour }, 'in');
  return player;
}

const COLUMNS = [
  'watchers',
  "the server's process, % of a core",
  "the rooms' process, % of a core",
  'to each watcher, kbit/s',
  'to all, Mbit/s',
  "a player's hand is seen after, ms",
  'the first picture comes after, ms',
  "the room's tick in 99 of 100, ms",
  'late ticks, %',
  'memory of the server, MB',
];

function rowOf({ reading, deaf }: Row, seconds: number, figures: Figures): string[] {
  const whole = (value: number): string => value.toFixed(0);
  return [
    deaf === 0 ? String(reading) : `${reading}, and ${deaf} that read nothing`,
    whole(100 * figures.server),
    whole(100 * figures.rooms),
    reading === 0 ? '' : whole(figures.kbps),
    ((figures.kbps * reading) / 1000).toFixed(1),
    `${whole(figures.delayMs.p50)} / ${whole(figures.delayMs.p95)}`,
    reading === 0
      ? whole(figures.firstMs)
      : `${whole(figures.firstMs)}, the slowest ${whole(figures.slowestMs)}`,
    figures.tickP99Ms.toFixed(1),
    ((100 * figures.late) / (60 * seconds)).toFixed(1),
    whole(figures.memoryMb),
  ];
}

const OPTIONS = {
  seconds: { type: 'string', default: '20' },
  watchers: { type: 'string', default: '0,100,300,1000' },
  deaf: { type: 'string', default: '500' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @returns the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const options = readWords(words, OPTIONS);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const seconds = readWhole('seconds', options.seconds, 1, 3600);
  const counts = options.watchers.split(',').map((count) => readWhole('watchers', count, 0, 3000));
  const deaf = readWhole('deaf', options.deaf, 0, 900);
  const rows: Row[] = counts.map((reading) => ({ reading, deaf: 0 }));
  if (deaf > 0) rows.push({ reading: Math.max(...counts), deaf });
  goFirst();
  const lines: string[][] = [];
  for (const row of rows) {
    const figures = await measure(row, seconds);
    console.log(JSON.stringify({ ...row, ...figures }));
    lines.push(rowOf(row, seconds, figures));
    await pause(CALM_MS);
  }
  const table = tableOf(COLUMNS, lines);
  console.log(table);
  if (options.write) writeTable('watched', table);
  return 0;
}

await runTool(main);
