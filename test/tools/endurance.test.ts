import { beforeAll, describe, expect, test } from 'vitest';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { parseSimArguments } from '../../src/tools/arguments.ts';
import type { Minute } from '../../src/tools/endurance.ts';
import { driftsOf, endure } from '../../src/tools/endurance.ts';

const FLAT: Minute = { heapMegabytes: 60, shownError: 0.01, playoutDelay: 8 };

/** Half an hour in which something grows by so much a minute, with a little noise. */
function creeping(what: keyof Minute, by: number): Minute[] {
  return Array.from({ length: 30 }, (_, i) => ({
    ...FLAT,
    [what]: FLAT[what] * (1 + 0.02 * (i % 3)) + i * by,
  }));
}

describe('what creeps', () => {
  test('is nothing where all is flat, and not what only settles at first', () => {
    expect(driftsOf(creeping('heapMegabytes', 0))).toEqual([]);
    expect(driftsOf([{ ...FLAT, heapMegabytes: 20 }, ...creeping('heapMegabytes', 0)])).toEqual([]);
  });

  test.each([
    ['heapMegabytes', 0.2, 'the heap has grown by'],
    ['shownError', 0.0004, 'the error shown has grown by'],
    ['playoutDelay', 0.08, 'the playout delay has moved by'],
    ['playoutDelay', -0.08, 'the playout delay has moved by'],
  ] as const)('is found: %s by %f a minute', (what, by, words) => {
    expect(driftsOf(creeping(what, by)).join()).toContain(words);
  });
});

describe('[T2] a room that plays on', () => {
  beforeAll(loadPhysics);

  test('is looked at once a minute, while clocks run apart', { timeout: 120_000 }, () => {
    const options = parseSimArguments('--players 2 --scene grid --count 6'.split(' '));
    if (options === null) throw new Error('asked for help');
    const seen: Minute[] = [];
    const report = endure(options, 1 / 60, createRapierSimulation, (minute) => seen.push(minute));
    expect(report.violations).toEqual([]);
    expect(report.minutes).toEqual(seen);
    expect(seen).toHaveLength(1);
    expect(report.grabs).toBeGreaterThan(20);
    for (const { heapMegabytes, shownError, playoutDelay } of seen) {
      expect(heapMegabytes).toBeGreaterThan(1);
      expect(shownError).toBeLessThan(0.02);
      expect(playoutDelay).toBeGreaterThanOrEqual(6);
      expect(playoutDelay).toBeLessThan(12);
    }
  });
});
