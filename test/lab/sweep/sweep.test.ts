import { beforeAll, describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/lab/models.ts';
import type { LabEngines } from '../../../src/lab/run.ts';
import { summarise } from '../../../src/lab/sweep/summary.ts';
import type { SweepRow, SweepStep } from '../../../src/lab/sweep/sweep.ts';
import { runsOf, sweep } from '../../../src/lab/sweep/sweep.ts';
import { BEST_SWITCHES } from '../../../src/lab/switches.ts';
import { loadEngines } from '../play.ts';

let engines: LabEngines;
beforeAll(async () => {
  engines = await loadEngines();
});

const CONDITIONS = {
  latency: 0,
  jitter: 20,
  loss: 1,
  duplicate: 0,
  rate: null,
  channel: 'datagram',
  players: 2,
  switches: BEST_SWITCHES,
} as const;

function play(ids: readonly string[], values: readonly number[], seeds: readonly number[]): SweepStep[] {
  const models = ids.map((id) => {
    const model = modelOf(id);
    if (model === undefined) throw new Error(`there is no model ${id}`);
    return model;
  });
  const what = { scene: 'push', seconds: 4, conditions: CONDITIONS, axis: 'latency', engines } as const;
  return [...sweep({ ...what, models, values, seeds })];
}

const placeOf = ({ model, value, seed }: SweepRow): unknown[] => [seed, value, model];

describe('a sweep', () => {
  it('plays all of the first seed first, and says how many runs are finished', () => {
    const steps = play(['owner-add', 'server'], [0, 120], [3, 1]);
    const models = ['owner-add', 'server'];
    expect(steps.map(({ row }) => placeOf(row))).toEqual(
      [3, 1].flatMap((seed) => [0, 120].flatMap((value) => models.map((model) => [seed, value, model]))),
    );
    expect(steps.map(({ finished }) => finished)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(steps.map(({ runs }) => runs))).toEqual(new Set([8]));
    expect(runsOf({ models, values: [0, 120], seeds: [3, 1] })).toBe(8);
  });

  it('plays each seed as it is played alone, and another seed is another game', () => {
    const figures = (steps: readonly SweepStep[]): unknown[] => steps.map(({ row }) => row.figures);
    const both = play(['owner-add'], [0, 120], [1, 2]);
    expect(figures(both.slice(2))).toEqual(figures(play(['owner-add'], [0, 120], [2])));
    expect(figures(both.slice(0, 2))).not.toEqual(figures(both.slice(2)));
    // More latency is more error: the sweep has an effect.
    const [near, far] = summarise(both.map(({ row }) => row));
    expect(far.figures.errorMean.median).toBeGreaterThan(near.figures.errorMean.median);
  });
});
