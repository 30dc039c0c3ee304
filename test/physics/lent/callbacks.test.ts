import RAPIER from '@dimforge/rapier3d-compat';
import { expect, test } from 'vitest';
import { adopt } from '../../../src/physics/lent/adopt.ts';

test('errors of a project’s callbacks, which the engine would swallow, are reported, and the step goes on', async () => {
  await RAPIER.init();
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.timestep = 1 / 60;
  world.createCollider(RAPIER.ColliderDesc.cuboid(20, 1, 20).setTranslation(0, -1, 0));
  const bodies = [0.3, 1].map((y) => {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, y, 0));
    const shape = RAPIER.ColliderDesc.cuboid(0.25, 0.25, 0.25);
    world.createCollider(shape.setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS), body);
    return body;
  });
  const { simulation } = adopt(RAPIER, world, bodies, {
    onCollision: () => {
      throw new Error('a fault of the game');
    },
  });
  const others = process.listeners('uncaughtException');
  const thrown: string[] = [];
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => thrown.push(error.message));
  for (let i = 0; i < 120; i++) simulation.step();
  await new Promise(setImmediate);
  process.removeAllListeners('uncaughtException');
  for (const other of others) process.on('uncaughtException', other);
  expect(thrown).toContain('a fault of the game');
  expect(bodies[1].translation().y).toBeCloseTo(0.75, 2);
  // Their contact was noted all the same.
  expect([...simulation.contacts.neighbours[0]]).toEqual([1]);
});
