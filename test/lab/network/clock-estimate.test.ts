import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { ClockStamp } from '../../../src/lab/network/clock-estimate.ts';
import { ClockEstimate } from '../../../src/lab/network/clock-estimate.ts';

/** Two machines whose clocks are `apart` ticks apart send each other a stamp in every tick. */
function exchange(
  apart: number,
  ways: readonly [there: number, back: number],
  jitter: number,
): ClockEstimate {
  const random = new Random(4);
  const [here, there] = [new ClockEstimate(), new ClockEstimate()];
  const under: { at: number; toHere: boolean; stamp: ClockStamp }[] = [];
  for (let tick = 1; tick < 400; tick++) {
    for (const { at, toHere, stamp } of under.splice(0)) {
      if (at > tick) under.push({ at, toHere, stamp });
      // It comes before the tick, so the last tick is the one before.
      else if (toHere) here.take(stamp, tick - 1);
      else there.take(stamp, tick - 1 + apart);
    }
    const late = (): number => Math.round(random.between(0, jitter));
    under.push({ at: tick + ways[0] + late(), toHere: false, stamp: here.stamp(tick) });
    under.push({ at: tick + ways[1] + late(), toHere: true, stamp: there.stamp(tick + apart) });
  }
  return here;
}

describe('the estimate of another machine’s clock', () => {
  it.each([0, 7, -3, 500])('finds that it is %i ticks ahead, whatever the jitter', (apart) => {
    expect(exchange(apart, [6, 6], 0).ahead).toBeCloseTo(apart, 5);
    expect(Math.abs(exchange(apart, [6, 6], 8).ahead - apart)).toBeLessThanOrEqual(1);
  });

  it('is wrong by half of what the two ways differ, as NTP is', () => {
    const clock = exchange(20, [4, 10], 0);
    expect(clock.ahead).toBeCloseTo(20 - 3, 5);
  });

  it('knows nothing before the other machine has answered, and takes no impossible stamp', () => {
    const clock = new ClockEstimate();
    expect(clock.isKnown).toBe(false);
    clock.take({ tick: 900, echo: 0, held: 0 }, 5);
    clock.take({ tick: 901, echo: 50, held: 0 }, 6);
    clock.take({ tick: 902, echo: 3, held: 255 }, 6);
    expect([clock.isKnown, clock.ahead]).toEqual([false, 0]);
  });
});
