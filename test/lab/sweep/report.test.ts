import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../../src/lab/judge/figures.ts';
import type { LabFigures } from '../../../src/lab/judge/figures.ts';
import { figureChart, htmlReport, textTable } from '../../../src/lab/sweep/report.ts';
import type { SweepRow } from '../../../src/lab/sweep/sweep.ts';
import { LAB_MODELS } from '../../../src/lab/models.ts';

function row(model: string, value: number, delay: number, seed = 1): SweepRow {
  const figures = Object.fromEntries(FIGURES.map(({ name }) => [name, 1])) as LabFigures;
  return { model, value, seed, figures: { ...figures, delay } };
}

const ROWS = [
  row('authority', 0, 50),
  row('server', 0, 60),
  row('authority', 100, 50),
  row('server', 100, 260),
];

/** Three seeds: at 100 ms the server differs, the authority does not. */
const SEEDS = [1, 2, 3].flatMap((seed) => [
  row('authority', 100, 50, seed),
  row('server', 100, [200, 260, 290][seed - 1], seed),
  row('authority', 200, 60 + seed, seed),
  row('server', 200, [400, NaN, 500][seed - 1], seed),
]);

/** The drawn pixels of each whisker of a chart, from the lower end to the upper one: `[x, low, high]`. */
function whiskersIn(svg: string): number[][][] {
  return [...svg.matchAll(/<path class="whiskers" d="([^"]+)"/g)].map(([, path]) =>
    [...path.matchAll(/M([\d.]+) ([\d.]+)V([\d.]+)/g)].map((parts) => parts.slice(1).map(Number)),
  );
}

describe('a report of the lab', () => {
  it('draws a line for each model, named at its end, at heights that tell the figures', () => {
    const svg = figureChart(ROWS, 'latency', 'delay');
    const lines = [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) =>
      points.split(' ').map((point) => Number(point.split(',')[1])),
    );
    expect(lines).toHaveLength(2);
    const [authority, server] = lines;
    expect(authority[0]).toBe(authority[1]);
    expect(server[1]).toBeLessThan(server[0] - 100);
    for (const name of ['Distributed authority', 'Server authority', 'latency one way', ', ms'])
      expect(svg).toContain(name);
  });

  it('draws what was not measured as nothing, and no line breaks at it', () => {
    const svg = figureChart([...ROWS, row('lockstep', 0, NaN)], 'latency', 'delay');
    expect(svg).not.toContain('NaN');
    expect(figureChart([row('lockstep', 0, NaN)], 'latency', 'delay')).toContain('Nothing was measured');
  });

  it('draws the median of the seeds, with whiskers where they differ, side by side, and says so', () => {
    const svg = figureChart(SEEDS, 'latency', 'delay');
    const [authority, server] = whiskersIn(svg);
    expect([authority.length, server.length]).toEqual([1, 2]);
    const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map((dot) =>
      dot.slice(1).map(Number),
    );
    expect(dots).toHaveLength(4);
    const [at, low, high] = server[0];
    const [x, y] = dots[2];
    // The whisker goes through its dot; 260 of 200 to 290 is nearer to the top, which has the smaller y.
    expect(at).toBe(x);
    expect((low - y) / (low - high)).toBeCloseTo(60 / 90, 1);
    expect(Math.abs(dots[0][0] - x)).toBeGreaterThan(2);
    expect(svg).toContain('median of up to 3 seeds, whiskers from least to most');
    const whole = SEEDS.filter(({ value }) => value === 100);
    expect(figureChart(whole, 'latency', 'delay')).toContain('>median of 3 seeds, ');
    expect(svg).not.toContain('NaN');
  });

  it('draws one seed without whiskers, at the very value', () => {
    const svg = figureChart(ROWS, 'latency', 'delay');
    expect(whiskersIn(svg)).toEqual([]);
    expect(svg).not.toContain('seeds');
    expect(new Set([...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => x)).size).toBe(2);
  });

  it('draws within its picture, with all names, also on a phone and with all models', () => {
    const rows = [1, 2].flatMap((seed) =>
      LAB_MODELS.flatMap(({ id }, i) => [row(id, 0, 10 * seed + i, seed), row(id, 250, i + seed, seed)]),
    );
    for (const shape of ['wide', 'narrow'] as const) {
      const svg = figureChart(rows, 'latency', 'delay', shape);
      const [width, height] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).slice(1).map(Number);
      const places = [...svg.matchAll(/<(?:circle c|text )x="([\d.]+)" (?:c)?y="([\d.]+)"/g)];
      expect(places.length).toBeGreaterThan(3 * LAB_MODELS.length);
      for (const [, x, y] of places) {
        expect(Number(x)).toBeLessThan(width);
        expect(Number(y)).toBeLessThan(height);
      }
      for (const { title } of LAB_MODELS) expect(svg).toContain(`>${title}</text>`);
    }
  });

  it('has the median in its tables, and the range in the page', () => {
    const lines = textTable(SEEDS, 'latency').split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[2]).toMatch(/^server +100 +260 /);
    expect(lines[4]).toMatch(/^server +200 +450 /);
    const page = htmlReport(SEEDS, 'latency', '');
    expect(page).toContain('<td>260<small>200 to 290</small></td>');
    // No range where all seeds have the same.
    expect(page).toContain('<td>50</td>');
    expect(page).toContain('small ones are the least and the most');
    expect(htmlReport(ROWS, 'latency', '')).not.toMatch(/<small>|small ones/);
  });

  it('has every model and value in its table', () => {
    const lines = textTable(ROWS, 'latency').split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[4]).toMatch(/^server +100 +260 /);
    expect(htmlReport(ROWS, 'latency', 'A & B').match(/<svg/g)).toHaveLength(FIGURES.length);
    expect(htmlReport(ROWS, 'latency', 'A & B')).toContain('A &amp; B');
  });
});
