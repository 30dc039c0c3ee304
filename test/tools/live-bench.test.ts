import { expect, test } from 'vitest';
import { benchLive, describeLive } from '../../src/tools/wire/live-bench.ts';

test('[W9.1] the traffic of live peers is the sum of its parts, in every second within the budget', async () => {
  const report = await benchLive({ scene: 'pile', count: 64, seeds: [1], players: [2], seconds: 20 });
  expect(report.rows).toHaveLength(1);
  for (const { down, bodies, avatars, headers, uplink, players, converged, packets } of report.rows) {
    expect(down.mean).toBeCloseTo(bodies.mean + avatars.mean + headers.mean, 0);
    expect(uplink.mean / (players - 1)).toBeCloseTo(down.mean, 0);
    expect(down.worstSecond).toBeLessThanOrEqual(256);
    expect(down.play).toBeGreaterThan(down.mean);
    expect(packets.still).toBeLessThanOrEqual(15 * (players - 1));
    expect(converged).toBe(true);
  }
  expect(describeLive(report)).toContain('uplink');
});
