import { describe, expect, test } from 'vitest';
import { pose } from '../../../src/core/base/math.ts';
import { LEFT, NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { LEVEL_IDS, createLevel } from '../../../src/levels/levels.ts';
import { firstCube } from '../../../src/pages/giving/first-cube.ts';
import { startPlaceOf } from '../../../src/pages/start-places.ts';
import type { Place } from './pair.ts';
import { hand, viewOf } from './pair.ts';

const FRONT: Place = [0, 1.6, 2];
const OPPOSITE: Place = [0, 1.6, -1];

describe('the first cube to hand over', () => {
  test('is at rest and near both players', () => {
    const bodies: Place[] = [
      [0, 0.25, 1.9],
      [0.2, 0.25, 0.5],
      [9, 0.25, 0.5],
    ];
    const view = viewOf(0, bodies, { 0: FRONT, 1: [0.4, 1.6, -1] });
    view.resting[0] = 0;
    expect(firstCube(view)).toBe(1);
    view.exists[1] = 0;
    expect(firstCube(view), '[S1] an id without a body').toBe(NO_BODY);
    view.exists[1] = 1;
    view.resting[1] = 0;
    expect(firstCube(view)).toBe(NO_BODY);
  });

  test('[J3.3] is no part of a machine, in no hand and in a hand', () => {
    const bodies: Place[] = [
      [0.5, 0.25, 0.5],
      [1.5, 0.25, 0.5],
    ];
    const view = viewOf(0, bodies, { 0: FRONT, 1: OPPOSITE });
    expect(firstCube(view)).toBe(0);
    const world = { body: null, frame: pose() };
    view.joints.push({ kind: 'ball', ends: [world, { body: 0, frame: pose() }], collides: true });
    expect(firstCube(view)).toBe(1);
    hand(view, 1, RIGHT, { held: 0 });
    expect(firstCube(view)).toBe(1);
  });

  test('is none without a friend, and none if all are far away', () => {
    expect(firstCube(viewOf(0, [[0, 0.25, 0]], { 0: FRONT }))).toBe(NO_BODY);
    expect(firstCube(viewOf(0, [[8, 0.25, 0]], { 0: FRONT, 1: OPPOSITE }))).toBe(NO_BODY);
  });

  test('has little on it, and is no higher than the eyes', () => {
    const tower = [0.25, 0.75, 1.25].map((y): Place => [0, y, 0.5]);
    expect(firstCube(viewOf(0, tower, { 0: FRONT, 1: OPPOSITE }))).toBe(2);
    expect(firstCube(viewOf(0, [...tower, [0.6, 0.25, 0.5]], { 0: FRONT, 1: OPPOSITE }))).not.toBe(0);
    const high = [1.25, 1.75, 2.25].map((y): Place => [0, y, 0.5]);
    expect(firstCube(viewOf(0, high, { 0: FRONT, 1: OPPOSITE }))).toBe(1);
  });

  test('carries one other at most, of a pyramid', () => {
    const scene = createLevel({ id: 'pyramid', seed: 3 });
    const bodies = scene.bodies.map(({ start: { position } }): Place => [position.x, position.y, position.z]);
    const [a, b] = [0, 1].map((order) => startPlaceOf(order, scene).position);
    const [x, y, z] = bodies[firstCube(viewOf(0, bodies, { 0: [a.x, a.y, a.z], 1: [b.x, b.y, b.z] }))];
    const carried = bodies.filter((other) => other[1] > y && Math.hypot(other[0] - x, other[2] - z) < 0.4);
    expect(carried.length).toBeLessThan(2);
  });

  test('is what one of the two holds, and the lower slot’s before the other’s', () => {
    const bodies: Place[] = [
      [0, 0.25, 0.5],
      [0, 1.2, 1],
      [0, 1.2, 0],
    ];
    const seen = [0, 1].map((self) => viewOf(self, bodies, { 0: FRONT, 1: OPPOSITE }));
    for (const view of seen) hand(view, 1, LEFT, { held: 2 });
    expect(seen.map(firstCube)).toEqual([2, 2]);
    for (const view of seen) hand(view, 0, RIGHT, { held: 1 });
    expect(seen.map(firstCube)).toEqual([1, 1]);
  });

  test.each(LEVEL_IDS)(
    'is the same on both pages in %s, though each sees the other a little elsewhere',
    (name) => {
      const scene = createLevel({ id: name, seed: 3 });
      // The cubes of the pile lie in a heap by then.
      const lies = ({ x, y, z }: { x: number; y: number; z: number }): Place =>
        name === 'pile' ? [x * 5, 0.25, z * 5] : [x, y, z];
      const bodies = scene.bodies.map(({ start }) => lies(start.position));
      const heads = [0, 1].map((order) => startPlaceOf(order, scene).position);
      const chosen = [0, 1].flatMap((self) =>
        [-0.03, 0, 0.03].map((off) => {
          const at = (slot: number): Place => {
            const { x, y, z } = heads[slot];
            return slot === self ? [x, y, z] : [x + off, y, z - off];
          };
          return firstCube(viewOf(self, bodies, { 0: at(0), 1: at(1) }));
        }),
      );
      expect(chosen[0]).not.toBe(NO_BODY);
      expect(new Set(chosen).size).toBe(1);
    },
  );
});
