import { ProgressLine } from '../progress.ts';
import { UsageError } from '../words.ts';
import type { ChaosArguments } from './arguments.ts';
import { CHAOS_USAGE, parseChaosArguments } from './arguments.ts';
import { runMany } from './many.ts';
import type { ChaosReport } from '../../harness/chaos/run-chaos.ts';
import { describeFailure, summarise } from './summary.ts';

/** `npm run sim -- --chaos`; returns the exit code. */
export async function chaosMain(words: readonly string[]): Promise<number> {
  let options: ChaosArguments | null;
  try {
    options = parseChaosArguments(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  if (options === null) {
    process.stdout.write(`${CHAOS_USAGE}\n`);
    return 0;
  }
  const { first, last, workers, json, court } = options;
  const reports: ChaosReport[] = [];
  const progress = new ProgressLine();
  const hear = (report: ChaosReport): void => {
    reports.push(report);
    const failed = reports.filter(({ faults }) => faults.length > 0).length;
    if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else {
      progress.show(`${reports.length} of ${last - first + 1} seeds, ${failed} failed`);
      if (report.faults.length > 0) process.stdout.write(`\n${describeFailure(report)}\n`);
    }
  };
  await runMany(first, last, workers, hear, court);
  progress.end();
  if (!json) process.stdout.write(`\n${summarise(reports)}\n`);
  return reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
}
