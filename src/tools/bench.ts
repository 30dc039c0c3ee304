import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MAX_BODIES, MAX_PLAYERS } from '../core/base/constants.ts';
import type { LevelId } from '../levels/levels.ts';
import { LEVEL_IDS, isLevelId } from '../levels/levels.ts';
import { generateMotion, SAMPLE_SEED } from '../hand-motion/generate.ts';
import type { MotionTrack } from '../hand-motion/track.ts';
import { benchEnergy, describeEnergy } from './bench/energy.ts';
import { benchHeadset } from './bench/headset.ts';
import type { HeadsetFigures } from './bench/headset-page.ts';
import { benchLimits, describeLimits } from './bench/limits.ts';
import { benchMachines, describeMachines } from './bench/machines.ts';
import { benchServerRooms, describeServerRooms } from './bench/server-rooms.ts';
import { benchTick, describeTick } from './bench/tick/tick.ts';
import { benchMotion, describeMotion } from './motion/motion-bench.ts';
import { readRecordedMotion } from './motion/recorded.ts';
import type { ChartFigures } from './plots/charts.ts';
import { picturesOf } from './plots/charts.ts';
import type { AvatarReport } from './wire/avatar-bench.ts';
import { benchAvatar } from './wire/avatar-bench.ts';
import type { LiveReport } from './wire/live-bench.ts';
import { benchLive, describeLive } from './wire/live-bench.ts';
import type { WireReport, WireRow } from './wire/wire-bench.ts';
import { benchWire } from './wire/wire-bench.ts';
import { UsageError } from './words.ts';

/** The folder for the plots, from the project's own folder. */
const PLOTS = 'docs/plots';

const USAGE = `Usage: npm run bench -- WHAT [options]
  headset   what a frame in a headset costs: draw calls, triangles, JavaScript (needs Chromium)
  wire      what bodies cost on the wire, in several schemes, with and without who has them; what live peers send
    --scene NAME    ${LEVEL_IDS.join(', ')} (pile, and then wall and grid with the first seed)
    --count N       cubes of the scene grid (256)
    --seeds A,B,…   whole numbers (101,102,103,104,105); live peers take the first two
    --players A,B,… of the live rooms, 2 to ${MAX_PLAYERS} (2,4,8)
    --seconds N     of the live rooms, from the drop on; hands are still for the last quarter, at least 8 s (20)
  avatar    what a player's head and hands cost, and how exact they are
    --seed N        of the generated motion, a whole number (${SAMPLE_SEED})
    --motion FILE   recorded motion, measured too: rows of 22 float32 (what may lie beside the project)
  motion    how generated motion moves, and recorded motion beside it; options as for avatar
  energy    how speed and energy last within a peer, against the engine alone
  limits    what a guest sees of a falling pile while the host may send only so much
    --seeds A,B,…   whole numbers (101,102,103,104,105)
  machines  how far joints come apart while machines change hands, and what machines cost on the wire
    --seed N        the first of them, a whole number (1)
    --rooms N       of each level, a minute each (4)
  rooms     what rooms cost the server that is their host, and how many of them one core carries
    --players A,B,… of a room, without the host, 1 to ${MAX_PLAYERS - 1} (4,8,16,31)
    --seeds A,B,…   whole numbers (the first three of the others)
  tick      what a tick costs: milliseconds by phase, and bytes that become garbage
    --scene NAME    as above (grid)
    --cubes A,B,…   cubes of the scene grid (64,256,1024)
    --guests A,B,…  1 to ${MAX_PLAYERS - 1} (1,3,7)
    --seed N        a whole number (1)
  plots     the figures of wire, tick, avatar and motion as pictures, in ${PLOTS}
    --from FILE     what --json has printed, an object a line, in place of measuring
  --json    one JSON object instead of text`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  scene: { type: 'string' },
  count: { type: 'string', default: '256' },
  seeds: { type: 'string', default: '101,102,103,104,105' },
  players: { type: 'string', default: '2,4,8' },
  seconds: { type: 'string', default: '20' },
  from: { type: 'string' },
  motion: { type: 'string' },
  cubes: { type: 'string', default: '64,256,1024' },
  guests: { type: 'string', default: '1,3,7' },
  rooms: { type: 'string', default: '4' },
  seed: { type: 'string' },
} as const;
type Options = {
  readonly scene?: string | undefined;
  readonly count: string;
  readonly seeds: string;
  readonly players: string;
  readonly seconds: string;
  readonly from?: string | undefined;
  readonly motion?: string | undefined;
  readonly cubes: string;
  readonly guests: string;
  readonly rooms: string;
  readonly seed?: string | undefined;
};

