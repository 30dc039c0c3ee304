import { describe, expect, test } from 'vitest';
import { MAX_BODIES, MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { MOTION, STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { quantiseMotion } from '../../../../src/core/wire/bodies/quantise.ts';
import { isCrowded } from '../../../../src/core/wire/files/crowd.ts';
import type { SavedWorld } from '../../../../src/core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../../../../src/core/wire/files/saved-world.ts';
import { AS_AT_START, capacityOf, existing, gone } from '../../../../src/core/world/existence.ts';
import type { Level, Template } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';
import type { Point, Shape } from '../../../../src/core/world/shape.ts';
import { LEVEL_IDS, chooseLevel, createLevel, gameLevels } from '../../../../src/levels/levels.ts';
import { CUBE_SIZE } from '../../../../src/levels/arrangements.ts';

/** A world whose cubes are at these places, in metres. */
function worldAt(places: readonly (readonly [number, number, number])[]): SavedWorld {
  const state = new Int32Array(places.length * STRIDE);
  const motion = new Float32Array(STRIDE);
  motion[MOTION.rotation + 3] = 1;
  places.forEach((place, body) => {
    motion.set(place);
    const one = state.subarray(body * STRIDE, (body + 1) * STRIDE);
    one[STATE.largest] = 3;
    quantiseMotion(motion, 0, one);
  });
  const level = chooseLevel({ id: 'grid', seed: 1, count: places.length });
  return {
    level,
    savedAt: 1,
    existence: new Uint16Array(places.length),
    resting: new Uint8Array(places.length).fill(1),
    state,
  };
}

function isCrowdedWorld({ level, existence, state }: SavedWorld): boolean {
  return isCrowded(createLevel(level), existence, state);
}

/** Makes this many pairs of cubes, of which one lies inside the other, wherever the cells of the search begin. */
function pairsOf(count: number): SavedWorld {
  return worldAt(
    Array.from({ length: 2 * count }, (_, i) => {
      const pair = i >> 1;
      return [(pair % 50) * 2.13 - 50, 1 + (i & 1) * 0.4, Math.floor(pair / 50) * 2.17 - 50] as const;
    }),
  );
}

describe('[F1.9] a saved world', () => {
  test.each([30, 256, MAX_BODIES])('with %d cubes in one place is refused if they are too many', (count) => {
    const file = writeWorldFile(worldAt(Array.from({ length: count }, () => [1, 2, 3] as const)));
    expect(readWorldFile(file, gameLevels)).toBe('crowded');
  });

  test('may have 256 pairs of cubes that lie inside one another, as hands can bring about', () => {
    expect(readWorldFile(writeWorldFile(pairsOf(256)), gameLevels)).toBeTypeOf('object');
    expect(readWorldFile(writeWorldFile(pairsOf(257)), gameLevels)).toBe('crowded');
  });

  test('finds pairs on either side of any cell, along each axis', () => {
    for (const axis of [0, 1, 2]) {
      for (const step of [0.01, 0.3, 0.44, -0.44]) {
        const places = Array.from({ length: 514 }, (_, i) => {
          const pair = i >> 1;
          const place: [number, number, number] = [pair * 0.4567 - 60, 20, (pair % 9) * 3.1];
          place[axis] += (i & 1) * step;
          return place;
        });
        expect(isCrowdedWorld(worldAt(places)), `axis ${axis}, step ${step}`).toBe(true);
      }
    }
  });

  test('whose cubes touch is none of these', () => {
    const side = 12;
    const places = Array.from({ length: side ** 3 }, (_, i) => {
      const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
      return [x * CUBE_SIZE - 3, (y + 0.5) * CUBE_SIZE, z * CUBE_SIZE - 3] as const;
    });
    expect(isCrowdedWorld(worldAt(places))).toBe(false);
  });

  test.each(LEVEL_IDS)('of the start of %s is none of these, with any count', (name) => {
    for (const count of [undefined, MAX_BODIES]) {
      const level = createLevel({ id: name, seed: 3, ...(count === undefined ? {} : { count }) });
      const places = level.bodies.map(({ start: { position: p } }) => [p.x, p.y, p.z] as const);
      const { existence, state } = worldAt(places);
      expect(isCrowded(level, existence, state)).toBe(false);
    }
  });
});

const CUBE: Shape = { kind: 'box', halfExtents: [0.25, 0.25, 0.25] };
const SMALL: Shape = { kind: 'ball', radius: 0.05 };
/** A pyramid whose body has its centre in a corner, and one with a point at its centre. */
const CORNERS: readonly Point[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const HULLS: readonly Shape[] = [
  { kind: 'hull', points: CORNERS },
  { kind: 'hull', points: [...CORNERS.map(([x, y, z]) => [x - 0.2, y - 0.2, z - 0.2] as const), [0, 0, 0]] },
];

/** A level of one body of the first shape, in which each of eight players may spawn 75 bodies of any shape. */
function levelOf(shapes: readonly Shape[]): Level {
  const templates = shapes.map((shape): Template => ({ ...STANDARD_MATERIAL, shape }));
  const start = { position: vector(20, 5, 20), rotation: quaternion() };
  const level = flatLevel('spawning', [{ template: templates[0], start }]);
  return {
    ...level,
    templates,
    spawning: { slots: MAX_ROOM_PLAYERS, perPlayer: 75, perSecond: 20, templates },
  };
}

/**
 * Reads a world of this level, in a file, in which one template was spawned under all ids for spawning.
 * @param placeOf the place of the id after so many others, in metres.
 */
function readSpawned(level: Level, template: number, placeOf: (i: number) => Point): unknown {
  const count = capacityOf(level);
  const { state } = worldAt(Array.from({ length: count }, (_, id) => (id === 0 ? [20, 5, 20] : placeOf(id))));
  const existence = new Uint16Array(count).fill(existing(0, template)).fill(AS_AT_START, 0, 1);
  const reference = referTo({ id: level.id, seed: 1 }, level);
  const world = { level: reference, savedAt: 1, existence, resting: new Uint8Array(count).fill(1), state };
  return readWorldFile(writeWorldFile(world), () => level);
}

describe('[F1.9] in a saved world', () => {
  test('spawned bodies in one place count as well', () => {
    expect(readSpawned(levelOf([CUBE]), 0, () => [1, 2, 3])).toBe('crowded');
    expect(readSpawned(levelOf([CUBE]), 0, (i) => [(i % 50) - 25, 2, i / 50 - 9])).toBeTypeOf('object');
  });

  test('ids without a body do not count', () => {
    const world = worldAt(Array.from({ length: 60 }, (_, i) => [i - 30, 1, 0] as const));
    for (let id = 0; id < 30; id++) {
      world.existence[id] = gone(AS_AT_START, 'despawned');
      world.state.fill(0, id * STRIDE, (id + 1) * STRIDE);
    }
    expect(readWorldFile(writeWorldFile(world), gameLevels)).toEqual(world);
  });

  test('a body has the size of its own template', () => {
    const row = (i: number): Point => [i * 0.12 - 36, 2, 0];
    expect(readSpawned(levelOf([CUBE, SMALL]), 0, row)).toBe('crowded');
    expect(readSpawned(levelOf([CUBE, SMALL]), 1, row)).toBeTypeOf('object');
    expect(readSpawned(levelOf([SMALL, CUBE]), 1, row)).toBe('crowded');
  });

  test.each([0, 1])('hulls have a size wherever their centre is (%d)', (hull) => {
    expect(readSpawned(levelOf(HULLS), hull, () => [1, 2, 3])).toBe('crowded');
    expect(
      readSpawned(levelOf(HULLS), hull, (i) => [(i % 50) - 25, 2, 3 * Math.floor(i / 50) - 18]),
    ).toBeTypeOf('object');
  });
});
