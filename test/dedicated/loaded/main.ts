import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { isLevelId, LEVEL_IDS } from '../../../src/levels/levels.ts';
import { readNumber, readWhole, readWords, UsageError } from '../../../src/tools/words.ts';
import { goFirst, isInside, runInside } from '../feel/network.ts';
import { slowMotion } from '../../support/run/slow-motion.ts';
import { tableOf, writeTable } from '../table.ts';
import { printFigures, runTool } from '../tool.ts';
import type { Load, LoadFigures } from './load-run.ts';
import { measureLoad } from './load-run.ts';

/**
 * `npm run load`: rooms of a server whose players all grab and throw without a pause, over real data channels, while the
 * kernel loses packets. It prints what that costs, and how well the players agree.
 */

const USAGE = `Usage: npm run load -- [options]
  --loads LIST   rooms and people in each, with commas between (1x4,1x8,1x16,1x31)
  --level NAME   one of ${LEVEL_IDS.join()} (pile)
  --seconds N    how long each load is measured (30); from two minutes on, each ten seconds are printed, too
  --loss N       packets that are lost, in per cent (5)
  --seed N       the seed of the bots (1)
  --page         one player of the first room is a page of Chromium
  --flood        has an attacker send all it can to every port of the server meanwhile
  --slow N       has everything run N times slower, 1 to 20: for machines without a core for each player (1)
  --write        puts the table into docs/server-rooms.md`;

const OPTIONS = {
  loads: { type: 'string', default: '1x4,1x8,1x16,1x31' },
  level: { type: 'string', default: 'pile' },
  seconds: { type: 'string', default: '30' },
  loss: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
  slow: { type: 'string', default: '1' },
  page: { type: 'boolean', default: false },
  flood: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const COLUMNS = [
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

/** @throws UsageError with one sentence. */
function loadsOf(
  wish: Readonly<Record<'loads' | 'level' | 'seconds' | 'loss' | 'seed', string>>,
): Omit<Load, 'slow' | 'floods' | 'pages'>[] {
  const { level } = wish;
  if (!isLevelId(level)) throw new UsageError(`--level is one of ${LEVEL_IDS.join()}, not "${level}".`);
  const common = {
    level,
    percent: readNumber('loss', wish.loss, 0, 50),
    seconds: readWhole('seconds', wish.seconds, 5, 86_400),
    seed: readWhole('seed', wish.seed, 0, 1_000_000),
  };
  return wish.loads.split(',').map((text) => {
    const [rooms, players, ...rest] = text.split('x');
    if (players === undefined || rest.length > 0)
      throw new UsageError(`--loads lists loads such as 2x8, not "${text}".`);
    return {
      ...common,
      rooms: readWhole('loads', rooms, 1, 64),
      players: readWhole('loads', players, 1, 31),
    };
  });
}

function rowOf({ rooms, players }: Pick<Load, 'rooms' | 'players'>, figures: LoadFigures): string[] {
  const { down, up, sameAfter } = figures;
  const most = ({ mean, most }: { mean: number; most: number }): string =>
    `${mean.toFixed(0)}, at most ${most.toFixed(0)}`;
  return [
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

/** The folder of the built pages, in the environment of the run that is inside the network. */
const PAGES = 'LOAD_PAGES';

/** Builds the pages of the site, at full speed. @returns their folder. */
async function buildPages(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'handover-pages-'));
  await build({ logLevel: 'error', build: { outDir, emptyOutDir: true, reportCompressedSize: false } });
  return outDir;
}

/** @returns the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const options = readWords(words, OPTIONS);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const loads = loadsOf(options);
  const slow = readWhole('slow', options.slow, 1, 20);
  if (!isInside()) {
    if (!options.page) return runInside(words, slowMotion(slow));
    const folder = await buildPages();
    try {
      return await runInside(words, { ...slowMotion(slow), [PAGES]: folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const pages = options.page ? (process.env[PAGES] ?? null) : null;
  goFirst();
  const rows: string[][] = [];
  for (const load of loads) {
    const figures = await measureLoad(
      { ...load, slow, pages, floods: options.flood },
      load.seconds < 120 ? () => undefined : printFigures,
    );
    printFigures({ ...load, ...figures });
    rows.push(rowOf(load, figures));
  }
  const table = tableOf(COLUMNS, rows);
  console.log(table);
  if (options.write) writeTable('load', table);
  return 0;
}

await runTool(main);
