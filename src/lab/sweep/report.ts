import type { ChartShape } from './chart.ts';
import { drawChart, escaped } from './chart.ts';
import type { FigureLabel, FigureName } from '../judge/figures.ts';
import { FIGURES, figureLabel, formatFigure } from '../judge/figures.ts';
import { looksOf } from './looks.ts';
import { LAB_MODELS, modelOf } from '../models.ts';
import type { Spread, SummaryRow } from './summary.ts';
import { summarise } from './summary.ts';
import type { Axis, SweepRow } from './sweep.ts';
import { AXIS_TITLES } from './sweep.ts';

/**
 * The results of a sweep as texts: a table for a terminal, a chart of any figure, and a page of both. Where several
 * seeds were played, they show the median.
 */

const LOOKS = looksOf(LAB_MODELS.map(({ id }) => id));

function titleOf(id: string): string {
  return modelOf(id)?.title ?? id;
}

/** One figure of all models over the axis, as an SVG. */
export function figureChart(
  rows: readonly SweepRow[],
  axis: Axis,
  name: FigureName,
  shape: ChartShape = 'wide',
): string {
  const { title, unit } = figureLabel(name);
  const summary = summarise(rows);
  const series = [...LOOKS].flatMap(([id, look]) => {
    const own = summary.filter(({ model }) => model === id);
    const points = own.map(({ value, figures: { [name]: spread } }) => ({
      x: value,
      y: spread.median,
      low: spread.low,
      high: spread.high,
    }));
    return points.length === 0 ? [] : [{ title: titleOf(id), look, points }];
  });
  const subtitle = subtitleOf(summary.map(({ figures }) => figures[name].seeds));
  return drawChart({ title, subtitle, xTitle: AXIS_TITLES[axis], unit, series, shape });
}

/** @param counts the number of seeds at each point; 0 where there is no point. */
function subtitleOf(counts: readonly number[]): string {
  const seeds = counts.filter((count) => count > 0);
  const most = Math.max(0, ...seeds);
  if (most < 2) return '';
  const upTo = Math.min(...seeds) < most ? 'up to ' : '';
  return `median of ${upTo}${most} seeds, whiskers from least to most`;
}

/** A table of all figures, for a terminal. */
export function textTable(rows: readonly SweepRow[], axis: Axis): string {
  const head = ['model', axis, ...FIGURES.map(({ title, unit }) => `${title} ${unit}`)];
  const body = summarise(rows).map(({ model, value, figures }) => [
    model,
    String(value),
    ...FIGURES.map((label) => formatFigure(label, figures[label.name].median)),
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((row) => row[i].length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  return [line(head), ...body.map(line)].join('\n');
}

/**
 * A whole page with the charts and the table.
 * @param caption the conditions, in a sentence.
 */
export function htmlReport(rows: readonly SweepRow[], axis: Axis, caption: string): string {
  const summary = summarise(rows);
  const hasRange = new Set(rows.map(({ value }) => value)).size > 1;
  const charts = hasRange
    ? FIGURES.map(({ name }) => `<figure>${figureChart(rows, axis, name)}</figure>`)
    : [];
  const head = ['model', AXIS_TITLES[axis], ...FIGURES.map(({ title, unit }) => `${title}<br>${unit}`)];
  const hasSeeds = new Set(rows.map(({ seed }) => seed)).size > 1;
  const legend = 'Large figures are medians of the seeds; small ones are the least and the most of them.';
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<title>Ways to network physics</title>',
    `<style>${STYLE}</style>`,
    `<h1>Ways to network physics</h1><p>${escaped(caption)}</p>`,
    ...charts,
    ...(hasSeeds ? [`<p>${legend}</p>`] : []),
    `<div class="table"><table><tr>${head.map((title) => `<th>${title}</th>`).join('')}</tr>`,
    ...summary.map(tableRow),
    '</table></div></html>',
  ].join('\n');
}

function tableRow({ model, value, figures }: SummaryRow): string {
  const cells = FIGURES.map((label) => {
    const spread = figures[label.name];
    return `<td>${formatFigure(label, spread.median)}${rangeOf(label, spread)}</td>`;
  });
  return `<tr><th>${escaped(titleOf(model))}</th><td>${value}</td>${cells.join('')}</tr>`;
}

/** From the least to the most in small text; nothing where both look the same. */
function rangeOf(label: FigureLabel, { low, high }: Spread): string {
  const [from, to] = [low, high].map((value) => formatFigure(label, value));
  return from === to ? '' : `<small>${from} to ${to}</small>`;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;color:#26303d;background:#f2f4f7;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'figure{margin:1rem 0}svg{width:100%;height:auto}.table{overflow-x:auto}table{border-collapse:collapse;font-size:13px}' +
  'td,th{padding:.3rem .6rem;text-align:right;white-space:nowrap;vertical-align:top;border-top:1px solid #dde2e9}th:first-child{text-align:left}' +
  'small{display:block;font-size:11px;color:#64707f}';
