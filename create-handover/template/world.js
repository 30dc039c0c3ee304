import RAPIER from '@dimforge/rapier3d-compat';

await RAPIER.init();

/** Metres. */
export const RADIUS = 0.4;
const PLACES = [-2, -1, 0, 1, 2];

/** A world of balls on a floor between walls. Every page makes it in the same way. */
export function createWorld() {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  const wall = (x, z, halfX, halfZ) =>
    world.createCollider(RAPIER.ColliderDesc.cuboid(halfX, 2, halfZ).setTranslation(x, 2, z));
  world.createCollider(RAPIER.ColliderDesc.cuboid(10, 0.5, 10).setTranslation(0, -0.5, 0));
  for (const side of [-6, 6]) {
    wall(side, 0, 0.1, 6);
    wall(0, side, 6, 0.1);
  }
  const balls = PLACES.map((x) => {
    const ball = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(x, RADIUS, 0)
        .setLinearDamping(0.3)
        .setAngularDamping(0.6),
    );
    world.createCollider(RAPIER.ColliderDesc.ball(RADIUS).setRestitution(0.6), ball);
    return ball;
  });
  return { engine: RAPIER, world, bodies: balls };
}
