import type { FigureName } from '../judge/figures.ts';
import { FIGURES } from '../judge/figures.ts';
import type { SweepRow } from './sweep.ts';

/** A figure over several seeds. All are NaN if no seed has data. */
export type Spread = {
  readonly median: number;
  /** The least and the most of the seeds. */
  readonly low: number;
  readonly high: number;
  /** The number of seeds that have data. */
  readonly seeds: number;
};

/** One model at one value, over all seeds that were played. */
export type SummaryRow = {
  readonly model: string;
  readonly value: number;
  readonly figures: Readonly<Record<FigureName, Spread>>;
};

/** Sums up the rows of each model and value, in the order in which they first appear. */
export function summarise(rows: readonly SweepRow[]): SummaryRow[] {
  const groups = new Map<string, SweepRow[]>();
  for (const row of rows) {
    const key = `${row.value} ${row.model}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map((group) => ({
    model: group[0].model,
    value: group[0].value,
    figures: spreadsOf(group),
  }));
}

function spreadsOf(rows: readonly SweepRow[]): Record<FigureName, Spread> {
  const entries = FIGURES.map(({ name }) => [name, spreadOf(rows.map(({ figures }) => figures[name]))]);
  // FIGURES has every name.
  return Object.fromEntries(entries) as Record<FigureName, Spread>;
}

/** The median, the least and the most of the values that are numbers. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values.filter(Number.isFinite)).sort();
  const count = sorted.length;
  if (count === 0) return { median: NaN, low: NaN, high: NaN, seeds: 0 };
  const median = (sorted[(count - 1) >> 1] + sorted[count >> 1]) / 2;
  return { median, low: sorted[0], high: sorted[count - 1], seeds: count };
}
