import { beforeAll, describe, expect, it } from 'vitest';
import type { Bandwidth } from '../../../src/core/peer/diagnostics/traffic-meter.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { CONDITIONS, faultsOf, runRoom } from '../../support/run-room.ts';

beforeAll(loadPhysics);

function totalOf({ bodiesKbps, avatarsKbps, headersKbps }: Bandwidth): number {
  return bodiesKbps.mean + avatarsKbps.mean + headersKbps.mean;
}

describe('[I1] to [I6] hold in whole rooms, and guests show what the authority had', () => {
  describe.each(CONDITIONS)('%s', (_, words) => {
    it.each([1, 2, 3])('seed %i', (seed) => {
      const report = runRoom(`${words} --seed ${seed}`);
      expect(faultsOf(report, words.includes('fight') ? 'fight' : 'chaos')).toBe('');
      // kbit/s of payload that the host sends to all.
      const uplink = report.perGuest.reduce((sum, { down }) => sum + totalOf(down), 0);
      expect(uplink).toBeLessThan(256);
    });
  });

  it('eight players', () => {
    const report = runRoom('--players 8 --seconds 20 --seed 1');
    expect(report.violations).toEqual([]);
    expect(report.converged).toBe(true);
  });

  it('[F2.1] a data channel that loses 10 %', () => {
    const report = runRoom('--channel dataChannel --loss 10 --seed 1');
    expect(report.violations).toEqual([]);
    expect(report.converged).toBe(true);
  });

  it('[W5.1] no packet is longer than 1,100 bytes, also where there is too much to send', () => {
    const report = runRoom('--scene grid --count 400 --bots idle --seconds 12');
    const longest = Math.max(...report.perGuest.map((guest) => guest.down.packetBytes.max));
    expect(longest).toBeGreaterThan(1000);
    expect(longest).toBeLessThanOrEqual(1100);
    expect(report.converged).toBe(true);
  });

  it('the same seed gives the same run, times apart', () => {
    const run = (): unknown => ({ ...runRoom('--seed 7 --seconds 12'), tickMs: null });
    expect(run()).toEqual(run());
    expect(run()).not.toEqual({ ...runRoom('--seed 8 --seconds 12'), tickMs: null });
  });
});
