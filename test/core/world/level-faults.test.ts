import { describe, expect, test } from 'vitest';
import { MAX_BODIES, MAX_ROOM_PLAYERS } from '../../../src/core/base/constants.ts';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import type { Level, StaticBody, Template } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { faultsOfLevel } from '../../../src/core/world/level-faults.ts';
import { openLevel, referTo } from '../../../src/core/world/level-reference.ts';
import type { ConvexShape, Point, Shape, StaticShape } from '../../../src/core/world/shape.ts';
import { createLevel, LEVEL_IDS } from '../../../src/levels/levels.ts';

const BALL: Template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.3 } };

function levelOf(template: Template = BALL, x = 0): Level {
  return flatLevel('a level', [{ template, start: { position: vector(x, 1, 0), rotation: quaternion() } }]);
}

function shaped(shape: Shape): Level {
  return levelOf({ ...BALL, shape });
}

function withStatic(shape: StaticShape): Level {
  const fixed: StaticBody = {
    shape,
    pose: { position: vector(), rotation: quaternion() },
    friction: 1,
    restitution: 0,
  };
  return { ...levelOf(), statics: [fixed] };
}

/** A box of this size as a hull. */
function hullOf(x: number, y: number, z: number): ConvexShape {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i): Point => [(i & 1) * x, ((i >> 1) & 1) * y, (i >> 2) * z]);
  return { kind: 'hull', points: corners };
}

describe('[B1.4] a level without a fault', () => {
  test.each(LEVEL_IDS)('is %s', (id) => {
    expect(faultsOfLevel(createLevel({ id, seed: 1 }))).toEqual([]);
  });

  test('may reach up to 1.5 m less than positions do', () => {
    const bounds = { across: 1022.5, low: -1022.5, high: 1022.5 };
    expect(faultsOfLevel({ ...levelOf(), bounds })).toEqual([]);
  });

  test('can be opened; one with a fault can not', () => {
    const level = levelOf();
    const full = {
      ...level,
      spawning: {
        slots: MAX_ROOM_PLAYERS,
        perPlayer: MAX_BODIES / MAX_ROOM_PLAYERS,
        perSecond: 1,
        templates: [],
      },
    };
    for (const made of [level, full]) {
      const reference = referTo({ id: level.id, seed: 1 }, made);
      expect(openLevel(reference, () => made)).toBe(made === level ? level : null);
    }
  });

  test('may have every shape', () => {
    const pose = { position: vector(0.5, 0, 0), rotation: quaternion() };
    for (const shape of [
      { kind: 'box', halfExtents: [0.01, 10, 1] },
      { kind: 'capsule', radius: 0.1, halfHeight: 1 },
      { kind: 'cylinder', radius: 0.1, halfHeight: 1 },
      { kind: 'cone', radius: 0.1, halfHeight: 1 },
      {
        kind: 'hull',
        points: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      hullOf(0.02, 0.02, 0.02),
      hullOf(10, 0.03, 10),
      hullOf(10, 0.05, 0.05),
      { kind: 'compound', parts: [{ shape: { kind: 'ball', radius: 1 }, pose }] },
    ] as const satisfies readonly Shape[])
      expect(faultsOfLevel(shaped(shape))).toEqual([]);
    expect(
      faultsOfLevel(
        withStatic({ kind: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], triangles: [0, 2, 1] }),
      ),
    ).toEqual([]);
    const field = {
      kind: 'height field',
      columns: 1,
      rows: 2,
      heights: [0, 1, 2, 3, 4, 5],
      size: [9, 9],
    } as const;
    expect(faultsOfLevel(withStatic(field))).toEqual([]);
  });
});

