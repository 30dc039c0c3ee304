import type { Quaternion } from '../base/math.ts';
import { fromAxisAngle, normalize, quaternion, vector } from '../base/math.ts';
import { MAX_BODIES } from '../base/constants.ts';
import { Random } from '../base/random.ts';
import type { Level, LevelBody, Template } from './level.ts';
import { flatLevel, STANDARD_MATERIAL } from './level.ts';

/** The scenes that can be made. */
export const SCENE_NAMES = ['pile', 'tower', 'wall', 'pyramid', 'grid'] as const;
export type SceneName = (typeof SCENE_NAMES)[number];

/** The scene to make. `count`, the number of bodies, is for `grid` alone; 256 if not given. */
export type SceneChoice = { readonly name: SceneName; readonly seed: number; readonly count?: number };

/** Metres along a cube's edge. */
export const CUBE_SIZE = 0.5;
const HALF = CUBE_SIZE / 2;
/** A cube of Fiedler's sample project. */
const CUBE: Template = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'box', halfExtents: [HALF, HALF, HALF] },
};

/** True if there is a scene of this name. */
export function isSceneName(name: string): name is SceneName {
  return (SCENE_NAMES as readonly string[]).includes(name);
}

/**
 * Builds a scene; the same choice gives the same scene everywhere.
 * @throws RangeError if `count` is not a whole number from 1 to MAX_BODIES.
 */
export function createScene(choice: SceneChoice): Level {
  const random = new Random(choice.seed);
  return flatLevel(choice.name, BUILDERS[choice.name](random, choice.count ?? 256));
}

/** True if two choices give the same scene. */
export function isSameScene(a: SceneChoice, b: SceneChoice): boolean {
  return a.name === b.name && a.seed === b.seed && a.count === b.count;
}

const BUILDERS: Record<SceneName, (random: Random, count: number) => LevelBody[]> = {
  /** 64 cubes that fall from 11 to 24 m in a column: 16 layers of four, at random rotations, none touching. */
  pile: (random) =>
    Array.from({ length: 64 }, (_, i) => {
      const x = (i % 2) * 0.92 - 0.46 + random.between(-0.02, 0.02);
      const z = ((i >> 1) % 2) * 0.92 - 0.46 + random.between(-0.02, 0.02);
      return cube(x, 11 + (13 * (i >> 2)) / 15, z, anyRotation(random));
    }),

  /** 20 cubes on top of each other. */
  tower: () => Array.from({ length: 20 }, (_, i) => cube(0, HALF + i * CUBE_SIZE, 0)),

  /** 8 courses of 8 cubes, every second course shifted by a quarter of a cube: half a cube would tip over. */
  wall: () =>
    Array.from({ length: 64 }, (_, i) => {
      const course = Math.floor(i / 8);
      return cube(
        (i % 8) * CUBE_SIZE * 1.02 - 1.75 + (course % 2) * (HALF / 2),
        HALF + course * CUBE_SIZE,
        0,
      );
    }),

  /** 8 courses of 8, 7, … 1 cubes. */
  pyramid: () => {
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
  grid: (random, count) => {
    if (!Number.isInteger(count) || count < 1 || count > MAX_BODIES) {
      throw new RangeError(`A grid has 1 to ${MAX_BODIES} cubes, not ${count}.`);
    }
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
