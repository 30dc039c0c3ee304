import { TICK_RATE } from '../core/base/constants.ts';
import type { LabModel } from '../lab/lab-model.ts';
import { LAB_MODELS, modelOf } from '../lab/models.ts';
import type { LabSceneName } from '../lab/game/scenes.ts';
import { isLabScene, LAB_SCENES, PLAYER_COUNTS } from '../lab/game/scenes.ts';
import type { Axis, LabConditions } from '../lab/sweep/sweep.ts';
import { AXES } from '../lab/sweep/sweep.ts';
import { GAPS, NEIGHBOURS, WINDOWS } from '../lab/switches.ts';
import { readNumber, readWhole, readWords, UsageError } from './words.ts';

export type LabArguments = {
  readonly models: readonly LabModel[];
  readonly scene: LabSceneName;
  readonly conditions: LabConditions;
  /** The varied condition and its values; the latency with a single value if none is varied. */
  readonly axis: Axis;
  readonly values: readonly number[];
  readonly seconds: number;
  readonly seeds: readonly number[];
  readonly json: boolean;
  /** The path of the page with the charts, and a folder for the charts alone, or ''. */
  readonly report: string;
  readonly charts: string;
};

export const LAB_USAGE = `Usage: npm run lab -- [options]
  --models LIST   all, or some of ${LAB_MODELS.map(({ id }) => id).join(', ')} (all)
  --scene NAME    ${LAB_SCENES.join(', ')} (pile)
  --latency MS    one way; a range as 0..250 is swept (100)
  --loss PERCENT  of the packets, each way; or a range (1)
  --rate N        snapshots a second: 60, 30, 20, 15, 12, 10, 6, 5, 4, 3, 2; own for each model's own; or a range (own)
  --jitter MS     a uniform 0 to MS added to the latency (20)
  --duplicate PERCENT  of the packets that come twice (0)
  --channel NAME  datagram, dataChannel: how the network behaves under loss (datagram)
  --players N     ${PLAYER_COUNTS.join(' or ')}; with three, the picture is judged between two guests (2)
  --neighbours NAME  ${NEIGHBOURS.join(', ')}: how predicting clients draw what they do not own (predicted)
  --easing on|off whether corrections are eased (on)
  --gap NAME      ${GAPS.join(', ')}: what a server does in a tick whose hand has not come (repeat)
  --window MS     how late reconciliation takes a hand: ${WINDOWS.join(', ')} (400)
  --seconds N     of each run (12)
  --seed N        a whole number; the same seed gives the same run (1)
  --seeds LIST    several seeds instead, as 1..5 or 1,4,7: charts and tables show medians, and the spread
  --json          one JSON object instead of a table and a report
  --report FILE   where the page with the charts goes (lab-report.html)
  --charts FOLDER each chart as a file, too`;

