import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../../src/lab/judge/figures.ts';
import type { LabFigures } from '../../../src/lab/judge/figures.ts';
import { spreadOf, summarise } from '../../../src/lab/sweep/summary.ts';
import type { SweepRow } from '../../../src/lab/sweep/sweep.ts';

function row(model: string, value: number, seed: number, delay: number): SweepRow {
  const figures = Object.fromEntries(FIGURES.map(({ name }) => [name, 7])) as LabFigures;
  return { model, value, seed, figures: { ...figures, delay } };
}

describe('the spread of a figure over seeds', () => {
  it.each([
    [[4], 4, 4, 4],
    [[9, 1, 100], 9, 1, 100],
    [[10, 2, 4, 8], 6, 2, 10],
    // As numbers, not as words.
    [[9, 10, 80, 100, 11], 11, 9, 100],
  ])('of %j is the middle, the least and the most', (values, median, low, high) => {
    expect(spreadOf(values)).toEqual({ median, low, high, seeds: values.length });
  });

  it('passes over seeds without data, and is NaN without any', () => {
    expect(spreadOf([NaN, 3, NaN, 1, 2])).toEqual({ median: 2, low: 1, high: 3, seeds: 3 });
    for (const none of [[], [NaN, NaN]])
      expect(spreadOf(none)).toEqual({ median: NaN, low: NaN, high: NaN, seeds: 0 });
  });
});

describe('the summary of a sweep', () => {
  it('has a row for each model and value, in the order of the first seed, and every figure', () => {
    const rows = [1, 2, 3].flatMap((seed) => [
      row('server', 0, seed, 10 * seed),
      row('authority', 0, seed, 5),
      row('server', 50, seed, seed === 2 ? NaN : 100 * seed),
    ]);
    const summary = summarise(rows);
    expect(summary.map(({ model, value }) => [model, value])).toEqual([
      ['server', 0],
      ['authority', 0],
      ['server', 50],
    ]);
    expect(summary.map(({ figures }) => figures.delay)).toEqual([
      { median: 20, low: 10, high: 30, seeds: 3 },
      { median: 5, low: 5, high: 5, seeds: 3 },
      { median: 200, low: 100, high: 300, seeds: 2 },
    ]);
    for (const { name } of FIGURES.filter((figure) => figure.name !== 'delay'))
      expect(summary[2].figures[name]).toEqual({ median: 7, low: 7, high: 7, seeds: 3 });
    expect(summarise([])).toEqual([]);
  });
});
