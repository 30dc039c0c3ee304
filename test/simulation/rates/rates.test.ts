import { beforeAll, describe, expect, test } from 'vitest';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { GameReport } from './throwing-game.ts';
import { playGame, THROWS } from './throwing-game.ts';

const RATES = [30, 60, 90, 120] as const;
const USUAL = 60;

const reports = new Map<number, GameReport>();

beforeAll(async () => {
  await loadPhysics();
  for (const rate of RATES) reports.set(rate, playGame(rate, 1));
}, 240_000);

function reportAt(rate: number): GameReport {
  const report = reports.get(rate);
  if (report === undefined) throw new Error(`nothing was played at ${rate}`);
  return report;
}

describe.each(RATES)('[B2.2] the same game at %i ticks a second', (rate) => {
  test('[G3.1] throws as fast as the hands were, and as far', () => {
    const { throws } = reportAt(rate);
    throws.forEach(({ speed, way, rise }, slot) => {
      expect(Math.abs(speed / THROWS[slot].speed - 1), `slot ${slot}, speed`).toBeLessThan(0.01);
      const usual = reportAt(USUAL).throws[slot];
      expect(Math.abs(way / usual.way - 1), `slot ${slot}, way`).toBeLessThan(0.02);
      expect(Math.abs(rise - usual.rise), `slot ${slot}, metres upwards`).toBeLessThan(0.05);
    });
  });

  test('[R1.2] rests as soon: towers that stand, and what was thrown at one', () => {
    const { towersRestAfter, restsAfter } = reportAt(rate);
    const usual = reportAt(USUAL);
    expect(Math.abs(towersRestAfter - usual.towersRestAfter)).toBeLessThan(0.1);
    // The towers tumble in another way each time.
    expect(Math.abs(restsAfter - usual.restsAfter)).toBeLessThan(1.5);
  });

  test('[I1] agrees as soon, and draws as exactly', () => {
    const { violations, convergedAfterMs, shownErrorMm } = reportAt(rate);
    expect(violations).toEqual([]);
    expect(Math.abs((convergedAfterMs ?? NaN) - (reportAt(USUAL).convergedAfterMs ?? NaN))).toBeLessThan(150);
    expect(shownErrorMm).toBeLessThan(5);
  });

  test('[W8.8] sends no more than at 60, and needs no more room', () => {
    const { kbps, packetsASecond } = reportAt(rate);
    expect(packetsASecond).toBeLessThanOrEqual(1.1 * reportAt(USUAL).packetsASecond);
    expect(kbps).toBeLessThanOrEqual(1.25 * reportAt(USUAL).kbps);
  });
});
