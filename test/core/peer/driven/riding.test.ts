import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { pose, vector } from '../../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../../src/core/base/state.ts';
import { DRIVE_STEPS } from '../../../../src/core/peer/driven/drive-clock.ts';
import { DrivenBodies } from '../../../../src/core/peer/driven/driven-bodies.ts';
import { Islands } from '../../../../src/core/world/joints/islands.ts';
import { Riding } from '../../../../src/core/peer/driven/riding.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { drivenLevel, plate } from '../../../support/driven-levels.ts';

const CUBE = 0 as BodyId;
/** A plate that circles three metres from the middle, at 3 m/s. */
const PATH = { kind: 'turn', pivot: vector(), axis: vector(0, 1, 0), period: 2 * Math.PI } as const;
const level = drivenLevel([plate([1, 0.1, 1], [3, 0.1, 0], PATH)], [[3, 0.46, 0]]);

function ridingIn(of: Level, islands = new Islands(2, [])): Riding {
  const driven = new DrivenBodies(of);
  driven.restart(START);
  return new Riding(driven, of, islands, 2);
}

/** Steps of a second. */
const SECOND = DRIVE_STEPS * level.rate;
/** A whole turn, after which the plate is where it began. */
const START = Math.round(2 * Math.PI * SECOND);

let motion: Float32Array;
beforeEach(() => {
  motion = new Float32Array(2 * STRIDE);
});

/** A player had the cube in the middle of the plate, and as fast, so many seconds before the plate is where it is here. */
function brings(riding: Riding, seconds: number): void {
  const angle = -seconds;
  motion.set([3 * Math.cos(angle), 0.46, -3 * Math.sin(angle), 0, 0, 0, 1]);
  motion.set([-3 * Math.sin(angle), 0, -3 * Math.cos(angle)], MOTION.linear);
  riding.bring(CUBE, START - seconds * SECOND, motion);
}

describe('[K2.5] an island rides as its lowest part does', () => {
  const OTHER = 1 as BodyId;
  const ends = [CUBE, OTHER].map((body) => ({ body, frame: pose() }));
  const TIED = new Islands(2, [{ kind: 'rope', length: 5, ends: [ends[0], ends[1]], collides: true }]);

  /** A state of a part: in the middle of the plate and as fast, or beside it and still. */
  function bringsPart(riding: Riding, body: BodyId, rides: boolean): number[] {
    const at = body * STRIDE;
    const angle = -0.4;
    if (rides) motion.set([3 * Math.cos(angle), 0.46, -3 * Math.sin(angle), 0, 0, 0, 1], at);
    else motion.set([8, 0.25, 0, 0, 0, 0, 1], at);
    motion.set(rides ? [-3 * Math.sin(angle), 0, -3 * Math.cos(angle)] : [0, 0, 0], at + MOTION.linear);
    const before = [...motion.subarray(at, at + 3)];
    riding.bring(body, START - 0.4 * SECOND, motion);
    return before.map((metres, i) => motion[at + i] - metres);
  }

  test.each([
    ['all of it, as if it were one body', true, false],
    ['none of it', false, true],
  ])('%s', (_, lowest, other) => {
    const riding = ridingIn(level, TIED);
    const moved = [bringsPart(riding, CUBE, lowest), bringsPart(riding, OTHER, other)];
    expect([CUBE, OTHER].map((body) => riding.has(body))).toEqual([lowest, lowest]);
    for (const way of moved) expect(Math.hypot(...way) > 0.5).toBe(lowest);
  });

  test('and each body by itself without a joint', () => {
    const riding = ridingIn(level);
    bringsPart(riding, CUBE, false);
    bringsPart(riding, OTHER, true);
    expect([CUBE, OTHER].map((body) => riding.has(body))).toEqual([false, true]);
  });
});

describe('[K2.3] a state of a body that rides', () => {
  test('is brought to where its carrier is here, with its velocity', () => {
    const riding = ridingIn(level);
    brings(riding, 0.4);
    expect(riding.has(CUBE)).toBe(true);
    for (const [i, metres] of [3, 0.46, 0].entries()) expect(motion[i]).toBeCloseTo(metres, 2);
    for (const [i, speed] of [0, 0, -3].entries()) expect(motion[MOTION.linear + i]).toBeCloseTo(speed, 1);
  });

  test('begins anew with the level', () => {
    const riding = ridingIn(level);
    brings(riding, 0.4);
    riding.clear();
    expect(riding.has(CUBE)).toBe(false);
  });

  test('fades by time, not by the count of states', () => {
    const riding = ridingIn(level);
    brings(riding, 0.4);
    expect(riding.has(CUBE)).toBe(true);
    // Half a second later it stands still in the world: it has got off.
    motion.fill(0);
    motion.set([3, 0.46, 0, 0, 0, 0, 1]);
    riding.bring(CUBE, START + 0.1 * SECOND, motion);
    expect(riding.has(CUBE)).toBe(false);
  });
});

describe('[K2.4] a body does not ride', () => {
  test('by a time that is more than a second off', () => {
    const riding = ridingIn(level);
    brings(riding, 1.1);
    expect(riding.has(CUBE)).toBe(false);
    expect(motion[0]).toBeCloseTo(3 * Math.cos(1.1));
  });

  test('out of the world', () => {
    const riding = ridingIn({ ...level, bounds: { ...level.bounds, across: 2.9 } });
    brings(riding, 0.4);
    expect(riding.has(CUBE)).toBe(false);
  });
});
