import type { Quaternion } from '../core/base/math.ts';
import { fromAxisAngle, normalize, quaternion, vector } from '../core/base/math.ts';
import type { Random } from '../core/base/random.ts';
import type { LevelBody, Template } from '../core/world/level.ts';
import { STANDARD_MATERIAL } from '../core/world/level.ts';

/** Metres along a cube's edge. */
export const CUBE_SIZE = 0.5;
const HALF = CUBE_SIZE / 2;
/** A cube of Fiedler's sample project. */
const CUBE: Template = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'box', halfExtents: [HALF, HALF, HALF] },
};

/** The starts of the bodies of each level of cubes; `count` is for `grid` alone. */
export const ARRANGEMENTS = {
  /** 64 cubes that fall from 11 to 24 m in a column: 16 layers of four, at random rotations, none touching. */
  pile: (random: Random): LevelBody[] =>
    Array.from({ length: 64 }, (_, i) => {
      const x = (i % 2) * 0.92 - 0.46 + random.between(-0.02, 0.02);
      const z = ((i >> 1) % 2) * 0.92 - 0.46 + random.between(-0.02, 0.02);
      return cube(x, 11 + (13 * (i >> 2)) / 15, z, anyRotation(random));
    }),

  /** 20 cubes on top of each other. */
  tower: (): LevelBody[] => Array.from({ length: 20 }, (_, i) => cube(0, HALF + i * CUBE_SIZE, 0)),

  /** 8 courses of 8 cubes, every second course shifted by a quarter of a cube: half a cube would tip over. */
  wall: (): LevelBody[] =>
    Array.from({ length: 64 }, (_, i) => {
      const course = Math.floor(i / 8);
      return cube(
        (i % 8) * CUBE_SIZE * 1.02 - 1.75 + (course % 2) * (HALF / 2),
        HALF + course * CUBE_SIZE,
        0,
      );
    }),

  /** 8 courses of 8, 7, … 1 cubes. */
  pyramid: (): LevelBody[] => {
    const bodies: LevelBody[] = [];
    for (let course = 0; course < 8; course++) {
      const width = 8 - course;
      for (let i = 0; i < width; i++) {
        bodies.push(cube((i - (width - 1) / 2) * CUBE_SIZE * 1.1, HALF + course * CUBE_SIZE, 0));
      }
    }
    return bodies;
  },

  /** Any number of cubes, in columns of four that stand apart and drop a little. */
  grid: (random: Random, count: number): LevelBody[] => {
    const side = Math.ceil(Math.sqrt(count / 4));
    return Array.from({ length: count }, (_, i) => {
      const column = Math.floor(i / 4);
      const x = ((column % side) - (side - 1) / 2) * 1.2 + random.between(-0.1, 0.1);
      const z = (Math.floor(column / side) - (side - 1) / 2) * 1.2 + random.between(-0.1, 0.1);
      return cube(x, 0.5 + (i % 4) * 0.8, z);
    });
  },
};

function cube(x: number, y: number, z: number, rotation: Quaternion = quaternion()): LevelBody {
  return { template: CUBE, start: { position: vector(x, y, z), rotation } };
}

function anyRotation(random: Random): Quaternion {
  const axis = normalize(
    quaternion(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 0),
    quaternion(),
  );
  return fromAxisAngle(axis, random.between(0, Math.PI), quaternion());
}
