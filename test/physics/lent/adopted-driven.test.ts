import type RAPIER from '@dimforge/rapier3d-compat';
import { expect, it } from 'vitest';
import { shareWorld } from '../../../src/physics/lent/adopt.ts';
import { plate, shuttle } from '../../support/driven-levels.ts';

it('[K1.1] a world that is shared again has one lift, at its start', async () => {
  const loaded = (await import('rapier-0.21')).default;
  await loaded.init();
  // The classes of two versions are never equal to TypeScript.
  const engine = loaded as unknown as typeof RAPIER;
  const world = new engine.World({ x: 0, y: -9.81, z: 0 });
  const box = world.createRigidBody(engine.RigidBodyDesc.dynamic().setTranslation(0, 0.45, 0));
  world.createCollider(engine.ColliderDesc.cuboid(0.25, 0.25, 0.25), box);
  const driven = [plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 1.1, 0], 2, 5))];
  const shared = shareWorld(engine, world, [box], { driven });
  for (let time = 0; time < 2; time++) {
    const simulation = shared.simulate();
    for (let i = 0; i < 60; i++) simulation.step();
    expect(world.bodies.len()).toBe(2);
    expect(box.translation().y).toBeCloseTo(0.45, 1);
    simulation.dispose();
    expect(world.bodies.len()).toBe(1);
  }
  world.free();
});
