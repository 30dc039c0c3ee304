import { expect, test } from 'vitest';
import { benchEnergy, describeEnergy, shareOff } from '../../src/tools/bench/energy.ts';
import { energyCourses } from '../../src/tools/bench/energy-courses.ts';

test('[W2.5] [W2.7] within a peer, energy and speed last as in the engine alone', async () => {
  const courses = energyCourses().filter(({ isChaotic }) => !isChaotic);
  const rows = await benchEnergy(courses);
  expect(rows.length).toBe(courses.length);
  for (const { name, alone, peer } of rows) {
    for (const what of ['speed', 'spin', 'energy', 'way'] as const)
      expect(Math.abs(shareOff(alone[what], peer[what])), `${name}: ${what}`).toBeLessThan(0.03);
  }
  expect(describeEnergy(rows)).toContain('a ball rolls at 0.2 m/s');
});
