import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { runMany } from '../../src/tools/chaos/many.ts';
import type { ChaosReport } from '../../src/harness/chaos/run-chaos.ts';
import { describeFailure, summarise } from '../../src/tools/chaos/summary.ts';

const WORKSHOP = { scene: { id: 'workshop', seed: 1 }, players: 5 };
const PLAYGROUND = { scene: { id: 'playground', seed: 1 }, players: 4 };

test.each([
  ['a thousand cruel rooms', 1, 1000, null],
  ['five hundred on the playground', 8101, 8600, PLAYGROUND],
  ['five hundred in the workshop', 9101, 9600, WORKSHOP],
  ['twenty at 30 ticks a second', 1, 20, { rate: 30 }],
  ['twenty at 90 ticks a second', 1, 20, { rate: 90 }],
  ['twenty at 120 ticks a second', 1, 20, { rate: 120 }],
])('[I1] to [I9] [B2.2] hold in %s', { timeout: 3 * 3600_000 }, async (_, first, last, court) => {
  const reports: ChaosReport[] = [];
  await runMany(first, last, availableParallelism(), (report) => reports.push(report), court);
  console.info(summarise(reports));
  const failed = reports.filter(({ faults }) => faults.length > 0);
  expect(failed.map(describeFailure).join('\n')).toBe('');
  expect(reports).toHaveLength(last - first + 1);
});