const OPTIONS = {
  models: { type: 'string', default: 'all' },
  scene: { type: 'string', default: 'pile' },
  latency: { type: 'string', default: '100' },
  loss: { type: 'string', default: '1' },
  rate: { type: 'string', default: 'own' },
  jitter: { type: 'string', default: '20' },
  duplicate: { type: 'string', default: '0' },
  channel: { type: 'string', default: 'datagram' },
  players: { type: 'string', default: '2' },
  neighbours: { type: 'string', default: 'predicted' },
  easing: { type: 'string', default: 'on' },
  gap: { type: 'string', default: 'repeat' },
  window: { type: 'string', default: '400' },
  seconds: { type: 'string', default: '12' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  json: { type: 'boolean', default: false },
  report: { type: 'string', default: 'lab-report.html' },
  charts: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const;

/** Values of a range: its ends, and four between. */
const POINTS = 6;
const HIGHEST: Readonly<Record<Axis, number>> = { latency: 1000, loss: 60, rate: TICK_RATE };
/** Rates that divide the ticks of a second. */
const RATES = [2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60];

/**
 * Reads the command line of `lab`; null if help was asked for.
 * @throws UsageError with one sentence.
 */
export function parseLabArguments(words: readonly string[]): LabArguments | null {
  const values = readWords(words, OPTIONS);
  if (values.help) return null;
  const { scene, channel } = values;
  if (!isLabScene(scene))
    throw new UsageError(`There is no scene "${scene}"; there are ${LAB_SCENES.join(', ')}.`);
  if (channel !== 'datagram' && channel !== 'dataChannel')
    throw new UsageError(`--channel is datagram or dataChannel, not "${channel}".`);
  const swept = AXES.filter((axis) => values[axis].includes('..'));
  if (swept.length > 1) throw new UsageError('Only one of --latency, --loss and --rate can be a range.');
  const axis = swept[0] ?? 'latency';
  const one = (name: Axis): number => range(name, values[name])[0];
  const rate = values.rate === 'own' ? null : one('rate');
  return {
    models: modelsOf(values.models),
    scene,
    axis,
    values: range(axis, values[axis]),
    conditions: {
      latency: one('latency'),
      loss: one('loss'),
      rate,
      jitter: readNumber('jitter', values.jitter, 0, 500),
      duplicate: readNumber('duplicate', values.duplicate, 0, 50),
      channel,
      players: oneOf('players', values.players, PLAYER_COUNTS),
      switches: {
        neighbours: oneOf('neighbours', values.neighbours, NEIGHBOURS),
        easing: oneOf('easing', values.easing, ['on', 'off']) === 'on',
        gap: oneOf('gap', values.gap, GAPS),
        window: oneOf('window', values.window, WINDOWS),
      },
    },
    seconds: readNumber('seconds', values.seconds, 3, 600),
    seeds: seedsOf(values.seed, values.seeds),
    json: values.json,
    report: values.report,
    charts: values.charts,
  };
}

/** Reads one of some values. */
function oneOf<const Value extends string | number>(
  name: string,
  text: string,
  values: readonly Value[],
): Value {
  const value = values.find((known) => String(known) === text);
  if (value === undefined) throw new UsageError(`--${name} is one of ${values.join(', ')}, not "${text}".`);
  return value;
}

function modelsOf(list: string): LabModel[] {
  if (list === 'all') return [...LAB_MODELS];
  return list.split(',').map((id) => {
    const model = modelOf(id.trim());
    if (model !== undefined) return model;
    throw new UsageError(`There is no model "${id}"; there are ${LAB_MODELS.map((m) => m.id).join(', ')}.`);
  });
}

const HIGHEST_SEED = 2 ** 32 - 1;
/** More would take hours, and say nothing new. */
const MOST_SEEDS = 100;

/** Reads `--seed 1`, or `--seeds 1..5`, or `--seeds 1,4,7`. */
function seedsOf(one: string | undefined, several: string | undefined): number[] {
  if (several === undefined) return [readWhole('seed', one ?? '1', 0, HIGHEST_SEED)];
  if (one !== undefined) throw new UsageError('There is either --seed or --seeds, not both.');
  const seeds = several.includes('..') ? seedRange(several) : several.split(',').map(readSeed);
  if (seeds.length > MOST_SEEDS) throw new UsageError(tooMany(seeds.length));
  const twice = seeds.find((seed, i) => seeds.indexOf(seed) < i);
  if (twice !== undefined) throw new UsageError(`--seeds has ${twice} more than once.`);
  return seeds;
}

function seedRange(text: string): number[] {
  const ends = text.split('..');
  if (ends.length > 2)
    throw new UsageError(`--seeds is a range like 1..5 or a list like 1,4,7, not "${text}".`);
  const [low, high] = ends.map(readSeed);
  if (high < low) throw new UsageError(`--seeds ${text} has its ends the wrong way round.`);
  if (high - low >= MOST_SEEDS) throw new UsageError(tooMany(high - low + 1));
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
}

function readSeed(text: string): number {
  return readWhole('seeds', text, 0, HIGHEST_SEED);
}

function tooMany(count: number): string {
  return `--seeds takes up to ${MOST_SEEDS} seeds, not ${count}.`;
}

/** Reads `100`, or `0..250` as evenly spaced values. */
function range(axis: Axis, text: string): number[] {
  const [low, high] = text.split('..').map((part) => readNumber(axis, part, 0, HIGHEST[axis]));
  if (axis === 'rate') {
    const rates = RATES.filter((rate) => rate >= low && rate <= (high ?? low));
    if (rates.length > 0) return rates;
    throw new UsageError(`--rate is one of ${RATES.join(', ')}, not "${text}".`);
  }
  if (high === undefined) return [low];
  if (high <= low) throw new UsageError(`--${axis} ${text} has its ends the wrong way round.`);
  return Array.from(
    { length: POINTS },
    (_, i) => Math.round((low + ((high - low) * i) / (POINTS - 1)) * 10) / 10,
  );
}