describe('[B1.4] [B2.1] a sentence says', () => {
  const flat = levelOf();
  test.each<[string, Level, RegExp]>([
    ['that an id is missing', { ...flat, id: '' }, /^The id of a level has 1 to 64/],
    ['that it is too slow', { ...flat, rate: 29 }, /^The rate is 29; it must be 30 to 120\./],
    ['that it is too fast', { ...flat, rate: 121 }, /^The rate is 121; it must be 30 to 120\./],
    [
      'which template for spawning is none of the level’s',
      { ...flat, spawning: { perPlayer: 1, slots: 1, perSecond: 1, templates: [BALL, { ...BALL }] } },
      /^Template 1 of `spawning` is not one of the level’s\. Add this object to `templates`, too\.$/,
    ],
    ['that its rate is broken', { ...flat, rate: 60.5 }, /^The rate is a whole number of ticks a second\./],
    ['that gravity is none', { ...flat, gravity: NaN }, /^The gravity is NaN; it must be 0 to 100\./],
    [
      'that the world is too wide',
      { ...flat, bounds: { ...flat.bounds, across: 2000 } },
      /^The bound across is 2000/,
    ],
    [
      'that the world reaches as far as positions do',
      { ...flat, bounds: { ...flat.bounds, across: 1022.6 } },
      /^The bound across is 1022\.6/,
    ],
    [
      'that the world is too high',
      { ...flat, bounds: { ...flat.bounds, high: 1022.6 } },
      /^The upper bound is 1022\.6/,
    ],
    [
      'that the world is too deep',
      { ...flat, bounds: { ...flat.bounds, low: -1022.6 } },
      /^The lower bound is -1022\.6/,
    ],
    [
      'that the world has no height',
      { ...flat, bounds: { across: 9, low: 3, high: 3 } },
      /^The upper bound is 3/,
    ],
    ['that there is no body', { ...flat, bodies: [] }, /^A level begins with at least one body\.$/],
    [
      'that there are too many',
      { ...flat, bodies: Array(MAX_BODIES + 1).fill(flat.bodies[0]) as never },
      /^A level has at most 4096 bodies, .*; this one has 4097\.$/,
    ],
    ['that a template is not its own', { ...flat, templates: [] }, /^Body 0: Its template is not/],
    ['that a body begins outside', levelOf(BALL, 63.5), /^Body 0: It begins outside/],
    ['that a body is nowhere', levelOf(BALL, NaN), /^Body 0: Its place is not within/],
    ['that a mass is none', levelOf({ ...BALL, mass: 0 }), /^Template 0: Its mass is 0/],
    [
      'that a bounce gains speed',
      levelOf({ ...BALL, restitution: 1.1 }),
      /^Template 0: Its restitution is 1\.1/,
    ],
    [
      'that damping is negative',
      levelOf({ ...BALL, linearDamping: -1 }),
      /^Template 0: Its linear damping is -1/,
    ],
    [
      'that rolling friction is negative',
      levelOf({ ...BALL, rollingFriction: -0.1 }),
      /^Template 0: Its rolling friction is -0\.1/,
    ],
    [
      'that a ball is too small',
      shaped({ kind: 'ball', radius: 0.009 }),
      /^Template 0: The radius is 0\.009/,
    ],
    [
      'that a box is too long',
      shaped({ kind: 'box', halfExtents: [1, 1, 11] }),
      /^Template 0: Half of an edge is 11/,
    ],
    [
      'that a hull has too few points',
      shaped({ kind: 'hull', points: [[0, 0, 0]] }),
      /^Template 0: A hull has 4 to/,
    ],
    ['that a hull is flat', shaped(hullOf(1, 0, 1)), /^Template 0: A hull is flat/],
    [
      'that a hull is too small',
      shaped(hullOf(1e-4, 1e-4, 1e-4)),
      /^Template 0: A hull is flat, or too thin/,
    ],
    ['that a static hull is flat', withStatic(hullOf(1, 0, 1)), /^Static body 0: A hull is flat/],
    ['that a compound is empty', shaped({ kind: 'compound', parts: [] }), /^Template 0: A compound has 1 to/],
    [
      'that a mesh is torn',
      withStatic({ kind: 'mesh', vertices: [0, 0, 0], triangles: [0, 1, 2] }),
      /^Static body 0: A triangle names/,
    ],
    [
      'that a mesh is empty',
      withStatic({ kind: 'mesh', vertices: [], triangles: [] }),
      /^Static body 0: A mesh has three/,
    ],
    [
      'that heights are missing',
      withStatic({ kind: 'height field', columns: 2, rows: 2, heights: [0], size: [1, 1] }),
      /^Static body 0: A height field has one/,
    ],
  ])('%s', (_, level, sentence) => {
    const faults = faultsOfLevel(level);
    expect(faults[0]).toMatch(sentence);
  });
});
