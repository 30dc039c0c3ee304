import { describe, expect, test } from 'vitest';
import { vector } from '../../../../src/core/base/math.ts';
import { Carriers, NO_CARRIER } from '../../../../src/core/peer/driven/carriers.ts';
import { DRIVE_STEPS } from '../../../../src/core/peer/driven/drive-clock.ts';
import { DrivenBodies } from '../../../../src/core/peer/driven/driven-bodies.ts';
import { drivenLevel, plate } from '../../../support/driven-levels.ts';

/** A plate of two metres that circles three metres from the middle, at 3 m/s: along z at first, against it. */
const PERIOD = 2 * Math.PI;
const level = drivenLevel(
  [
    plate([1, 0.1, 1], [3, 0.1, 0], {
      kind: 'turn',
      pivot: vector(),
      axis: vector(0, 1, 0),
      period: PERIOD,
    }),
  ],
  [],
);
const carriers = new Carriers(new DrivenBodies(level), level);
/** A whole turn later it is where it began. */
const TIME = Math.round(PERIOD * level.rate * DRIVE_STEPS);

describe('[K2.2] a driven body carries', () => {
  test('what is above it, up to 2.5 m, and moves as it does', () => {
    expect(carriers.find(TIME, vector(3, 1, 0), vector(0, 0, -3))).toBe(0);
    expect(carriers.find(TIME, vector(3, 2.6, 0), vector(0, 0, -2))).toBe(0);
  });

  test('not what stands still there, or goes the other way', () => {
    expect(carriers.find(TIME, vector(3, 1, 0), vector())).toBe(NO_CARRIER);
    expect(carriers.find(TIME, vector(3, 1, 0), vector(0, 0, 3))).toBe(NO_CARRIER);
  });

  test('not what is higher, beside it, or below', () => {
    for (const place of [vector(3, 3, 0), vector(4.3, 1, 0), vector(3, -0.2, 0)])
      expect(carriers.find(TIME, place, vector(0, 0, -3))).toBe(NO_CARRIER);
  });

  test('a place along with it', () => {
    const quarter = TIME + TIME / 4;
    const pose = { position: vector(3, 1, 0), rotation: { x: 0, y: 0, z: 0, w: 1 } };
    const { position } = carriers.move(0, TIME, quarter, pose, {
      position: vector(),
      rotation: { x: 0, y: 0, z: 0, w: 1 },
    });
    expect(position.x).toBeCloseTo(0, 2);
    expect(position.y).toBeCloseTo(1, 6);
    expect(position.z).toBeCloseTo(-3, 2);
  });
});
