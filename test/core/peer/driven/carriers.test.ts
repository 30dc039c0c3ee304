import { describe, expect, test } from 'vitest';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { Carriers, NO_CARRIER } from '../../../../src/core/peer/driven/carriers.ts';
import { DRIVE_STEPS } from '../../../../src/core/peer/driven/drive-clock.ts';
import { DrivenBodies } from '../../../../src/core/peer/driven/driven-bodies.ts';
import type { DrivenBody } from '../../../../src/core/world/driven/driven.ts';
import type { ShapePart } from '../../../../src/core/world/shape.ts';
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

  test('what stands on it, not what is on one that is higher', () => {
    const still = { kind: 'belt', velocity: vector() } as const;
    const two = drivenLevel(
      [plate([1, 0.1, 1], [0, 0.1, 0], still), plate([1, 0.1, 1], [0, 1.1, 0], still)],
      [],
    );
    const floors = new Carriers(new DrivenBodies(two), two);
    expect(floors.find(0, vector(0, 0.5, 0), vector())).toBe(0);
    expect(floors.find(0, vector(0, 1.5, 0), vector())).toBe(1);
  });

  test('what is in its cabin, and stands on a side of it that points up', () => {
    const part = (y: number): ShapePart => ({
      shape: { kind: 'box', halfExtents: [1, 0.1, 1] },
      pose: { position: vector(0, y, 0), rotation: quaternion() },
    });
    const still = { kind: 'belt', velocity: vector() } as const;
    const plain = plate([0.1, 1, 1], [5, 0.1, 0], still);
    const cabin: DrivenBody = {
      ...plain,
      start: { position: vector(), rotation: quaternion() },
      shape: { kind: 'compound', parts: [part(0), part(2.4)] },
    };
    const turned: DrivenBody = {
      ...plain,
      start: { position: vector(5, 0, 0), rotation: quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2) },
    };
    const both = drivenLevel([cabin, turned], []);
    const found = new Carriers(new DrivenBodies(both), both);
    expect(found.find(0, vector(0.5, 0.4, 0), vector())).toBe(0);
    expect(found.find(0, vector(5.9, 0.4, 0), vector())).toBe(1);
    expect(found.find(0, vector(5, 2.7, 0), vector())).toBe(NO_CARRIER);
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
