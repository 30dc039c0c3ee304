import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { vector } from '../../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../../src/core/base/state.ts';
import { DRIVE_STEPS } from '../../../../src/core/peer/driven/drive-clock.ts';
import { DrivenBodies } from '../../../../src/core/peer/driven/driven-bodies.ts';
import { Riding } from '../../../../src/core/peer/driven/riding.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { drivenLevel, plate } from '../../../support/driven-levels.ts';

const CUBE = 0 as BodyId;
/** A plate that circles three metres from the middle, at 3 m/s. */
const PATH = { kind: 'turn', pivot: vector(), axis: vector(0, 1, 0), period: 2 * Math.PI } as const;
const level = drivenLevel([plate([1, 0.1, 1], [3, 0.1, 0], PATH)], [[3, 0.46, 0]]);

function ridingIn(of: Level): Riding {
  const driven = new DrivenBodies(of);
  driven.restart(START);
  return new Riding(driven, of, 1);
}

/** Steps of a second. */
const SECOND = DRIVE_STEPS * level.rate;
/** A whole turn, after which the plate is where it began. */
const START = Math.round(2 * Math.PI * SECOND);

let motion: Float32Array;
beforeEach(() => {
  motion = new Float32Array(STRIDE);
  motion.set([3, 0.46, 0, 0, 0, 0, 1]);
  motion[MOTION.linear + 2] = -3;
});

/** Where a cube is brought whose player had it on the plate, where that began, so many steps ago. */
function bring(riding: Riding, ago: number): number[] {
  // The plate is symmetric in time: it was there a turn ago, or so much later.
  riding.bring(CUBE, START - ago, motion);
  return [...motion.subarray(0, 3)];
}

describe('[K2.3] a state of a body that rides', () => {
  test('is brought to where its carrier is here, with its velocity', () => {
    const riding = ridingIn(level);
    expect(bring(riding, 0)[0]).toBeCloseTo(3, 4);
    expect(riding.has(CUBE)).toBe(true);
  });

  test('begins anew with the level', () => {
    const riding = ridingIn(level);
    bring(riding, 0);
    riding.clear();
    expect(riding.has(CUBE)).toBe(false);
  });

  test('fades by time, not by the count of states', () => {
    const riding = ridingIn(level);
    bring(riding, SECOND / 4);
    // It stands still in the world: it has got off.
    motion.set([3, 0.46, 0, 0, 0, 0, 1, 0, 0, 0]);
    riding.bring(CUBE, START + SECOND / 2, motion);
    expect(riding.has(CUBE)).toBe(false);
  });
});

describe('[K2.4] a body does not ride', () => {
  test('by a time that is more than a second off', () => {
    const riding = ridingIn(level);
    expect(bring(riding, 1.1 * SECOND)).toEqual([3, Math.fround(0.46), 0]);
    expect(riding.has(CUBE)).toBe(false);
  });

  test('out of the world', () => {
    const riding = ridingIn({ ...level, bounds: { ...level.bounds, across: 2.9 } });
    bring(riding, 0);
    expect(riding.has(CUBE)).toBe(false);
  });
});
