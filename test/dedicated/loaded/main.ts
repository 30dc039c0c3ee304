import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { isLevelId, LEVEL_IDS } from '../../../src/levels/levels.ts';
import { readNumber, readWhole, readWords, UsageError } from '../../../src/tools/words.ts';
import { goFirst, isInside, runInside } from '../feel/network.ts';
import { slowMotion } from '../../support/run/slow-motion.ts';
import { WISH_SECONDS } from '../reset-rhythm.ts';
import { tableOf, writeTable } from '../table.ts';
import { printFigures, runTool } from '../tool.ts';
import type { Load, LoadFigures } from './load-run.ts';
import { measureLoad } from './load-run.ts';

/**
 * `npm run load`: rooms of a server whose players all grab and throw without a pause, over real data channels, while the
 * kernel loses packets. It prints what that costs, and how well the players agree.
 */

/** A load runs at most so many times slower. */
const MOST_SLOW = 20;

const USAGE = `Usage: npm run load -- [options]
  --loads LIST   rooms and people in each, with commas between (1x4,1x8,1x16,1x31); 1x8@NAME for a level other than
                 pile: one of ${LEVEL_IDS.join()}
  --seconds N    how long each load is measured (30); from two minutes on, each ten seconds are printed, too
  --loss N       packets that are lost, in per cent (5)
  --seed N       the seed of the bots (1)
  --page         one player of the first room is a page of Chromium
  --flood        has an attacker send all it can to every port of the server meanwhile
  --reset N      has all players want a reset every N seconds, from 11 on: otherwise cubes that were thrown far away
                 stay there, and a long run has ever less to do; 0, for none, if left out
  --shared       gives the rooms no core for themselves: everything shares all of them
  --slow N       has everything run N times slower, 1 to ${MOST_SLOW}: for machines without a core for each player; if left out,
                 as slow as this machine needs for each load
  --write        puts the table into docs/server-rooms.md`;

