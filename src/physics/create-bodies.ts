import { SOLVER_SUBSTEPS } from '../core/base/constants.ts';
import type { ReadonlyPose } from '../core/base/math.ts';
import { madeIn } from '../core/world/joints/making.ts';
import type { Level, StaticBody, Template } from '../core/world/level.ts';
import { isThin, shareMass } from './collider-measures.ts';
import type { Collider, Engine, RigidBody, World } from './engine-types.ts';
import { isOld } from './motion-reader.ts';
import { collidersOf, staticColliderOf } from './shapes.ts';

/** The greatest speed of the push of a held body, in metres a second: the fastest throw. */
export const MAX_PUSH = 20;

/**
 * Iterations of the solver in each substep, with joints. With 1, machines came apart by 26 mm (p99), with 4 by 8, with 8
 * by 5.8, with 12 by 4.5. A step with 12 takes a fifth longer than with 8.
 */
const JOINT_ITERATIONS = 12;

/**
 * A world with a level's gravity, and nothing in it.
 * @throws RangeError if the level has joints, or lets players make some, and the engine is 0.19.
 */
export function emptyWorld(engine: Engine, level: Level): World {
  const world = new engine.World({ x: 0, y: -level.gravity, z: 0 });
  if (level.joints.length + madeIn(level) > 0 && isOld(world.bodies.raw)) {
    world.free();
    throw new RangeError('Joints need Rapier 0.20 or newer.');
  }
  world.timestep = 1 / level.rate;
  world.numSolverIterations = SOLVER_SUBSTEPS;
  if (level.joints.length + madeIn(level) > 0) world.numInternalPgsIterations = JOINT_ITERATIONS;
  return world;
}

/** Puts something that never moves into a world. */
export function createStatic(
  engine: Engine,
  world: World,
  { shape, pose: { position, rotation }, friction, restitution }: StaticBody,
): Collider {
  return world.createCollider(
    staticColliderOf(engine, shape)
      .setTranslation(position.x, position.y, position.z)
      .setRotation(rotation)
      .setFriction(friction)
      .setRestitution(restitution),
  );
}

/**
 * Puts a body of a template into a world.
 * @param making `canSleep`: true if the engine may put it to sleep; `rate`: ticks a second.
 */
export function createBody(
  engine: Engine,
  world: World,
  template: Template,
  { position, rotation }: ReadonlyPose,
  { canSleep, rate }: { readonly canSleep: boolean; readonly rate: number },
): { readonly body: RigidBody; readonly colliders: readonly Collider[] } {
  const body = world.createRigidBody(
    engine.RigidBodyDesc.dynamic()
      .setTranslation(position.x, position.y, position.z)
      .setRotation(rotation)
      .setLinearDamping(template.linearDamping)
      .setAngularDamping(template.angularDamping)
      .setCanSleep(canSleep)
      .setSoftCcdPrediction(isThin(template.shape) ? MAX_PUSH * (1 / rate) : 0),
  );
  const colliders = collidersOf(engine, template.shape).map((part) =>
    world.createCollider(
      part.setMass(template.mass).setFriction(template.friction).setRestitution(template.restitution),
      body,
    ),
  );
  if (colliders.length > 1) shareMass(colliders, template.mass);
  return { body, colliders };
}
