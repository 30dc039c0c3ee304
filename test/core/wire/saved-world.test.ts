import { describe, expect, test } from 'vitest';
import { MAX_LINEAR_SPEED, MAX_ROOM_PLAYERS } from '../../../src/core/base/constants.ts';
import { fromAxisAngle, quaternion, vector } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import { MOTION, STATE, STRIDE } from '../../../src/core/base/state.ts';
import { unwrapFile, wrapFile } from '../../../src/core/wire/files/file.ts';
import { quantiseMotion } from '../../../src/core/wire/bodies/quantise.ts';
import type { SavedWorld } from '../../../src/core/wire/files/saved-world.ts';
import { isSameWorld, readWorldFile, writeWorldFile } from '../../../src/core/wire/files/saved-world.ts';
import { AS_AT_START, capacityOf, existing, gone } from '../../../src/core/world/existence.ts';
import type { Level, Template } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import type { LevelReference } from '../../../src/core/world/level-reference.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';
import { forSeeds } from '../../support/seeds.ts';
import { chooseLevel, createLevel, gameLevels } from '../../../src/levels/levels.ts';

/** Bytes of a file before its content, of a content before its first body, and of a body that moves and one at rest. */
const HEAD = 6;
/** The level of anyWorld: four letters, and a hash of twenty digits. */
const BODIES = 4 + (1 + 2 * 4) + 4 + 2 + (1 + 2 * 20) + 2;
/** The place of the level's count of bodies. */
const COUNT = 4 + (1 + 2 * 4) + 4;
const LOOK = 3;
const MOVING = LOOK + 1 + 4 * STRIDE;
const RESTING = LOOK + 1 + 4 * MOTION.linear;

/** A world with random bodies, some at rest. */
function anyWorld(seed: number, count: number): SavedWorld {
  const random = new Random(seed);
  const level: LevelReference = chooseLevel({ id: 'grid', seed: random.below(2 ** 32), count });
  const state = new Int32Array(count * STRIDE);
  const resting = Uint8Array.from({ length: count }, () => random.below(2));
  for (let body = 0; body < count; body++) {
    const axis = vector(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const { x, y, z, w } = fromAxisAngle(axis, random.between(-3, 3), quaternion());
    const size = Math.sqrt(x * x + y * y + z * z + w * w);
    const speeds = Array.from({ length: 6 }, () => (resting[body] === 1 ? 0 : random.between(-64, 64)));
    const place = [random.between(-64, 64), random.between(-2, 62), random.between(-64, 64)];
    const motion = Float32Array.from([...place, x / size, y / size, z / size, w / size, ...speeds]);
    const one = state.subarray(body * STRIDE, (body + 1) * STRIDE);
    // Some leave out what is not the largest by a little, as they may [W2].
    one[STATE.largest] = random.below(5) - 1;
    quantiseMotion(motion, 0, one);
  }
  return { level, savedAt: random.below(2 ** 32), existence: new Uint16Array(count), resting, state };
}

describe('a saved world', () => {
  test('is restored from its file to the bit', () => {
    forSeeds(1, 40, (seed) => {
      const world = anyWorld(seed, seed * 7);
      expect(readWorldFile(writeWorldFile(world), gameLevels)).toEqual(world);
    });
  });

  test('of a scene with a chosen count of bodies is restored, too', () => {
    const world = { ...anyWorld(1, 20), level: chooseLevel({ id: 'tower', seed: 4 }), savedAt: 7 };
    expect(readWorldFile(writeWorldFile(world), gameLevels)).toEqual(world);
  });

  test('is as long as FILES.md says', () => {
    const world = anyWorld(2, 50);
    const still = world.resting.filter((rests) => rests === 1).length;
    expect(writeWorldFile(world)).toHaveLength(HEAD + BODIES + still * RESTING + (50 - still) * MOVING + 4);
  });

  test('is written as FILES.md has it, in metres, so that a file outlives a change of the grids', () => {
    const state = new Int32Array(STRIDE);
    quantiseMotion(Float32Array.from([1.5, 0.25, -2, 0, 0, 0, 1, 0.5, 0, 0, 0, 0, -1]), 0, state);
    const level = chooseLevel({ id: 'grid', seed: 0x01020304, count: 1 });
    const file = writeWorldFile({
      level,
      savedAt: 0x0a0b0c0d,
      existence: new Uint16Array(1),
      resting: new Uint8Array(1),
      state,
    });
    const floats = [1.5, 0.25, -2, 0, 0, 0, 1, 0.5, 0, 0, 0, 0, -1].flatMap((value) => [
      ...new Uint8Array(Float32Array.of(value).buffer),
    ]);
    expect([...file.subarray(0, -4)]).toEqual([
      ...[0x48, 0x4e, 0x44, 0x56, 1, 2],
      ...[0x0d, 0x0c, 0x0b, 0x0a],
      ...[4, ...unitsOf('grid'), 4, 3, 2, 1, 1, 0, 20, ...unitsOf(level.hash)],
      ...[1, 0],
      ...[0, 0, 1, 6, ...floats],
    ]);
    expect([...file.subarray(-4)]).toEqual(crc32(file.subarray(0, -4)));
  });
});

/** The UTF-16 units of a text of ASCII characters, the low byte first. */
function unitsOf(text: string): number[] {
  return Array.from(text).flatMap((letter) => [letter.charCodeAt(0), 0]);
}

/** The CRC-32 computed bit by bit; the lowest byte first. */
function crc32(bytes: Uint8Array): number[] {
  let sum = 0xffffffffn;
  for (const byte of bytes) {
    sum ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) sum = sum % 2n === 1n ? (sum / 2n) ^ 0xedb88320n : sum / 2n;
  }
  sum ^= 0xffffffffn;
  return [0n, 8n, 16n, 24n].map((shift) => Number((sum >> shift) & 0xffn));
}

