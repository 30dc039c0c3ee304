import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { runChaos } from '../../../src/harness/chaos/run-chaos.ts';
import { describeFailure, summarise } from '../../../src/tools/chaos/summary.ts';
import { faultsOf, runRoom } from '../../support/run-room.ts';
import { forSeeds, namelessSeeds } from '../../support/seeds.ts';
import { parse, readTree } from '../../support/gates/source.ts';

beforeAll(loadPhysics);

describe('a seed that fails is printed', () => {
  test('by a cruel room, in its report and in the summary of many', () => {
    const report = runChaos(6, createRapierSimulation, ({ steps }) => {
      if (steps === 9) throw new Error('a bug of ours');
    });
    expect(describeFailure(report)).toMatch(/^Seed 6: .*\n {2}\[F1\] step 9: Error: a bug of ours/);
    expect(summarise([report])).toMatch(/^1 seeds, 1 failed: 6\n/);
  });

  test('by a room that is judged by what its players show', () => {
    const report = {
      ...runRoom('--seed 9 --seconds 4 --bots idle --scene grid --count 4'),
      converged: false,
    };
    expect(faultsOf(report, 'chaos')).toMatch(/^seed 9: did not converge; /);
  });

  test('by a check that runs for many seeds, whether it fails or throws', () => {
    const checked: number[] = [];
    const failing = (): void =>
      forSeeds(3, 8, (seed) => {
        checked.push(seed);
        expect(seed).toBeLessThan(5);
      });
    expect(failing).toThrow(/^seed 5: expected 5 to be less than 5/);
    expect(checked).toEqual([3, 4, 5]);
    const throwing = (): void =>
      forSeeds(7, 7, () => {
        throw new RangeError('a bug of ours');
      });
    expect(throwing).toThrow(new RangeError('seed 7: a bug of ours'));
  });

  test('by every test that takes one', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const tests = readTree(root).filter(({ path }) => /^test\/.*\.test\.ts$/.test(path));
    expect(tests.length).toBeGreaterThan(100);
    expect(namelessSeeds(tests.map(({ path, text }) => parse(path, text))).join('\n')).toBe('');
  });

  test.each([
    ['for (let seed = 0; seed < 4; seed++) expect(f(seed)).toBe(1);', 'loops'],
    ['for (const seed of SEEDS) expect(f(seed)).toBe(1);', 'loops'],
    ["test.each(SEEDS)('all agree', (seed) => f(seed));", 'title'],
    ["it.each(SEEDS)('%s agree', { timeout: 9 }, (_, seed) => f(seed));", 'title'],
  ])('or it is caught: %s', (text, what) => {
    expect(namelessSeeds([parse('test/x.test.ts', text)])).toEqual([expect.stringContaining(what)]);
  });

  test.each([
    'forSeeds(0, 4, (seed) => f(seed));',
    "test.each(SEEDS)('seed %d', (seed) => f(seed));",
    "test.each(SEEDS)('%s, seed %d', (_, seed) => f(seed));",
    "test.each(SCENES)('stands', (scene) => f(scene));",
  ])('and what prints it is not: %s', (text) => {
    expect(namelessSeeds([parse('test/x.test.ts', text)])).toEqual([]);
  });
});
