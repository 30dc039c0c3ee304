import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../../src/lab/judge/figures.ts';
import type { LabFigures } from '../../../src/lab/judge/figures.ts';
import { figureChart, htmlReport, textTable } from '../../../src/lab/sweep/report.ts';
import type { SweepRow } from '../../../src/lab/sweep/sweep.ts';
import { sweep } from '../../../src/lab/sweep/sweep.ts';
import { modelOf } from '../../../src/lab/models.ts';
import { loadEngines } from '../play.ts';

function row(model: string, value: number, delay: number): SweepRow {
  const figures = Object.fromEntries(FIGURES.map(({ name }) => [name, 1])) as LabFigures;
  return { model, value, figures: { ...figures, delay } };
}

const ROWS = [
  row('authority', 0, 50),
  row('server', 0, 60),
  row('authority', 100, 50),
  row('server', 100, 260),
];

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

  it('has every model and value in its table', () => {
    const lines = textTable(ROWS, 'latency').split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[4]).toMatch(/^server +100 +260 /);
    expect(htmlReport(ROWS, 'latency', 'A & B').match(/<svg/g)).toHaveLength(FIGURES.length);
    expect(htmlReport(ROWS, 'latency', 'A & B')).toContain('A &amp; B');
  });

  it('comes of a sweep that says how far it is', async () => {
    const model = modelOf('owner-add');
    if (model === undefined) throw new Error('there is no such model');
    const conditions = {
      latency: 0,
      jitter: 0,
      loss: 0,
      duplicate: 0,
      rate: null,
      channel: 'datagram',
    } as const;
    const steps = [
      ...sweep({
        models: [model],
        scene: 'push',
        seed: 1,
        seconds: 4,
        conditions,
        axis: 'latency',
        values: [0, 120],
        engines: await loadEngines(),
      }),
    ];
    const rows = steps.map((step) => step.row).filter((found) => found !== null);
    expect(rows.map(({ value }) => value)).toEqual([0, 120]);
    // More latency is more error: the sweep has an effect.
    expect(rows[1].figures.errorMean).toBeGreaterThan(rows[0].figures.errorMean);
    expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).sort((a, b) => a - b));
    expect(steps[steps.length - 1].done).toBe(1);
  });
});
