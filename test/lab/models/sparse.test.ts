import { beforeAll, expect, it } from 'vitest';
import type { LabEngines } from '../../../src/lab/run.ts';
import { createRun, loadEngines, play } from '../play.ts';

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

/** Seconds of each run; every one of them had at least 20 jumps a minute before bodies were drawn on curves. */
const SECONDS = 8;
/** Jumps a minute: none, or one in a run. */
const MOST = 10;

it.each([
  [30, 2],
  [20, 2],
  [10, 2],
  [5, 2],
])('[T7.2] [T7.4] at %i packets a second nothing jumps in authority’s picture', (rate, seed) => {
  const run = createRun('authority', engines, { seed, rate, conditions: { latencyMs: 100 } });
  play(run, SECONDS);
  const { jumps } = run.figures();
  run.dispose();
  expect(jumps).toBeLessThan(MOST);
});
