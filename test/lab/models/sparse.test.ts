import { beforeAll, expect, it } from 'vitest';
import type { LabEngines } from '../../../src/lab/run.ts';
import { createRun, loadEngines, play } from '../play.ts';

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

const SEED = 2;
/** Seconds of each run; every one of them had at least 20 jumps a minute before bodies were drawn on curves. */
const SECONDS = 8;
/** Jumps a minute: none, or one in a run. */
const MOST = 10;

it.each([30, 20, 10, 5])(
  '[T7.2] [T7.4] at %i packets a second nothing jumps in authority’s picture',
  (rate) => {
    const run = createRun('authority', engines, { seed: SEED, rate, conditions: { latencyMs: 100 } });
    play(run, SECONDS);
    const { jumps } = run.figures();
    run.dispose();
    expect(jumps).toBeLessThan(MOST);
  },
);