describe('[W6.1] a file that is no saved world', () => {
  const file = writeWorldFile(anyWorld(3, 6));

  /** The file with other content, and the right checksum. */
  function changed(change: (content: Uint8Array, view: DataView) => unknown): Uint8Array {
    const content = Uint8Array.from(unwrapFile('world', file) as Uint8Array);
    change(content, new DataView(content.buffer));
    return wrapFile('world', content);
  }

  test('is refused if any bit of it has changed, or any of its end is missing', () => {
    for (let bit = 0; bit < file.length * 8; bit++) {
      const damaged = Uint8Array.from(file);
      damaged[bit >> 3] ^= 1 << (bit & 7);
      expect(readWorldFile(damaged, gameLevels)).toBe(bit < 32 ? 'foreign' : 'damaged');
    }
    for (let length = 0; length < file.length; length++) {
      expect(readWorldFile(file.subarray(0, length), gameLevels)).toBe(
        length < HEAD + 4 ? 'foreign' : 'damaged',
      );
    }
  });

  test('[B1.3] says that it is of a level that this page does not have, or has with another content', () => {
    const unknown = changed((content) => (content[5] = 'h'.charCodeAt(0)));
    expect(readWorldFile(unknown, gameLevels)).toBe('other level');
    const other = changed((content) => (content[COUNT + 3] = content[COUNT + 3] === 48 ? 49 : 48));
    expect(readWorldFile(other, gameLevels)).toBe('other level');
  });

  test('says that it is of another kind, or of another version', () => {
    expect(readWorldFile(wrapFile('recording', new Uint8Array(9)), gameLevels)).toBe('other kind');
    const newer = Uint8Array.from(file);
    newer[5]++;
    newer.set(crc32(newer.subarray(0, -4)), newer.length - 4);
    expect(readWorldFile(newer, gameLevels)).toBe('other version');
  });

  test.each<[string, (content: Uint8Array, view: DataView) => unknown]>([
    ['a level without an id', (content) => (content[4] = 0)],
    ['a hash that is none', (content) => (content[COUNT + 3] = 'g'.charCodeAt(0))],
    ['more bodies than its level has', (content) => content[BODIES - 2]++],
    ['more bodies than a world holds', (_, view) => view.setUint16(COUNT, 4097, true)],
    ['a body that is neither at rest nor not', (content) => (content[BODIES + LOOK] |= 8)],
    ['a body that is nowhere', (_, view) => view.setFloat32(BODIES + LOOK + 1, NaN, true)],
    ['a body at infinity', (_, view) => view.setFloat32(BODIES + LOOK + 5, Infinity, true)],
    ['a body outside of the world', (_, view) => view.setFloat32(BODIES + LOOK + 9, 64.51, true)],
    ['a body below it', (_, view) => view.setFloat32(BODIES + LOOK + 5, -2.01, true)],
    ['a rotation that is none', (_, view) => view.setFloat32(BODIES + LOOK + 13, 1.2, true)],
  ])('is refused: %s', (_, change) => {
    expect(
      readWorldFile(
        changed(() => undefined),
        gameLevels,
      ),
    ).not.toBe('damaged');
    expect(readWorldFile(changed(change), gameLevels)).toBe('damaged');
  });

  test('is refused if it is longer or shorter than its world', () => {
    const content = unwrapFile('world', file) as Uint8Array;
    for (const wrong of [[...content, 0], content.subarray(0, -1), []]) {
      expect(readWorldFile(wrapFile('world', Uint8Array.from(wrong)), gameLevels)).toBe('damaged');
    }
  });

  test('is refused: a body that is too fast', () => {
    const { state } = anyWorld(1, 1);
    const level = chooseLevel({ id: 'grid', seed: 1, count: 1 });
    const moving = writeWorldFile({
      level,
      savedAt: 0,
      existence: new Uint16Array(1),
      resting: new Uint8Array(1),
      state,
    });
    const content = Uint8Array.from(unwrapFile('world', moving) as Uint8Array);
    new DataView(content.buffer).setFloat32(
      BODIES + LOOK + 1 + 4 * MOTION.linear,
      MAX_LINEAR_SPEED + 0.1,
      true,
    );
    expect(readWorldFile(wrapFile('world', content), gameLevels)).toBe('damaged');
  });

  test('never makes the reader throw, whatever its bytes, with the right checksum', () => {
    const random = new Random(5);
    let refused = 0;
    for (let i = 0; i < 3000; i++) {
      const world = readWorldFile(
        changed((content) => {
          for (let n = random.below(3); n >= 0; n--)
            content[random.below(content.length)] = random.below(256);
        }),
        gameLevels,
      );
      if (typeof world === 'string') refused++;
      else expect(readWorldFile(writeWorldFile(world), gameLevels)).toEqual(world);
    }
    expect(refused).toBeGreaterThan(300);
    expect(refused).toBeLessThan(2900);
  });
});

