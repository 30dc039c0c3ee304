import { isLevelId, LEVEL_IDS } from '../../../src/levels/levels.ts';
import { readNumber, readWhole, readWords, UsageError } from '../../../src/tools/words.ts';
import { goFirst, isInside, runInside } from '../feel/network.ts';
import { tableOf, writeTable } from '../table.ts';
import { printFigures, runTool } from '../tool.ts';
import type { Load, LoadFigures } from './load-run.ts';
import { measureLoad } from './load-run.ts';
import { SLOW } from './slow-motion.ts';

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
];

/** @throws UsageError with one sentence. */
function loadsOf(
  wish: Readonly<Record<'loads' | 'level' | 'seconds' | 'loss' | 'seed', string>>,
): Omit<Load, 'slow' | 'floods'>[] {
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
  ];
}

/** The environment of processes that run so many times slower. */
function slowMotion(times: number): Record<string, string> {
  const program = new URL('./slow-motion.ts', import.meta.url).href;
  return { [SLOW]: String(times), NODE_OPTIONS: `--import tsx --import ${program}` };
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
  if (!isInside()) return runInside(words, slow === 1 ? {} : slowMotion(slow));
  goFirst();
  const rows: string[][] = [];
  for (const load of loads) {
    const figures = await measureLoad(
      { ...load, slow, floods: options.flood },
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
