import type RAPIER from '@dimforge/rapier3d-compat';
import type { Level, Template } from '../../src/core/world/level.ts';
import { isThin } from '../../src/physics/collider-measures.ts';
import { collidersOf, staticColliderOf } from '../../src/physics/shapes.ts';

/** Metres a tick: the fastest throw. */
const FASTEST = 20 / 60;

/** A world and its bodies, made with the engine's own calls alone, as another project makes them. */
export function strangersWorld(
  engine: typeof RAPIER,
  level: Level,
): { world: RAPIER.World; bodies: RAPIER.RigidBody[] } {
  const world = new engine.World({ x: 0, y: -level.gravity, z: 0 });
  for (const { shape, pose, friction, restitution } of level.statics) {
    const { x, y, z } = pose.position;
    const fixed = world.createRigidBody(
      engine.RigidBodyDesc.fixed().setTranslation(x, y, z).setRotation(pose.rotation),
    );
    const description = staticColliderOf(engine, shape).setFriction(friction).setRestitution(restitution);
    world.createCollider(description as RAPIER.ColliderDesc, fixed);
  }
  const bodies = level.bodies.map(({ template, start: { position, rotation } }) => {
    const body = world.createRigidBody(
      engine.RigidBodyDesc.dynamic()
        .setTranslation(position.x, position.y, position.z)
        .setRotation(rotation)
        .setLinearDamping(template.linearDamping)
        .setAngularDamping(template.angularDamping)
        .setSoftCcdPrediction(isThin(template.shape) ? FASTEST : 0),
    );
    addColliders(engine, world, body, template);
    return body;
  });
  return { world, bodies };
}

function addColliders(
  engine: typeof RAPIER,
  world: RAPIER.World,
  body: RAPIER.RigidBody,
  template: Template,
): void {
  const descriptions = collidersOf(engine, template.shape).map((part) =>
    part.setFriction(template.friction).setRestitution(template.restitution),
  );
  const colliders = descriptions.map((part) => world.createCollider(part as RAPIER.ColliderDesc, body));
  const volume = colliders.reduce((sum, each) => sum + each.volume(), 0);
  for (const each of colliders) each.setMass((template.mass * each.volume()) / volume);
}