test('two saved worlds are the same if they have the same bodies, whenever they were saved', () => {
  const world = anyWorld(4, 5);
  expect(isSameWorld(world, { ...anyWorld(4, 5), savedAt: 1 })).toBe(true);
  expect(isSameWorld(world, { ...world, level: { ...world.level, seed: world.level.seed ^ 1 } })).toBe(false);
  for (const field of ['existence', 'resting', 'state'] as const) {
    const other = anyWorld(4, 5);
    other[field][3] ^= 1;
    expect(isSameWorld(world, other), field).toBe(false);
  }
  const withWords = (...words: number[]): SavedWorld => ({
    ...world,
    shared: { schema: 'x', entries: [{ entry: 3, words: Int32Array.from(words) }] },
  });
  expect(isSameWorld(withWords(1, 2), withWords(1, 2))).toBe(true);
  expect(isSameWorld(withWords(1, 2), withWords(1, 3))).toBe(false);
  expect(isSameWorld(withWords(1, 2), withWords(1, 2, 3))).toBe(false);
  expect(isSameWorld(withWords(1, 2, 3), withWords(1, 2))).toBe(false);
});

describe('[S8.2] a saved world with other bodies than at the start', () => {
  const [OWN, FREE] = [0, 5];
  const ABSENT = gone(AS_AT_START, 'despawned');

  /** A level of one body, where each player may spawn one of the first two templates. */
  function spawningLevel(): Level {
    const templates = [0.1, 0.2, 0.3].map((radius): Template => ({
      ...STANDARD_MATERIAL,
      shape: { kind: 'ball', radius },
    }));
    const start = { position: vector(0, 1, 0), rotation: quaternion() };
    const level = flatLevel('spawning', [{ template: templates[0], start }]);
    return {
      ...level,
      templates,
      spawning: { slots: MAX_ROOM_PLAYERS, perPlayer: 1, perSecond: 1, templates: templates.slice(0, 2) },
    };
  }

  /** Writes and reads a world of the start, but for one id. */
  function read(id: number, exists: number, hasBody: boolean): unknown {
    const level = spawningLevel();
    const count = capacityOf(level);
    const existence = new Uint16Array(count);
    const resting = new Uint8Array(count).fill(1);
    const state = new Int32Array(count * STRIDE);
    existence[id] = exists;
    const one = Float32Array.from([0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    for (const body of [OWN, FREE])
      if (body === id ? hasBody : body === OWN) quantiseMotion(one, 0, state.subarray(body * STRIDE));
    const reference = referTo({ id: level.id, seed: 1 }, level);
    const world = { level: reference, savedAt: 1, existence, resting, state };
    return readWorldFile(writeWorldFile(world), () => level);
  }

  test('has bodies of the templates for spawning, under the ids for spawning alone', () => {
    for (const template of [0, 1]) {
      expect(read(FREE, existing(3, template), true)).toBeTypeOf('object');
      expect(read(OWN, existing(1, template), true)).toBe('damaged');
    }
    expect(read(FREE, existing(3, 2), true)).toBe('damaged');
  });

  test('has a body in the middle of the world that is half turned about x, whose numbers are all 0', () => {
    const level = spawningLevel();
    const count = capacityOf(level);
    const existence = new Uint16Array(count);
    const resting = new Uint8Array(count).fill(1);
    const state = new Int32Array(count * STRIDE);
    const reference = referTo({ id: level.id, seed: 1 }, level);
    const world = { level: reference, savedAt: 1, existence, resting, state };
    expect(readWorldFile(writeWorldFile(world), () => level)).toEqual(world);
    quantiseMotion(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 0, state);
    expect(state.every((number) => number === 0)).toBe(true);
  });

  test('lacks bodies that are gone, and those that were never spawned', () => {
    expect(read(OWN, AS_AT_START, true)).toBeTypeOf('object');
    for (const [id, exists] of [
      [OWN, ABSENT],
      [FREE, ABSENT],
      [FREE, AS_AT_START],
    ]) {
      expect(read(id, exists, false)).toBeTypeOf('object');
      expect(read(id, exists, true)).toBe('damaged');
    }
  });
});

test('[J2.6] a file in which a jointed body is despawned is refused; one of the same level without it is not', () => {
  const level = createLevel({ id: 'workshop', seed: 1 });
  const count = capacityOf(level);
  const loose = level.bodies.length - 1;
  const reference = chooseLevel({ id: 'workshop', seed: 1 });
  const without = (body: number): SavedWorld => {
    const simulation = { existence: new Uint16Array(count), resting: new Uint8Array(count).fill(1) };
    simulation.existence[body] = gone(AS_AT_START, 'despawned');
    const state = new Int32Array(count * STRIDE);
    level.bodies.forEach(({ start: { position: p, rotation: r } }, id) => {
      const motion = Float32Array.from([p.x, p.y, p.z, r.x, r.y, r.z, r.w, 0, 0, 0, 0, 0, 0]);
      const one = state.subarray(id * STRIDE, (id + 1) * STRIDE);
      one[STATE.largest] = -1;
      if (id !== body) quantiseMotion(motion, 0, one);
      else one.fill(0);
    });
    return { level: reference, savedAt: 1, ...simulation, state, time: 64 };
  };
  expect(readWorldFile(writeWorldFile(without(loose)), gameLevels)).toEqual(without(loose));
  expect(readWorldFile(writeWorldFile(without(2)), gameLevels)).toBe('damaged');
});