/** Milliseconds of a frame in a headset. */
const FRAME_MS = 1000 / 90;
const HEADSET = { cubes: [64, 256], frames: 240, warmUp: 60 } as const;

/** The scenes of `wire` besides the pile, and the seeds of live rooms: eight peers take long. */
const OTHER_SCENES = ['wall', 'grid'] as const;
const LIVE_SEEDS = 2;

/** The players and the seeds of `rooms`. */
const ROOM_PLAYERS = '4,8,16,31';
const ROOM_SEEDS = 3;

/** Each bench gives figures, and their text. */
const BENCHES: Readonly<Record<string, (options: Options) => Promise<{ figures: unknown; text: string }>>> = {
  headset: async () => {
    const figures = await benchHeadset(HEADSET.cubes, HEADSET.frames, HEADSET.warmUp);
    return { figures, text: figures.map(describeHeadset).join('') };
  },

  wire: async (options) => {
    const figures = await wireFigures(options);
    return { figures, text: figures.bodies.map(describeWire).join('') + describeLive(figures.live) };
  },

  avatar: (options) => {
    const figures = benchAvatar(generatedMotion(options), recordedMotion(options));
    const text = Object.entries(figures).map(([name, report]) => describeAvatar(name, report));
    return Promise.resolve({ figures, text: text.join('') });
  },

  motion: (options) => {
    const figures = benchMotion(generatedMotion(options), recordedMotion(options));
    return Promise.resolve({ figures, text: describeMotion(figures) });
  },

  energy: async () => {
    const figures = await benchEnergy();
    return { figures, text: describeEnergy(figures) };
  },

  limits: async (options) => {
    const seeds = wholes('seeds', options.seeds, 0, 2 ** 32 - 1);
    const figures = await benchLimits(seeds);
    return { figures, text: describeLimits(figures, seeds) };
  },

  machines: async (options) => {
    const [rooms] = wholes('rooms', options.rooms, 1, 10_000);
    const figures = await benchMachines(seedOf(options, 1), rooms);
    return { figures, text: describeMachines(figures) };
  },

  plots: async (options) => {
    const figures = options.from === undefined ? await measureAll(options) : readFigures(options.from);
    const written = Object.entries(picturesOf(figures)).map(([name, picture]) => {
      const file = join(PLOTS, `${name}.svg`);
      mkdirSync(PLOTS, { recursive: true });
      writeFileSync(file, picture);
      return file;
    });
    return { figures: written, text: written.map((file) => `${file}\n`).join('') };
  },

  rooms: async (options) => {
    const text = options.players === OPTIONS.players.default ? ROOM_PLAYERS : options.players;
    const players = wholes('players', text, 1, MAX_PLAYERS - 1);
    const seeds = wholes('seeds', options.seeds, 0, 2 ** 32 - 1).slice(0, ROOM_SEEDS);
    const figures = await benchServerRooms(['pile', 'playground'], players, seeds);
    return { figures, text: describeServerRooms(figures) };
  },

  tick: async (options) => {
    const figures = await benchTick({
      scene: sceneOf(options.scene, 'grid'),
      cubes: wholes('cubes', options.cubes, 1, MAX_BODIES),
      guests: wholes('guests', options.guests, 1, MAX_PLAYERS - 1),
      seed: seedOf(options, 1),
    });
    return { figures, text: describeTick(figures) };
  },
};

async function measureAll(options: Options): Promise<ChartFigures> {
  const all: Record<string, unknown> = {};
  for (const what of ['wire', 'avatar', 'tick', 'motion']) all[what] = (await BENCHES[what](options)).figures;
  return all;
}

