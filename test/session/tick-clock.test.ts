import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../src/core/base/constants.ts';
import { MOST_CATCH_UP_MS, TickClock } from '../../src/session/tick-clock.ts';

/** Runs a clock at these moments. @returns when its ticks were due. */
function run(clock: TickClock, moments: readonly number[]): number[] {
  const due: number[] = [];
  for (const moment of moments) {
    clock.advance(
      () => moment,
      (dueMs) => due.push(dueMs),
    );
  }
  return due;
}

describe('a tick clock', () => {
  test('runs 60 ticks a second, however unevenly it is asked', () => {
    const clock = new TickClock(0);
    const moments = Array.from({ length: 400 }, (_, i) => i * 25 + (i % 3) * 8);
    const due = run(clock, moments);
    expect(due).toHaveLength(Math.floor(moments[399] / TICK_MS) + 1);
    due.forEach((ms, i) => expect(ms).toBeCloseTo(i * TICK_MS, 6));
    expect(clock.skipped).toBe(0);
  });

  test.each([30, 90, 120])('[B2.1] runs %i ticks a second for a level that says so', (rate) => {
    const due = run(new TickClock(0, rate), [0, 100, 200, 300, 400, 500]);
    expect(due).toHaveLength(rate / 2 + 1);
    expect(due[rate / 2]).toBeCloseTo(500, 6);
  });

  test('counts ticks that begin more than a tick after they were due', () => {
    const clock = new TickClock(0);
    run(clock, [0, 101]);
    expect(clock).toMatchObject({ ticks: 7, late: 5 });
  });

  test('leaves out the ticks of a long pause, and counts them', () => {
    const clock = new TickClock(0);
    const due = run(clock, [0, 10 * MOST_CATCH_UP_MS, 10 * MOST_CATCH_UP_MS + TICK_MS]);
    expect(due.length).toBeLessThan(5);
    expect(clock.skipped).toBeGreaterThan(140);
    expect(clock.dueMs - 10 * MOST_CATCH_UP_MS).toBeLessThanOrEqual(2 * TICK_MS);
  });

  test('ends where each tick takes longer than a tick', () => {
    const clock = new TickClock(0);
    let time = 101;
    clock.advance(
      () => time,
      () => (time += 50),
    );
    expect(clock.ticks).toBe(7);
  });
});
