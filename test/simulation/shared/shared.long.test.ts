import { expect, test } from 'vitest';
import { forSeeds } from '../../support/seeds.ts';
import type { SharedReport } from './play-shared.ts';
import { playShared } from './play-shared.ts';

test('[I10] [I11] hold in two hundred rooms under 20 % of loss', { timeout: 3600_000 }, () => {
  const reports: SharedReport[] = [];
  forSeeds(1, 200, (seed) => {
    const report = playShared(seed);
    reports.push(report);
    expect(report.violations).toEqual([]);
  });
  const sum = (of: (report: SharedReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  console.info(
    `${sum(({ given }) => given)} events given out, ${sum(({ joins }) => joins)} joins, ` +
      `${sum(({ changesOfHost }) => changesOfHost)} changes of host`,
  );
});
