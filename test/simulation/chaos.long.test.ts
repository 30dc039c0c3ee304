import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { runMany } from '../../src/tools/chaos/many.ts';
import type { ChaosReport } from '../../src/harness/chaos/run-chaos.ts';
import { describeFailure, summarise } from '../../src/tools/chaos/summary.ts';

test('[I1] to [I8] hold in a thousand cruel rooms', { timeout: 3 * 3600_000 }, async () => {
  const reports: ChaosReport[] = [];
  await runMany(1, 1000, availableParallelism(), (report) => reports.push(report));
  console.info(summarise(reports));
  const failed = reports.filter(({ faults }) => faults.length > 0);
  expect(failed.map(describeFailure).join('\n')).toBe('');
  expect(reports).toHaveLength(1000);
});