/** The output of `--json`, an object a line. */
function readFigures(file: string): ChartFigures {
  if (!existsSync(file)) throw new UsageError(`There are no figures at ${file}.`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Object.assign({}, ...lines.map((line) => JSON.parse(line) as ChartFigures)) as ChartFigures;
}

/** Every scheme on recorded bodies, for each scene; then live peers. */
async function wireFigures(options: Options): Promise<{ bodies: WireReport[]; live: LiveReport }> {
  const seeds = wholes('seeds', options.seeds, 0, 2 ** 32 - 1);
  const [count] = wholes('count', options.count, 1, MAX_BODIES);
  const players = wholes('players', options.players, 2, MAX_PLAYERS);
  const [seconds] = wholes('seconds', options.seconds, 12, 3600);
  const scene = sceneOf(options.scene, 'pile');
  const bodies: WireReport[] = [];
  const measure = async (each: LevelId, of: readonly number[]): Promise<void> => {
    for (const authority of [false, true])
      bodies.push(await benchWire({ scene: each, count, seeds: of, authority }));
  };
  await measure(scene, seeds);
  if (options.scene === undefined) for (const each of OTHER_SCENES) await measure(each, seeds.slice(0, 1));
  const live = await benchLive({ scene, count, seeds: seeds.slice(0, LIVE_SEEDS), players, seconds });
  return { bodies, live };
}

function seedOf({ seed }: Options, otherwise: number): number {
  return seed === undefined ? otherwise : wholes('seed', seed, 0, 2 ** 32 - 1)[0];
}

function generatedMotion(options: Options): MotionTrack {
  return generateMotion(seedOf(options, SAMPLE_SEED));
}

/** The motion in the file that is named, or in the one that may lie beside the project. */
function recordedMotion({ motion }: Options): MotionTrack | null {
  const recorded = readRecordedMotion(motion);
  if (motion === undefined || recorded !== null) return recorded;
  throw new UsageError(`There is no recorded motion at ${motion}.`);
}

function sceneOf(name: string | undefined, otherwise: LevelId): LevelId {
  if (name === undefined) return otherwise;
  if (!isLevelId(name)) throw new UsageError(`There is no scene "${name}".`);
  return name;
}

/** Whole numbers with commas between them. */
function wholes(name: string, text: string, low: number, high: number): number[] {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
  const fits = (n: number): boolean => Number.isInteger(n) && n >= low && n <= high;
  if (numbers.every(fits)) return numbers;
  throw new UsageError(`--${name} takes whole numbers from ${low} to ${high}.`);
}

function describeWire(report: WireReport): string {
  const numbers = (row: WireRow): string =>
    [row.mean, row.worstSecond, row.settledMean, row.settledWorstSecond]
      .map((value) => value.toFixed(1).padStart(9))
      .join('');
  return [
    `${report.scene}, ${report.bodies} bodies, seeds ${report.seeds.join(' ')}, ${report.authority ? 'with' : 'without'} authority: kbit/s`,
    `${''.padEnd(30)}     mean    worst  after 5 s: mean, worst`,
    ...report.rows.map((row) => `${row.scheme.padEnd(30)}${numbers(row)}`),
    `the range coder's worst second: ${Object.entries(report.worstFields)
      .map(([field, share]) => `${field} ${(100 * share).toFixed(0)} %`)
      .join(', ')}`,
    `at rest ${report.atRest} kbit/s; ${report.timesLess} times less than the sample as shipped; ${report.wrong} wrong`,
    '',
    '',
  ].join('\n');
}

function describeAvatar(motion: string, report: AvatarReport): string {
  return [
    `${motion} motion: ${report.samples} samples, ${report.bitsPerSample} bits each, ${report.wrong} wrong`,
    `  ${report.mean} kbit/s, ${report.worstSecond} in the worst second`,
    `  at most ${(report.worstMetres * 1000).toFixed(2)} mm and ${report.worstDegrees} degrees off, path ${report.roughness} times as rough`,
    '',
  ].join('\n');
}

function describeHeadset({ frameMs, ...figures }: HeadsetFigures): string {
  const time = (ms: number): string => `${ms.toFixed(2)} ms (${((100 * ms) / FRAME_MS).toFixed(0)} %)`;
  return [
    `${figures.cubes} cubes, ${figures.avatars} avatars, ${figures.views} views`,
    `  ${figures.drawCalls} draw calls and ${Math.round(figures.triangles)} triangles a view, and ${figures.shadowCalls} calls for shadows`,
    `  JavaScript ${time(frameMs.p50)} median, ${time(frameMs.p99)} 99th percentile of a frame at 90 Hz`,
    '',
  ].join('\n');
}

/** `npm run bench`: costs on this machine. */
async function main(): Promise<number> {
  const parsed = (() => {
    try {
      return parseArgs({ options: OPTIONS, allowPositionals: true });
    } catch {
      return null;
    }
  })();
  const [what = '', ...rest] = parsed?.positionals ?? [];
  if (parsed === null || rest.length > 0 || !Object.hasOwn(BENCHES, what)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const { figures, text } = await BENCHES[what](parsed.values);
    process.stdout.write(parsed.values.json ? `${JSON.stringify({ [what]: figures })}\n` : text);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    return 2;
  }
}

process.exitCode = await main();
