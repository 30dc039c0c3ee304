import type { FigureLabel, FigureName, LabFigures } from '../judge/figures.ts';
import { FIGURES, figureLabel, formatFigure } from '../judge/figures.ts';
import { LAB_MODELS, modelOf } from '../models.ts';
import { BEST_SWITCHES } from '../switches.ts';
import type { SummaryRow } from './summary.ts';
import { summarise } from './summary.ts';
import type { LabConditions, SweepOptions, SweepRow } from './sweep.ts';

/** The measurements on which docs/which-model.md rests, and their file. */

/** The seeds of all published measurements. No model was tuned on them. */
const SEEDS = [21, 22, 23];
const SECONDS = 14;
const CONDITIONS: LabConditions = {
  latency: 100,
  jitter: 20,
  loss: 1,
  duplicate: 0,
  rate: null,
  channel: 'datagram',
  players: 2,
  switches: BEST_SWITCHES,
};

const ALL = LAB_MODELS.map(({ id }) => id);
/** The models that send states of bodies, one of each family. */
const WITH_STATES = [
  'authority',
  'prediction',
  'reconciliation',
  'server',
  'interpolation-hermite',
  'owner-move',
];

/** A published sweep: its options as plain data, models by their ids. */
export type Publication = Omit<SweepOptions, 'models' | 'engines' | 'clock'> & {
  readonly models: readonly string[];
};

function publication(part: Partial<Publication>): Publication {
  return {
    models: ALL,
    scene: 'plane',
    seeds: SEEDS,
    seconds: SECONDS,
    conditions: CONDITIONS,
    axis: 'latency',
    values: [CONDITIONS.latency],
    ...part,
  };
}

/** All published sweeps. `latency` is drawn as charts. */
export const PUBLICATIONS = {
  latency: publication({ values: [0, 50, 100, 150, 200, 250] }),
  push: publication({ scene: 'push' }),
  pile: publication({ scene: 'pile' }),
  loss: publication({ axis: 'loss', values: [0, 5] }),
  rate: publication({ models: WITH_STATES, axis: 'rate', values: [5, 10, 20, 60] }),
  bad: publication({
    models: ['authority'],
    scene: 'pile',
    conditions: { ...CONDITIONS, latency: 250, loss: 5 },
    axis: 'loss',
    values: [5],
  }),
  three: publication({ conditions: { ...CONDITIONS, players: 3 } }),
  interpolated: publication({
    models: ['prediction', 'reconciliation'],
    conditions: { ...CONDITIONS, switches: { ...BEST_SWITCHES, neighbours: 'interpolated' } },
  }),
  uneased: publication({
    models: ['prediction', 'reconciliation', 'rollback'],
    conditions: { ...CONDITIONS, switches: { ...BEST_SWITCHES, easing: false } },
  }),
} as const satisfies Readonly<Record<string, Publication>>;
export type PublicationName = keyof typeof PUBLICATIONS;

/** The figures that are published: those that are the same on every machine, to what engines differ. */
export const PUBLISHED_FIGURES: readonly FigureName[] = FIGURES.map(({ name }) => name).filter(
  (name) => name !== 'work',
);
/** The figures that are drawn as charts. */
export const CHARTED: readonly FigureName[] = [
  'delay',
  'push',
  'error95',
  'screens95',
  'jumps',
  'steps',
  'memory',
  'down',
];

/** A row in the file: a model, a value, a seed, and the figures in the order of PUBLISHED_FIGURES; null for none. */
type StoredRow = readonly [model: string, value: number, seed: number, figures: readonly (number | null)[]];
export type PublishedFile = {
  readonly figures: readonly FigureName[];
  readonly sweeps: Readonly<Record<string, readonly StoredRow[]>>;
};

/** A table of docs/which-model.md: some figures of all models in one published sweep, at one value. */
type PublishedTable = {
  readonly sweep: PublicationName;
  readonly value: number;
  readonly figures: readonly FigureName[];
};

/** The tables of docs/which-model.md, in its order. */
const TABLES: readonly PublishedTable[] = [
  {
    sweep: 'latency',
    value: 100,
    figures: ['delay', 'push', 'error95', 'turn95', 'screens95', 'jumps', 'steps', 'down'],
  },
  { sweep: 'push', value: 100, figures: ['push', 'contested95', 'screens95', 'jumps'] },
  { sweep: 'pile', value: 100, figures: ['push', 'error95', 'turn95', 'jumps', 'down'] },
  { sweep: 'three', value: 100, figures: ['delay', 'push', 'error95', 'screens95', 'jumps'] },
];

/** A table as Markdown: the median of each figure, and its range. */
function tableText(file: PublishedFile, { sweep, value, figures }: PublishedTable): string {
  const labels = figures.map(figureLabel);
  const rows = summarise(readRows(file, sweep)).filter((row) => row.value === value);
  const cell = (row: SummaryRow, label: FigureLabel): string => {
    const { median, low, high, seeds } = row.figures[label.name];
    if (seeds === 0) return '–';
    const [least, most] = [formatFigure(label, low), formatFigure(label, high)];
    return least === most ? least : `${formatFigure(label, median)} (${least} to ${most})`;
  };
  return [
    `| model | ${labels.map(({ title, unit }) => `${title}, ${unit}`).join(' | ')} |`,
    `| --- |${' --- |'.repeat(figures.length)}`,
    ...rows.map(
      (row) =>
        `| ${modelOf(row.model)?.title ?? row.model} | ${labels.map((label) => cell(row, label)).join(' | ')} |`,
    ),
  ].join('\n');
}

/** Puts the tables into a page, between the comments `<!-- table N -->` and `<!-- end -->`. */
export function withTables(page: string, file: PublishedFile): string {
  return TABLES.reduce((text, table, i) => {
    const [begin, end] = [`<!-- table ${i + 1} -->`, '<!-- end -->'];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`the page has no place for table ${i + 1}`);
    return `${text.slice(0, from)}${begin}\n${tableText(file, table)}\n${text.slice(to)}`;
  }, page);
}

/** Digits of a stored figure: more would say nothing. */
const DIGITS = 4;

export function storeRows(rows: readonly SweepRow[]): StoredRow[] {
  return rows.map(({ model, value, seed, figures }) => [
    model,
    value,
    seed,
    PUBLISHED_FIGURES.map((name) =>
      Number.isFinite(figures[name]) ? Number(figures[name].toPrecision(DIGITS)) : null,
    ),
  ]);
}

/** The rows of a sweep in the file; figures that are not published are NaN. */
export function readRows(file: PublishedFile, name: PublicationName): SweepRow[] {
  return file.sweeps[name].map(([model, value, seed, stored]) => ({
    model,
    value,
    seed,
    figures: Object.fromEntries(
      FIGURES.map((figure) => [figure.name, stored[file.figures.indexOf(figure.name)] ?? NaN]),
    ) as LabFigures,
  }));
}
