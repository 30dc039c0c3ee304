/** Rapier behind `Simulation`: a world of its own for a level, or a project's own world and bodies. */
export type { Engine } from './engine-types.ts';
export { createSimulation } from './rapier-simulation.ts';
