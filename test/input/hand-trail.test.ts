import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../src/core/base/constants.ts';
import { pose } from '../../src/core/base/math.ts';
import { handInput, TRAIL_LENGTH } from '../../src/core/hands/hand-input.ts';
import { copyTrail, HandTrailKeeper } from '../../src/input/hand-trail.ts';

/** A pose that is recognised by its height. */
function at(y: number): ReturnType<typeof pose> {
  const place = pose();
  place.position.y = y;
  return place;
}

/** Returns a tick's trail: each pose's height, and its age in ticks relative to the input. */
function told(keeper: HandTrailKeeper, tickMs: number, age = 0): { seen: number[][]; broken: boolean } {
  const { trail } = handInput();
  keeper.write(tickMs, age, trail);
  const seen = Array.from({ length: trail.count }, (_, i) => [
    trail.poses[i].position.y,
    Math.round(trail.before[i] * 1e9) / 1e9 + 0,
  ]);
  return { seen, broken: trail.broken };
}

describe('[T1] the trail of a hand', () => {
  test('contains the poses since the last tick with their times', () => {
    const keeper = new HandTrailKeeper();
    keeper.add(0, at(1));
    told(keeper, TICK_MS);
    keeper.add(TICK_MS * 1.25, at(2));
    keeper.add(TICK_MS * 1.75, at(3));
    expect(told(keeper, TICK_MS * 2, 0.25).seen).toEqual([
      [2, 0.5],
      [3, 0],
    ]);
  });

  test('is only the last pose for further ticks of a frame, and empty before the first pose', () => {
    const keeper = new HandTrailKeeper();
    expect(told(keeper, 0).seen).toEqual([]);
    keeper.add(0, at(1));
    keeper.add(TICK_MS, at(2));
    expect(told(keeper, TICK_MS).seen).toHaveLength(2);
    expect(told(keeper, TICK_MS * 2).seen).toEqual([[2, 1]]);
    expect(told(keeper, TICK_MS * 3).seen).toEqual([[2, 2]]);
  });

  test('marks a pose that came after its tick', () => {
    const keeper = new HandTrailKeeper();
    keeper.add(TICK_MS * 1.5, at(1));
    expect(told(keeper, TICK_MS).seen).toEqual([[1, -0.5]]);
  });

  test('goes back only to a cut, and reports the cut once', () => {
    const keeper = new HandTrailKeeper();
    keeper.add(0, at(1));
    keeper.cut();
    keeper.add(TICK_MS, at(2));
    expect(told(keeper, TICK_MS)).toEqual({ seen: [[2, 0]], broken: true });
    expect(told(keeper, TICK_MS * 2).broken).toBe(false);
    keeper.add(TICK_MS * 3, at(3));
    expect(told(keeper, TICK_MS * 3)).toEqual({ seen: [[3, 0]], broken: false });
  });

  test('keeps the newest poses, no closer in time than a throw needs', () => {
    const keeper = new HandTrailKeeper();
    // A mouse with a thousand events per second, and a frame that comes late.
    for (let ms = 0; ms <= 100; ms++) keeper.add(ms, at(ms));
    const { seen } = told(keeper, 100);
    expect(seen).toHaveLength(TRAIL_LENGTH);
    expect(seen[TRAIL_LENGTH - 1]).toEqual([100, 0]);
    expect(seen[0][0]).toBeLessThanOrEqual(45);
    for (const [y, before] of seen) expect(100 - before * TICK_MS).toBeCloseTo(y, 6);
  });

  test('is copied whole', () => {
    const [from, to] = [handInput().trail, handInput().trail];
    const keeper = new HandTrailKeeper();
    keeper.cut();
    keeper.add(0, at(1));
    keeper.write(TICK_MS, 0, from);
    copyTrail(from, to);
    expect(to).toEqual(from);
    expect(to.poses[0]).not.toBe(from.poses[0]);
  });
});
