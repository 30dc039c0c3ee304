import { HeldBounds } from '../../src/core/hands/clamp-held.ts';
import { createLevel } from '../../src/levels/levels.ts';

/** The bounds of held bodies in a level of 64 cubes on a flat floor. */
const GRID = createLevel({ id: 'grid', seed: 1, count: 64 });
export const CUBE_BOUNDS = new HeldBounds(
  GRID,
  GRID.bodies.map(({ template }) => template),
);
