import { gameLevels } from '../../../levels/levels.ts';
import { createRapierSimulation } from '../../../physics/rapier-simulation.ts';
import type { Game } from '../../../session/world.ts';

/** The game of our own pages. Its engine must have been loaded. */
export const GAME: Game = { levels: gameLevels, simulate: createRapierSimulation };