const OPTIONS = {
  loads: { type: 'string', default: '1x4,1x8,1x16,1x31' },
  seconds: { type: 'string', default: '30' },
  loss: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
  reset: { type: 'string', default: '0' },
  slow: { type: 'string' },
  page: { type: 'boolean', default: false },
  flood: { type: 'boolean', default: false },
  shared: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const COLUMNS = [
  'level',
  'rooms',
  'players of each',
  'tick in 99 of 100, ms',
  'late ticks, %',
  'of a core, %',
  'to a player, kbit/s',
  'from a player, kbit/s',
  "a friend's cube is off its path by, cm",
  'all rest alike after, s',
  'memory, MB',
  "a player's own ticks a second",
  "a page's pictures a second",
];

/** The parts of a core that a bot and a page take, or a little more. */
const CORE_OF_BOT = 1 / 4;
const CORE_OF_PAGE = 1 / 2;

/** @returns how many times slower than life a load runs so that this machine has the time: the rooms have one core. */
function slowFor({ rooms, players }: Pick<Load, 'rooms' | 'players'>, hasPage: boolean): number {
  const needed = rooms * players * CORE_OF_BOT + (hasPage ? CORE_OF_PAGE : 0);
  const cores = Math.max(1, availableParallelism() - 1);
  return Math.max(1, Math.min(MOST_SLOW, Math.ceil(needed / cores)));
}

type Wish = {
  readonly [Name in 'loads' | 'seconds' | 'loss' | 'seed' | 'reset']: string;
} & {
  readonly slow?: string | undefined;
  readonly flood: boolean;
  readonly shared: boolean;
  readonly page: boolean;
};

/** @throws UsageError with one sentence. */
function readReset(word: string): number {
  const seconds = readWhole('reset', word, 0, 86_400);
  if (seconds > 0 && seconds <= WISH_SECONDS)
    throw new UsageError(`--reset is 0, or more than ${WISH_SECONDS}.`);
  return seconds;
}

/** @throws UsageError with one sentence. */
function loadsOf(wish: Wish): Omit<Load, 'pages'>[] {
  const common = {
    percent: readNumber('loss', wish.loss, 0, 50),
    seconds: readWhole('seconds', wish.seconds, 5, 86_400),
    seed: readWhole('seed', wish.seed, 0, 1_000_000),
    floods: wish.flood,
    shared: wish.shared,
    resetSeconds: readReset(wish.reset),
  };
  return wish.loads.split(',').map((text) => {
    const [size, level = 'pile', ...rest] = text.split('@');
    const [rooms, players, ...more] = size.split('x');
    if (players === undefined || rest.length + more.length > 0 || !isLevelId(level))
      throw new UsageError(`--loads lists loads such as 2x8 or 2x8@pile, not "${text}".`);
    const load = {
      rooms: readWhole('loads', rooms, 1, 64),
      players: readWhole('loads', players, 1, 31),
    };
    const slow =
      wish.slow === undefined ? slowFor(load, wish.page) : readWhole('slow', wish.slow, 1, MOST_SLOW);
    return { ...common, ...load, level, slow };
  });
}

function rowOf({ level, rooms, players }: Omit<Load, 'pages'>, figures: LoadFigures): string[] {
  const { down, up, sameAfter } = figures;
  const most = ({ mean, most }: { mean: number; most: number }): string =>
    `${mean.toFixed(0)}, at most ${most.toFixed(0)}`;
  return [
    level,
    String(rooms),
    String(players),
    figures.tickP99Ms.toFixed(1),
    Number.isNaN(figures.latePercent) ? 'not known' : figures.latePercent.toFixed(1),
    (100 * figures.cores).toFixed(0),
    most(down),
    most(up),
    figures.offCm.toFixed(1),
    sameAfter === null ? 'not' : sameAfter.toFixed(1),
    figures.megabytes.toFixed(0),
    Number.isNaN(figures.playerTicks) ? 'not known' : figures.playerTicks.toFixed(0),
    figures.page === null ? 'no page' : figures.page.pictures.toFixed(0),
  ];
}

/** For the run that is inside the network: the load, as JSON, and the file for its figures. */
const LOAD = 'LOAD_OF_RUN';
const RESULT = 'LOAD_RESULT';

/** Builds the pages of the site into a folder. */
async function buildPages(outDir: string): Promise<void> {
  await build({ logLevel: 'error', build: { outDir, emptyOutDir: true, reportCompressedSize: false } });
}

/** Measures one load, inside the network. @returns the exit code. */
async function measureInside(load: Load, file: string): Promise<number> {
  goFirst();
  const figures = await measureLoad(load, load.seconds < 30 ? () => undefined : printFigures);
  printFigures({ ...load, ...figures });
  writeFileSync(
    file,
    JSON.stringify(figures, (_, value: unknown) => (Number.isNaN(value) ? 'NaN' : value)),
  );
  return 0;
}

function readFigures(file: string): LoadFigures {
  const text = readFileSync(file, 'utf8');
  return JSON.parse(text, (_, value: unknown) => (value === 'NaN' ? NaN : value)) as LoadFigures;
}

/** @returns the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const { [LOAD]: inside, [RESULT]: result } = process.env;
  if (isInside() && inside !== undefined && result !== undefined)
    return measureInside(JSON.parse(inside) as Load, result);
  const options = readWords(words, OPTIONS);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const loads = loadsOf(options);
  const folder = mkdtempSync(join(tmpdir(), 'handover-load-'));
  const [pages, file] = [options.page ? join(folder, 'pages') : null, join(folder, 'figures.json')];
  try {
    if (pages !== null) await buildPages(pages);
    const rows: string[][] = [];
    for (const load of loads) {
      const run = JSON.stringify({ ...load, pages } satisfies Load);
      const code = await runInside(words, { ...slowMotion(load.slow), [LOAD]: run, [RESULT]: file });
      if (code !== 0) return code;
      rows.push(rowOf(load, readFigures(file)));
    }
    const table = tableOf(COLUMNS, rows);
    console.log(table);
    if (options.write) writeTable('load', table);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runTool(main);
