import { readNumber, readWhole, readWords, UsageError } from '../../../src/tools/words.ts';
import type { Figures } from './figures.ts';
import { congestionControl, goFirst, isInside, runInside } from './network.ts';
import type { RoomKind, Run } from './room-run.ts';
import { measure, ROOMS } from './room-run.ts';
import { tableOf, writeTable } from '../table.ts';
import { printFigures, runTool } from '../tool.ts';

/**
 * `npm run feel`: four bots, each in a process of its own, play in a player's room and in rooms of a server, while the
 * kernel loses packets. It prints what a player notices of it. `--write` puts the table into docs/server-rooms.md.
 */

const USAGE = `Usage: npm run feel -- [options]
  --seconds N    how long each room is watched (30)
  --loss LIST    packets that are lost, in per cent, with commas between (0,2,10)
  --rooms LIST   the kinds of room, with commas between (${ROOMS.join()})
  --seed N       the seed of the bots (1)
  --write        puts the table into docs/server-rooms.md`;

const NAMES: Readonly<Record<RoomKind, string>> = {
  browser: "a player's room",
  udp: 'on the server, by UDP',
  websockets: 'on the server, by WebSockets',
};

/**
 * Milliseconds without a tick in any player's process after which the machine was too busy to measure a room; and how
 * often a room is measured at most, until it is not.
 */
const MOST_STALL_MS = 100;
const TRIES = 3;

const OPTIONS = {
  seconds: { type: 'string', default: '30' },
  loss: { type: 'string', default: '0,2,10' },
  rooms: { type: 'string', default: ROOMS.join() },
  seed: { type: 'string', default: '1' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** One row of the table after the other. @throws UsageError with one sentence. */
function runsOf(wish: Readonly<Record<'seconds' | 'loss' | 'rooms' | 'seed', string>>): Run[] {
  const seconds = readWhole('seconds', wish.seconds, 1, 3600);
  const seed = readWhole('seed', wish.seed, 0, 1_000_000);
  const percents = wish.loss.split(',').map((percent) => readNumber('loss', percent, 0, 50));
  const rooms = wish.rooms.split(',').map(readRoom);
  return rooms.flatMap((room) => percents.map((percent) => ({ room, percent, seconds, seed })));
}

function readRoom(text: string): RoomKind {
  const room = ROOMS.find((name) => name === text);
  if (room === undefined) throw new UsageError(`--rooms lists some of ${ROOMS.join()}, not "${text}".`);
  return room;
}

const COLUMNS = [
  'room',
  'loss, %',
  "a friend's hand is seen after, ms",
  'and stands still for, ms',
  'a grab is seen after, ms',
  'a cube is off its path by, cm',
  'to a player, kbit/s',
  'from a player, kbit/s',
  'in after, s',
];

function rowOf({ room, percent }: Run, figures: Figures): string[] {
  const { delayMs, gapMs, grabMs, offCm, guests, host, entrySeconds } = figures;
  const whole = (value: number): string => value.toFixed(0);
  const pair = (a: number, b: number): string => `${whole(a)} / ${whole(b)}`;
  const rate = (way: 'down' | 'up'): string =>
    host === null ? whole(guests[way]) : `${whole(guests[way])}, host ${whole(host[way])}`;
  return [
    figures.stallMs <= MOST_STALL_MS ? NAMES[room] : `${NAMES[room]}; busy machine`,
    String(percent),
    pair(delayMs.p50, delayMs.p95),
    pair(gapMs.p99, gapMs.max),
    pair(grabMs.p50, grabMs.p95),
    offCm.p95.toFixed(1),
    rate('down'),
    rate('up'),
    `${entrySeconds.p50.toFixed(1)} / ${entrySeconds.max.toFixed(1)}`,
  ];
}

/** Measures a room again if the machine was too busy, and prints each result. */
async function measureInPeace(run: Run): Promise<Figures> {
  for (let tries = 1; ; tries++) {
    const figures = await measure(run);
    printFigures({ room: run.room, percent: run.percent, ...figures });
    if (figures.stallMs <= MOST_STALL_MS || tries === TRIES) return figures;
    console.log('The machine was too busy; the same again.');
  }
}

/** @returns the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const options = readWords(words, OPTIONS);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const runs = runsOf(options);
  if (!isInside()) return runInside(words);
  goFirst();
  console.log(
    `Seed ${options.seed}, ${options.seconds} s for each room; TCP is that of Linux with ${congestionControl()}.`,
  );
  const rows: string[][] = [];
  for (const run of runs) rows.push(rowOf(run, await measureInPeace(run)));
  const table = tableOf(COLUMNS, rows);
  console.log(table);
  if (options.write) writeTable('feel', table);
  return 0;
}

await runTool(main);
