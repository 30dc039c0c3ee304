import { MAX_BODIES } from '../core/base/constants.ts';
import { Random } from '../core/base/random.ts';
import type { Level } from '../core/world/level.ts';
import { flatLevel } from '../core/world/level.ts';
import type { LevelRecipe, LevelReference, LevelSource } from '../core/world/level-reference.ts';
import { referTo } from '../core/world/level-reference.ts';
import { ARRANGEMENTS } from './arrangements.ts';
import { giants } from './giants.ts';
import { playground, SPAWNABLE } from './playground.ts';
import { workshop } from './workshop.ts';

/** The levels of the game, in the order of its menus, which call them scenes. */
export const LEVEL_IDS = [
  'pile',
  'tower',
  'wall',
  'pyramid',
  'grid',
  'playground',
  'giants',
  'workshop',
] as const;
export type LevelId = (typeof LEVEL_IDS)[number];

/** The levels of cubes of half a metre, which the bots know. */
export const CUBE_LEVEL_IDS = [
  'pile',
  'tower',
  'wall',
  'pyramid',
  'grid',
] as const satisfies readonly LevelId[];

/** True if the game has a level of this id. */
export function isLevelId(id: string): id is LevelId {
  return (LEVEL_IDS as readonly string[]).includes(id);
}

/** The levels of the game as a source. `count` is for `grid` alone: 1 to MAX_BODIES; 256 if not given. */
export const gameLevels: LevelSource = ({ id, seed, count = 256 }) => {
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_BODIES;
  if (!isLevelId(id) || !isCount) return null;
  if (id === 'playground') return playground();
  if (id === 'workshop') return workshop();
  return id === 'giants' ? giants() : flatLevel(id, ARRANGEMENTS[id](new Random(seed), count));
};

/** The names of what players may spawn in a level of the game, in the order of its templates for spawning. */
export function spawnNamesOf({ spawning }: Level): readonly string[] {
  return spawning.templates.map((template) => SPAWNABLE.find(([, each]) => each === template)?.[0] ?? 'Body');
}

/**
 * Makes a level of the game; the same recipe gives the same level everywhere.
 * @throws RangeError if there is none by this recipe.
 */
export function createLevel(recipe: LevelRecipe): Level {
  const level = gameLevels(recipe);
  if (level === null)
    throw new RangeError(`There is no level "${recipe.id}" of ${recipe.count ?? 256} bodies.`);
  return level;
}

/**
 * The reference to a level of the game.
 * @throws RangeError as createLevel does.
 */
export function chooseLevel(recipe: LevelRecipe): LevelReference {
  return referTo(recipe, createLevel(recipe));
}
