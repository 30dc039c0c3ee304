import { describe, expect, test } from 'vitest';
import {
  FLICK_SPEED,
  FLICK_WINDOW_MS,
  LEAST_RANGE,
  MOST_RANGE,
  PointerPath,
} from '../../../src/input/desk/flick.ts';

const ASPECT = 16 / 9;

/**
 * The path of a pointer that rests for a second, then moves for 200 ms.
 * @param speed screen heights a second.
 * @param angle radians to the right of straight up.
 * @param times of the events in milliseconds; the flick begins at 1000.
 */
function path(speed: number, angle: number, times: readonly number[]): PointerPath {
  const pointer = new PointerPath();
  pointer.add(0, 0, -0.5);
  pointer.begin();
  for (const time of times) {
    const way = (speed * Math.max(0, time - 1000)) / 1000;
    pointer.add(time, (2 * way * Math.sin(angle)) / ASPECT, -0.5 + 2 * way * Math.cos(angle));
  }
  return pointer;
}

/** Moments of events, this many a second, to the end of the flick. */
function at(rate: number): number[] {
  return Array.from({ length: Math.round(rate * 0.2) + 1 }, (_, i) => 1000 + (i * 1000) / rate);
}

const UNEVEN = [1000, 1003, 1040, 1041, 1043, 1090, 1120, 1122, 1124, 1180, 1200];

describe('a flick', () => {
  test.each([
    ['30 a second', at(30)],
    ['60 a second', at(60)],
    ['120 a second', at(120)],
    ['1000 a second', at(1000)],
    ['uneven', UNEVEN],
    ['one alone', [1000, 1080]],
  ])('is as far with events %s', (_, times) => {
    for (const [speed, range] of [
      [0.8, 1.2],
      [2.2, 4],
      [4.2, 8],
    ]) {
      const end = times[times.length - 1];
      expect(path(speed, 0, times).flick(end, ASPECT)?.range).toBeCloseTo(range, 1);
    }
  });

  test('that is slow is none, and the fastest throws as far as may be', () => {
    const times = at(60);
    expect(path(FLICK_SPEED * 0.95, 0, times).flick(1200, ASPECT)).toBeNull();
    expect(path(FLICK_SPEED * 1.01, 0, times).flick(1200, ASPECT)?.range).toBeCloseTo(LEAST_RANGE, 1);
    expect(path(30, 0, times).flick(1200, ASPECT)?.range).toBe(MOST_RANGE);
  });

  test('is over once the pointer has rested for the window', () => {
    const pointer = path(3, 0, at(60));
    expect(pointer.flick(1200 + FLICK_WINDOW_MS / 2, ASPECT)?.range).toBeLessThan(4);
    expect(pointer.flick(1200 + FLICK_WINDOW_MS, ASPECT)).toBeNull();
  });

  test('after a pause is as fast as its only event: it moved within the window', () => {
    const pointer = path(0, 0, [1000]);
    pointer.add(3000, 0, -0.5 + 2 * 0.2);
    expect(pointer.flick(3000, ASPECT)?.range).toBeCloseTo(4.6, 0);
  });

  test('of a pointer that never moved, or of no pointer, is none', () => {
    expect(new PointerPath().flick(0, ASPECT)).toBeNull();
    expect(path(0, 0, [1000]).flick(1200, ASPECT)).toBeNull();
  });

  test('before the hand closed does not count', () => {
    const pointer = path(4, 0, at(60));
    pointer.begin();
    pointer.add(1201, 0, 0);
    expect(pointer.flick(1300, ASPECT)).toBeNull();
  });

  test('turns by its sideways part, not by a slip; downwards it is none', () => {
    const degrees = (angle: number): number | undefined => {
      const turn = path(2, (angle * Math.PI) / 180, at(60)).flick(1200, ASPECT)?.turn;
      return turn === undefined ? undefined : Math.round((turn * 180) / Math.PI);
    };
    expect([0, 8, -8].map(degrees).map(Math.abs as (x: number | undefined) => number)).toEqual([0, 0, 0]);
    expect([50, -50, 90, -90, 110].map(degrees)).toEqual([-15, 15, -30, 30, -30]);
    expect([130, 180, -150].map(degrees)).toEqual([undefined, undefined, undefined]);
  });

  test('tells where the pointer was as the window began', () => {
    const flick = path(2, Math.PI / 2, at(120)).flick(1200, 1);
    expect(flick?.to.x).toBeCloseTo((2 * 2 * 0.2) / ASPECT, 6);
    expect(flick?.from.x).toBeCloseTo((2 * 2 * 0.12) / ASPECT, 6);
  });
});
