import RAPIER from '@dimforge/rapier3d-compat';
import { toBody } from 'handover';

await RAPIER.init();

/**
 * Balls roll down a ramp onto a lift, which rises after eight seconds. A lamp swings beside it.
 * @param draw is called with the number and the place of each ball, after each tick.
 */
export async function createGame(draw, join) {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  const { cuboid, ball } = RAPIER.ColliderDesc;
  world.createCollider(cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0));
  const slope = { x: 0, y: 0, z: Math.sin(-0.15), w: Math.cos(-0.15) };
  world.createCollider(cuboid(3, 0.1, 2).setTranslation(-3, 1, 0).setRotation(slope));

  const balls = [-1, 0, 1].map((z) => {
    const description = RAPIER.RigidBodyDesc.dynamic().setTranslation(-5, 2.2, z);
    const body = world.createRigidBody(description.setLinearDamping(0.3).setAngularDamping(0.6));
    world.createCollider(ball(0.3), body);
    return body;
  });

  const lamp = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(1, 3, -3));
  world.createCollider(ball(0.2), lamp);
  const ceiling = world.createRigidBody(RAPIER.RigidBodyDesc.fixed().setTranslation(0, 4, -3));
  const hook = RAPIER.JointData.spherical({ x: 0, y: 0, z: 0 }, { x: -1, y: 1, z: 0 });
  world.createImpulseJoint(hook, ceiling, lamp, true);

  const lift = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased());
  world.createCollider(cuboid(4, 0.1, 2), lift);

  const room = await join({ engine: RAPIER, world, bodies: balls });

  let ticks = 0;
  return {
    room,
    /** Kicks a ball upwards and to the left. */
    kick(i) {
      room.peer.act({ kind: 'impulse', body: toBody(i), push: { x: -0.3, y: 0.5, z: 0 }, at: null });
    },

    /** To be called sixty times a second. */
    tick() {
      ticks++;
      const rise = Math.min(Math.max(ticks / 60 - 8, 0), Math.PI);
      lift.setNextKinematicTranslation({ x: 3, y: 0.1 - 0.2 * Math.cos(rise), z: 0 });
      room.tick();
      balls.forEach((each, i) => draw(i, each.translation()));
    },
  };
}
