import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Metrics } from '../../../src/server/operations/metrics.ts';

/** The parts of a Grafana board that are judged here. */
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
};
const path = new URL('../../../src/server/recipes/grafana.json', import.meta.url);
const board = JSON.parse(readFileSync(path, 'utf8')) as { readonly panels: readonly Panel[] };
const graphs = board.panels.filter(({ type }) => type !== 'row');
const expressions = graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The metrics that an expression asks for, without what a histogram adds to its name. */
function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(?:handover|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(?:count|sum|bucket)$/, ''),
  );
}

const known = new Metrics(() => null).registry.getMetricsAsArray().map(({ name }) => name);

test('the board of Grafana asks for metrics that the server has', () => {
  expect(expressions.length).toBeGreaterThan(15);
  for (const expr of expressions) {
    expect(metricsIn(expr), expr).toHaveLength(1);
    expect(known, expr).toContain(metricsIn(expr)[0]);
  }
});

test('and shows all of the server’s own', () => {
  const shown = new Set(expressions.flatMap(metricsIn));
  expect(known.filter((name) => name.startsWith('handover_') && !shown.has(name))).toEqual([]);
});

test('each graph has a sentence, a unit and a place of its own', () => {
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  const taken = new Set<string>();
  for (const { title, description, fieldConfig, gridPos } of graphs) {
    expect(description, title).toMatch(/\.$/);
    expect(fieldConfig?.defaults.unit, title).toMatch(/^(?:s|short|bytes)$/);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.has(`${x} ${y}`), title).toBe(false);
        taken.add(`${x} ${y}`);
        expect(x, title).toBeLessThan(24);
      }
  }
});
