import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { vector } from '../../../src/core/base/math.ts';
import { msSince, placeAt } from './clock-hand.ts';
import { offOf, waitsOf } from './figures.ts';
import type { BodyAt, Hold } from './watch.ts';

const [ANN, BEN] = [0 as Slot, 1 as Slot];
const [CUBE, OTHER] = [7 as BodyId, 8 as BodyId];

function hold(body: BodyId, atMs: number): Hold {
  return { slot: ANN, body, atMs };
}

/** A cube that Ann moves along x by a metre a second, for a second, sampled in each tick. */
const OWN: BodyAt[] = Array.from({ length: 60 }, (_, tick) => {
  const seconds = tick / 60;
  return { slot: ANN, body: CUBE, atMs: seconds * 1000, place: [seconds, 1, 0] };
});

/** The distance of one picture of that cube, in metres; empty if it counts for nothing. */
function offAt(atMs: number, nowMs: number, place: BodyAt['place']): number[] {
  return offOf([
    { own: OWN, friends: [] },
    { own: [], friends: [{ slot: ANN, body: CUBE, atMs, nowMs, place }] },
  ]);
}

describe('the figures of npm run feel', () => {
  test.each([0, 100, 1234, 3900])('a left hand shows that it was seen %i ms late', (lateMs) => {
    for (const slot of [ANN, BEN])
      for (const atMs of [0, 900, 1800, 2700, 3600, 1e9])
        expect(msSince(slot, placeAt(slot, atMs, vector()), atMs + lateMs)).toBeCloseTo(lateMs, 3);
  });

  test('a grab is seen when the same hand is first shown with the same body', () => {
    const ann = { slot: ANN, grabs: [hold(CUBE, 1000), hold(OTHER, 2000)], seen: [] };
    const ben = { slot: BEN, grabs: [], seen: [hold(CUBE, 900), hold(CUBE, 1110), hold(OTHER, 2130)] };
    expect(waitsOf([ann, ben], 10_000)).toEqual([110, 130]);
    expect(waitsOf([ann, { ...ben, slot: 2 as Slot }, ben], 10_000)).toEqual([110, 110, 130, 130]);
  });

  test('a grab that is shown only with the next one is not seen, and one just before the end does not count', () => {
    const ann = { slot: ANN, grabs: [hold(CUBE, 1000), hold(CUBE, 2000)], seen: [] };
    const ben = { slot: BEN, grabs: [], seen: [hold(CUBE, 2100)] };
    expect(waitsOf([ann, ben], 10_000)).toEqual([null, 100]);
    expect(waitsOf([ann, ben], 2500)).toEqual([null]);
  });

  test('a cube is off its path by the distance from where it was since the time that is shown', () => {
    expect(offAt(300, 400, [0.3, 1, 0])).toEqual([expect.closeTo(0, 5)]);
    expect(offAt(300, 400, [0.3, 1, 0.2])).toEqual([expect.closeTo(0.2, 5)]);
    // It flies on while its hand stands still.
    expect(offAt(300, 400, [0.38, 1, 0])).toEqual([expect.closeTo(0, 5)]);
    // Its friend has not moved it there yet, or long ago.
    expect(offAt(300, 400, [0.6, 1, 0])[0]).toBeGreaterThan(0.19);
    expect(offAt(300, 400, [0.1, 1, 0])[0]).toBeGreaterThan(0.16);
  });

  test('a picture of a time for which there is no path counts for nothing', () => {
    expect(offAt(2000, 2100, [0.3, 1, 0])).toEqual([]);
  });
});
