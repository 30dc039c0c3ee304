import { HeldBounds } from '../../src/core/hands/clamp-held.ts';
import { createLevel } from '../../src/levels/levels.ts';

/** The bounds of held bodies in a level of 64 cubes on a flat floor. */
export const CUBE_BOUNDS = new HeldBounds(createLevel({ id: 'grid', seed: 1, count: 64 }));
