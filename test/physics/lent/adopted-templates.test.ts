import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, expect, test } from 'vitest';
import { adopt } from '../../../src/physics/lent/adopt.ts';

beforeAll(() => RAPIER.init());

test('[B1.1] an adopted level has the engine’s values of a body, whatever the project’s template says', () => {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 1, 0));
  world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), body);
  const read = adopt(RAPIER, world, [body]).level.templates[0];
  const { level } = adopt(RAPIER, world, [body], {
    template: (of) => ({
      ...of,
      mass: 50,
      friction: 0,
      linearDamping: 3,
      shape: { kind: 'ball', radius: 1 },
      rollingFriction: 0.1,
    }),
  });
  expect(level.templates).toEqual([{ ...read, rollingFriction: 0.1 }]);
  world.free();
});

test.each([
  ['has sensors only', RAPIER.ColliderDesc.ball(1).setSensor(true), 'Body 0: It has sensors only.'],
  ['has no mass', RAPIER.ColliderDesc.ball(1).setDensity(0), 'Body 0: It has no mass: no collider of it has'],
])('[B1.4] a body that %s is not adopted', (_, collider, fault) => {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic());
  world.createCollider(collider, body);
  expect(() => adopt(RAPIER, world, [body])).toThrow(fault);
  world.free();
});
