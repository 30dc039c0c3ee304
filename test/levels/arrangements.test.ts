import { describe, expect, test } from 'vitest';
import { MAX_BODIES } from '../../src/core/base/constants.ts';
import { dot } from '../../src/core/base/math.ts';
import type { LevelBody, Level } from '../../src/core/world/level.ts';
import { FLAT_BOUNDS } from '../../src/core/world/level.ts';
import type { LevelId } from '../../src/levels/levels.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import { createLevel, CUBE_LEVEL_IDS, isLevelId, LEVEL_IDS } from '../../src/levels/levels.ts';

function overlap(a: LevelBody, b: LevelBody): boolean {
  const [p, q] = [a.start.position, b.start.position];
  const apart = Math.max(Math.abs(p.x - q.x), Math.abs(p.y - q.y), Math.abs(p.z - q.z));
  return apart < CUBE_SIZE - 1e-9;
}

function overlaps(scene: Level): string[] {
  const found: string[] = [];
  scene.bodies.forEach((a, i) => {
    for (let k = 0; k < i; k++) if (overlap(a, scene.bodies[k])) found.push(`${k} and ${i}`);
  });
  return found;
}

describe('createLevel', () => {
  test.each<[LevelId, number]>([
    ['pile', 64],
    ['tower', 20],
    ['wall', 64],
    ['pyramid', 36],
    ['grid', 256],
  ])('%s has %i bodies', (name, count) => {
    const scene = createLevel({ id: name, seed: 1 });
    expect(scene.id).toBe(name);
    expect(scene.bodies).toHaveLength(count);
  });

  test.each(LEVEL_IDS)('%s is the same from the same choice', (name) => {
    expect(createLevel({ id: name, seed: 5 })).toEqual(createLevel({ id: name, seed: 5 }));
  });

  test.each(['pile', 'grid'] as const)('%s differs from seed to seed', (name) => {
    expect(createLevel({ id: name, seed: 5 })).not.toEqual(createLevel({ id: name, seed: 6 }));
  });

  test.each(CUBE_LEVEL_IDS)('%s lies within the bounds, above the floor, on unit rotations', (name) => {
    for (const {
      start,
      template: { shape, mass },
    } of createLevel({ id: name, seed: 2 }).bodies) {
      expect(shape).toEqual({ kind: 'box', halfExtents: [CUBE_SIZE / 2, CUBE_SIZE / 2, CUBE_SIZE / 2] });
      expect(mass).toBeGreaterThan(0);
      expect(Math.max(Math.abs(start.position.x), Math.abs(start.position.z))).toBeLessThan(
        FLAT_BOUNDS.across,
      );
      expect(start.position.y).toBeLessThan(FLAT_BOUNDS.high);
      expect(start.position.y).toBeGreaterThanOrEqual(CUBE_SIZE / 2);
      expect(dot(start.rotation, start.rotation)).toBeCloseTo(1, 9);
    }
  });

  test.each(['tower', 'wall', 'pyramid', 'grid'] as const)('no two cubes of %s overlap', (name) => {
    expect(overlaps(createLevel({ id: name, seed: 3 }))).toEqual([]);
  });

  test('pile falls from 11 to 24 m, in every orientation', () => {
    const { bodies } = createLevel({ id: 'pile', seed: 4 });
    const heights = bodies.map(({ start }) => start.position.y);
    expect(Math.min(...heights)).toBe(11);
    expect(Math.max(...heights)).toBe(24);
    expect(new Set(bodies.map(({ start }) => start.rotation.x)).size).toBe(bodies.length);
  });

  test('tower is one column, each cube on the one below', () => {
    const { bodies } = createLevel({ id: 'tower', seed: 0 });
    bodies.forEach(({ start }, i) => {
      expect(start.position).toEqual({ x: 0, y: CUBE_SIZE / 2 + i * CUBE_SIZE, z: 0 });
    });
  });

  test('grid has as many cubes as asked for, up to the most in a world, none in another', () => {
    for (const count of [1, 7, 1024, MAX_BODIES]) {
      const scene = createLevel({ id: 'grid', seed: 1, count });
      expect(scene.bodies).toHaveLength(count);
    }
    expect(overlaps(createLevel({ id: 'grid', seed: 1, count: MAX_BODIES }))).toEqual([]);
  });

  test.each([0, -1, 1.5, MAX_BODIES + 1, NaN, Infinity])('a grid of %d is refused', (count) => {
    expect(() => createLevel({ id: 'grid', seed: 1, count })).toThrow(RangeError);
  });
});

test('isLevelId knows the scenes, and nothing that an object inherits', () => {
  expect(LEVEL_IDS.every(isLevelId)).toBe(true);
  for (const name of ['', 'Pile', 'constructor', 'toString']) expect(isLevelId(name)).toBe(false);
});
