import { expect, test } from 'vitest';
import type { SharedReport } from './play-shared.ts';
import { playShared } from './play-shared.ts';

test('[I10] [I11] hold in two hundred rooms under 20 % of loss', { timeout: 3600_000 }, () => {
  const reports: SharedReport[] = [];
  const failed: string[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const report = playShared(seed);
    reports.push(report);
    if (report.violations.length > 0)
      failed.push(`${seed}: ${JSON.stringify(report.violations.slice(0, 3))}`);
  }
  const sum = (of: (report: SharedReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  console.info(
    `${sum(({ given }) => given)} events given out, ${sum(({ joins }) => joins)} joins, ` +
      `${sum(({ changesOfHost }) => changesOfHost)} changes of host`,
  );
  expect(failed).toEqual([]);
});
