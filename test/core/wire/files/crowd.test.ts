import { describe, expect, test } from 'vitest';
import { MAX_BODIES, MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import { MOTION, STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { quantiseMotion } from '../../../../src/core/wire/bodies/quantise.ts';
import { isCrowded } from '../../../../src/core/wire/files/crowd.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import type { SavedWorld } from '../../../../src/core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../../../../src/core/wire/files/saved-world.ts';
import { LEVEL_IDS, chooseLevel, createLevel, gameLevels } from '../../../../src/levels/levels.ts';
import { capacityOf, existing, gone } from '../../../../src/core/world/existence.ts';
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

/** A level of thirty cubes, in which each player may spawn so many. */
function withSpawning(perPlayer: number): Level {
  const level = createLevel({ id: 'grid', seed: 1, count: 30 });
  return {
    ...level,
    spawning: { slots: MAX_ROOM_PLAYERS, perPlayer, perSecond: 20, templates: level.templates },
  };
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

  test('with more than 256 spawned cubes in one place is', () => {
    const level = withSpawning(40);
    const places = Array.from({ length: capacityOf(level) }, () => [1, 2, 3] as const);
    const { state } = worldAt(places);
    const existence = new Uint16Array(places.length).fill(existing(0, 0));
    expect(isCrowded(level, existence, state)).toBe(true);
  });

  test('from which cubes are gone is not, wherever their numbers are', () => {
    const level = withSpawning(40);
    const count = capacityOf(level);
    const existence = new Uint16Array(count).fill(gone(existing(0, 0), 'despawned'));
    expect(isCrowded(level, existence, new Int32Array(count * STRIDE))).toBe(false);
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
