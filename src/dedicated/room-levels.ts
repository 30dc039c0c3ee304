import { TICK_RATE } from '../core/base/constants.ts';
import type { LevelSource } from '../core/world/level-reference.ts';

/** Bodies of a level with as many as its player likes: more cost other rooms their time. */
export const MOST_BODIES = 512;

/**
 * [N1.5] The levels of a game that a server room may have, whoever is its host: null for a larger one, and for one with
 * another rate than the rooms of one process have.
 */
export function roomLevels(levels: LevelSource): LevelSource {
  return (recipe) => {
    const level = (recipe.count ?? 0) > MOST_BODIES ? null : levels(recipe);
    return level?.rate === TICK_RATE ? level : null;
  };
}
