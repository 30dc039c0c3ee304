/** Rapier behind `Simulation`: a world of its own for a level, or a project's own world and bodies. */
export type {
  Collider,
  ColliderShape,
  ContactForceEvent,
  Engine,
  PhysicsHooks,
  RigidBody,
  World,
} from './engine-types.ts';
export { createSimulation } from './rapier-simulation.ts';
export type { Adopted, AdoptOptions } from './lent/adopt.ts';
export { adopt } from './lent/adopt.ts';
