import { HeldBounds } from '../../src/core/hands/clamp-held.ts';
import { createScene } from '../../src/core/world/scene.ts';

/** The bounds of held bodies in a level of 64 cubes on a flat floor. */
export const CUBE_BOUNDS = new HeldBounds(createScene({ name: 'grid', seed: 1, count: 64 }));
