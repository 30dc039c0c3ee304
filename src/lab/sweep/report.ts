import { drawChart, escaped } from './chart.ts';
import type { FigureName } from '../judge/figures.ts';
import { FIGURES, figureLabel, formatFigure } from '../judge/figures.ts';
import { LAB_MODELS, modelOf } from '../models.ts';
import type { Axis, SweepRow } from './sweep.ts';
import { AXIS_TITLES } from './sweep.ts';

/** The results of a sweep as texts: a table for a terminal, a chart of any figure, and a page of both. */

const ORDER = LAB_MODELS.map(({ id }) => id);

function titleOf(id: string): string {
  return modelOf(id)?.title ?? id;
}

/** One figure of all models over the axis, as an SVG. */
export function figureChart(rows: readonly SweepRow[], axis: Axis, name: FigureName): string {
  const label = figureLabel(name);
  const models = ORDER.filter((id) => rows.some(({ model }) => model === id));
  const series = models.map((id) => ({
    id,
    title: titleOf(id),
    points: rows
      .filter(({ model }) => model === id)
      .map(({ value, figures }) => ({ x: value, y: figures[name] })),
  }));
  return drawChart({ title: label.title, xTitle: AXIS_TITLES[axis], unit: label.unit, series }, ORDER);
}

/** A table of all figures, for a terminal. */
export function textTable(rows: readonly SweepRow[], axis: Axis): string {
  const head = ['model', axis, ...FIGURES.map(({ title, unit }) => `${title} ${unit}`)];
  const body = rows.map(({ model, value, figures }) => [
    model,
    String(value),
    ...FIGURES.map((label) => formatFigure(label, figures[label.name])),
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
  const hasRange = new Set(rows.map(({ value }) => value)).size > 1;
  const charts = hasRange
    ? FIGURES.map(({ name }) => `<figure>${figureChart(rows, axis, name)}</figure>`)
    : [];
  const head = ['model', AXIS_TITLES[axis], ...FIGURES.map(({ title, unit }) => `${title}<br>${unit}`)];
  const body = rows.map(
    ({ model, value, figures }) =>
      `<tr><th>${escaped(titleOf(model))}</th><td>${value}</td>` +
      FIGURES.map((label) => `<td>${formatFigure(label, figures[label.name])}</td>`).join('') +
      '</tr>',
  );
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<title>Ways to network physics</title>',
    `<style>${STYLE}</style>`,
    `<h1>Ways to network physics</h1><p>${escaped(caption)}</p>`,
    ...charts,
    `<div class="table"><table><tr>${head.map((title) => `<th>${title}</th>`).join('')}</tr>`,
    ...body,
    '</table></div></html>',
  ].join('\n');
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;color:#26303d;background:#f2f4f7;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'figure{margin:1rem 0}svg{width:100%;height:auto}.table{overflow-x:auto}table{border-collapse:collapse;font-size:13px}' +
  'td,th{padding:.3rem .6rem;text-align:right;white-space:nowrap;border-top:1px solid #dde2e9}th:first-child{text-align:left}';
