import type { Level } from '../core/world/level.ts';
import type { Simulation } from '../core/world/simulation.ts';
import type { Engine } from './engine-types.ts';
import { createRestorableSimulation } from './rapier-simulation.ts';

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
export type { Adopted, AdoptOptions } from './lent/adopt.ts';
export { adopt } from './lent/adopt.ts';

/** True after the `init` of an engine: before it nothing of it works. */
function isReady(engine: Engine): boolean {
  try {
    return engine.version() !== '';
  } catch {
    return false;
  }
}

/**
 * A Rapier world that holds a level's bodies and what never moves there.
 * @param engine the module of a project's own build of Rapier, after its `init`: 0.19 to 0.21; for joints from 0.20 on.
 * @throws RangeError with a sentence for each fault of the level [B1.4]; Error before the `init` of the engine.
 */
export function createSimulation(engine: Engine, level: Level): Simulation {
  if (!isReady(engine)) throw new Error('This build of Rapier is not ready: wait for its `init` first.');
  return createRestorableSimulation(level, engine);
}
