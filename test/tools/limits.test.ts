import { expect, test } from 'vitest';
import { benchLimits, describeLimits } from '../../src/tools/bench/limits.ts';

test('[W9.1] a host under a limit sends no more in any second, and its guest sees a pile less exactly', async () => {
  const seeds = [1];
  const rows = await benchLimits(seeds, [128, 1000]);
  const [low, high] = rows;
  expect(low.worstSecond).toBeLessThanOrEqual(128);
  expect(high.worstSecond).toBeGreaterThan(256);
  expect(low.p95).toBeGreaterThan(1.5 * high.p95);
  expect(high.p95).toBeLessThan(0.01);
  expect(describeLimits(rows, seeds).split('\n')[2]).toMatch(/^ +128 +1\d\d +1\d\d( +\d\.\d\d){3}$/);
});
