import { expect, test } from 'vitest';
import { TICK_RATE, ticksIn } from '../../../src/core/base/constants.ts';
import { IDLE_SECONDS, SendSchedule } from '../../../src/core/link/send-schedule.ts';

const IDLE_TICKS = ticksIn(IDLE_SECONDS, TICK_RATE);

/** The ticks, from 0 on, in which something is sent. */
function saidIn(ticks: number, movesIn: (tick: number) => boolean): number[] {
  const pace = new SendSchedule(TICK_RATE);
  const said: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    if (movesIn(tick)) pace.markActive(tick);
    if (!pace.isDue(tick)) continue;
    pace.markSent(tick);
    said.push(tick);
  }
  return said;
}

test('[W8.4] without noticeable changes it sends ten times a second', () => {
  const said = saidIn(2 * TICK_RATE, () => false);
  expect(said).toHaveLength(20);
  expect(said.slice(1).every((tick, i) => tick - said[i] === IDLE_TICKS)).toBe(true);
});

test('[W8.6] it sends in the tick in which a movement begins, and in every tick of the movement', () => {
  for (let begin = 30; begin < 30 + IDLE_TICKS; begin++) {
    const said = saidIn(120, (tick) => tick >= begin && tick < begin + 20);
    for (let tick = begin; tick < begin + 20; tick++) expect(said).toContain(tick);
  }
});

test('[W8.2] it sends a slow movement in every tick, until a quarter second after its last change', () => {
  const said = saidIn(120, (tick) => tick >= 30 && tick <= 60 && tick % 10 === 0);
  expect(said.filter((tick) => tick >= 30 && tick < 75)).toHaveLength(45);
  expect(said.filter((tick) => tick >= 75).length).toBeLessThanOrEqual(8);
});
