import type { Quaternion } from '../../core/base/math.ts';
import { fromAxisAngle, quaternion, vector } from '../../core/base/math.ts';
import { Random } from '../../core/base/random.ts';
import type { LevelBody, Level } from '../../core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../core/world/level.ts';
import { CUBE_SIZE } from '../../levels/arrangements.ts';
import type { Hand } from './hand.ts';
import { handAt } from './hand.ts';

export const LAB_SCENES = ['plane', 'pile', 'tower', 'push'] as const;
export type LabSceneName = (typeof LAB_SCENES)[number];

/** A few words for each scene. */
export const SCENE_TITLES: Readonly<Record<LabSceneName, string>> = {
  plane: 'cubes on a plane',
  pile: 'a pile',
  tower: 'a tower that is knocked over',
  push: 'two players at one cube',
};

/** Numbers of players in a game. Each has a cube of its own. The third is a guest like the second. */
export const PLAYER_COUNTS = [2, 3] as const;
export type PlayerCount = (typeof PLAYER_COUNTS)[number];

/** A starting arrangement. The players' own cubes come first. */
export type LabScene = {
  readonly name: LabSceneName;
  readonly level: Level;
  /** The first place of each player's hand, with its cube in it. */
  readonly homes: readonly Hand[];
};

/** True for a name of one of the lab's scenes. */
export function isLabScene(name: string): name is LabSceneName {
  return (LAB_SCENES as readonly string[]).includes(name);
}

/** Metres along an edge, and kilograms. A player's cube is a little larger than others, and twice as heavy. */
const OWN_SIZE = 0.6;
const OWN_MASS = 2;
/** Metres above the floor at which a resting hand holds its cube, so that it does not touch. */
const HOME_HEIGHT = 0.34;
/** Metres from the middle at which players start. */
const HOME_DISTANCE: Readonly<Record<LabSceneName, number>> = { plane: 3.4, pile: 3.6, tower: 3, push: 2.6 };

/** Builds a scene. The same seed gives the same scene everywhere. */
export function createLabScene(name: LabSceneName, seed: number, players: PlayerCount = 2): LabScene {
  const away = HOME_DISTANCE[name];
  const places = [
    vector(-away, HOME_HEIGHT, 0.4),
    vector(away, HOME_HEIGHT, -0.4),
    vector(0.4, HOME_HEIGHT, away),
  ].slice(0, players);
  const homes = places.map(handAt);
  const own = places.map((place) => cube(place.x, place.y, place.z, OWN_SIZE, OWN_MASS));
  const level = flatLevel(name, [...own, ...BUILDERS[name](new Random(seed))]);
  return { name, homes, level };
}

const HALF = CUBE_SIZE / 2;

const BUILDERS: Readonly<Record<LabSceneName, (random: Random) => LevelBody[]>> = {
  /** Twelve cubes that lie about. */
  plane: (random) =>
    Array.from({ length: 12 }, (_, i) => {
      const x = ((i % 4) - 1.5) * 1.1 + random.between(-0.25, 0.25);
      const z = (Math.floor(i / 4) - 1) * 1.3 + random.between(-0.25, 0.25);
      return cube(x, HALF, z, CUBE_SIZE, 1, random.between(0, Math.PI));
    }),

  /** 28 cubes that fall into a heap. */
  pile: (random) =>
    Array.from({ length: 28 }, (_, i) => {
      const x = (i % 2) * 0.8 - 0.4 + random.between(-0.25, 0.25);
      return cube(
        x,
        0.5 + (i >> 1) * 0.72,
        random.between(-0.5, 0.5),
        CUBE_SIZE,
        1,
        random.between(0, Math.PI),
      );
    }),

  /** Twelve cubes on top of each other, in two columns. */
  tower: () =>
    Array.from({ length: 12 }, (_, i) => cube((i % 2) * 0.51 - 0.255, HALF + (i >> 1) * CUBE_SIZE, 0)),

  /** One large cube between the two. */
  push: () => [cube(0, 0.5, 0, 1, 3)],
};

function cube(x: number, y: number, z: number, size = CUBE_SIZE, mass = 1, yaw = 0): LevelBody {
  const half = size / 2;
  const rotation: Quaternion = fromAxisAngle(UP, yaw, quaternion());
  return {
    template: { ...STANDARD_MATERIAL, mass, shape: { kind: 'box', halfExtents: [half, half, half] } },
    start: { position: vector(x, y, z), rotation },
  };
}

const UP = vector(0, 1, 0);
