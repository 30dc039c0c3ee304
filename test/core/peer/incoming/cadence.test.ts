import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { beforeEach, expect, test } from 'vitest';
import { Random } from '../../../../src/core/base/random.ts';
import { Cadence } from '../../../../src/core/peer/incoming/cadence.ts';
import { forSeeds } from '../../../support/seeds.ts';

let cadence: Cadence;

beforeEach(() => {
  cadence = new Cadence(TICK_RATE);
});

/** Packets of these ticks come; each is due six ticks after it came. @returns ticks until the author was sparse. */
function play(ticks: readonly number[]): number | null {
  let due = 0;
  for (const tick of ticks) {
    for (; ticks[due] <= tick - 6; due++) cadence.due(ticks[due]);
    cadence.arrive(tick);
    if (cadence.isSparse) return tick - ticks[0];
  }
  return null;
}

function every(interval: number, count: number, from = 600): number[] {
  return Array.from({ length: count }, (_, i) => from + i * interval);
}

test.each([
  [12, 60],
  [6, 36],
  [3, 45],
  [2, 90],
])('[T7.1] with packets in every %i ticks an author is sparse within %i', (interval, within) => {
  expect(play(every(interval, 100))).toBeLessThanOrEqual(within);
  expect(cadence.interval).toBe(interval);
});

test('[T7.1] an author at the full rate is not sparse, however many packets are lost and overtaken', () => {
  forSeeds(1, 5, (seed) => {
    const random = new Random(seed);
    const ticks = every(1, 6000).filter(() => !random.chance(0.2));
    const late = ticks.map((tick) => ({ tick, at: tick + random.next() * 3 }));
    cadence.restart();
    expect(play(ticks)).toBeNull();
    cadence.restart();
    for (const { tick } of late.sort((a, b) => a.at - b.at)) {
      cadence.arrive(tick);
      if (ticks.includes(tick - 6)) cadence.due(tick - 6);
      expect(cadence.isSparse).toBe(false);
    }
  });
});

test.each([
  [30, 1],
  [90, 2],
  [120, 2],
])(
  '[T7.1] [W8.8] at %i ticks a second packets in every tick, or every %i, are the full rate',
  (rate, full) => {
    cadence = new Cadence(rate);
    const random = new Random(1);
    expect(play(every(full, 3000).filter(() => !random.chance(0.2)))).toBeNull();
    cadence = new Cadence(rate);
    // Ten packets a second.
    expect(play(every(rate / 10, 100))).toBeLessThanOrEqual(0.6 * rate);
  },
);

test('[T7.1] an author that stands still, and begins to move at the full rate, is not sparse', () => {
  for (let begin = 600; begin < 1200; begin += 30) {
    for (let tick = begin; tick < begin + 24; tick += 6) cadence.arrive(tick);
    for (let tick = begin + 24; tick < begin + 30; tick++) cadence.arrive(tick);
    for (let tick = begin + 24; tick < begin + 29; tick++) cadence.due(tick);
    expect(cadence.isSparse).toBe(false);
  }
});

test('[T7.1] two packets of consecutive ticks end it at once, and a pause does not', () => {
  play(every(3, 40));
  expect(cadence.isSparse).toBe(true);
  cadence.arrive(1000);
  cadence.due(1000);
  cadence.arrive(1100);
  expect(cadence.isSparse).toBe(true);
  cadence.arrive(1101);
  cadence.due(1100);
  expect(cadence.isSparse).toBe(false);
});
