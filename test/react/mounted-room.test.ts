import { beforeAll, describe, expect, test } from 'vitest';
import type { RapierRigidBody } from '@react-three/rapier';
import { adopt } from '../../src/physics/lent/adopt.ts';
import type { ComeIn, PausedPhysics } from '../../src/react/mounted-room.ts';
import { MountedRoom } from '../../src/react/mounted-room.ts';
import { REACT_ENGINE } from '../support/react-engine.ts';

type Body = { current: RapierRigidBody | null };

beforeAll(() => REACT_ENGINE.init());

/** Without a page: the room reads the world as any room does, and then finds no broker. */
const comeIn: ComeIn = async (_link, { engine, world, bodies, adopt: options }) => {
  adopt(engine, world, bodies, options).simulation.dispose();
  return Promise.reject(new Error('no broker'));
};

/** A mounted room with so many shared bodies, which have no colliders yet. */
function mount(bodies: number): {
  readonly mounted: MountedRoom;
  readonly shared: Body[];
  readonly ends: (() => void)[];
  readonly errors: Error[];
  start(): void;
  addColliders(): void;
  frames(count: number): void;
} {
  const world = new REACT_ENGINE.World({ x: 0, y: -9.81, z: 0 });
  const physics: PausedPhysics = {
    rapier: REACT_ENGINE,
    world,
    rigidBodyStates: new Map(),
    beforeStepCallbacks: new Set(),
    afterStepCallbacks: new Set(),
  };
  const mounted = new MountedRoom(physics, () => undefined, comeIn);
  const shared = Array.from({ length: bodies }, (_, i): Body => {
    const at = REACT_ENGINE.RigidBodyDesc.dynamic().setTranslation(i * 2, 1, 0);
    return { current: world.createRigidBody(at) };
  });
  const ends = shared.map((body) => mounted.share(body));
  const errors: Error[] = [];
  const start = (): void =>
    mounted.start({
      settings: () => ({}),
      onChange: () => undefined,
      onError: (error) => errors.push(error),
    });
  start();
  return {
    mounted,
    shared,
    ends,
    errors,
    start,
    addColliders: () => {
      for (const { current } of shared)
        if (current !== null) world.createCollider(REACT_ENGINE.ColliderDesc.ball(0.5), current);
    },
    frames: (count) => {
      for (let i = 0; i < count; i++) mounted.frame(null);
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

describe('a room that is mounted', () => {
  test('opens once the bodies have colliders, and nothing more is added', async () => {
    const { frames, addColliders, errors } = mount(2);
    frames(100);
    addColliders();
    frames(9);
    await settled();
    expect(errors).toEqual([]);
    frames(2);
    await settled();
    expect(errors.map(({ message }) => message)).toEqual(['no broker']);
  });

  test('says which body has no collider, after a while', async () => {
    const { frames, errors } = mount(1);
    frames(299);
    await settled();
    expect(errors).toEqual([]);
    frames(1);
    await settled();
    expect(errors.map(({ message }) => message)).toEqual(['Body 0: It has no collider.']);
  });

  test('ends with a sentence when a body is unmounted, or mounted late', async () => {
    for (const late of [false, true]) {
      const { mounted, frames, addColliders, errors, ends } = mount(2);
      addColliders();
      frames(12);
      if (late) mounted.share({ current: null });
      else ends[1]();
      mounted.dropUnshared();
      await settled();
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBeInstanceOf(RangeError);
      expect(errors[0].message).toContain(
        late ? 'was mounted after its room' : 'was unmounted while its room',
      );
    }
  });

  test('goes on, with each body in its place, when components share the same bodies again at once', async () => {
    const { mounted, frames, addColliders, errors, ends, shared } = mount(2);
    ends[0]();
    mounted.share(shared[0]);
    mounted.dropUnshared();
    expect(shared.map((body) => mounted.indexOf(body))).toEqual([0, 1]);
    addColliders();
    frames(12);
    ends[1]();
    mounted.share(shared[1]);
    mounted.dropUnshared();
    await settled();
    expect(errors.map(({ message }) => message)).toEqual(['no broker']);
  });

  test('says which ref has no body', async () => {
    const { shared, frames, errors } = mount(2);
    shared[0].current = null;
    frames(300);
    await settled();
    expect(errors.map(({ message }) => message)).toEqual([
      'Shared body 0 has no RigidBody: give its ref to one.',
    ]);
  });

  test('is the only one of its Physics', () => {
    const { start } = mount(1);
    expect(start).toThrow('A Physics has one SharedRoom: its room steps the world.');
  });

  test('is quiet when it is stopped before it has opened, and starts again', async () => {
    const { mounted, start, frames, addColliders, errors } = mount(1);
    addColliders();
    frames(12);
    mounted.stop();
    await settled();
    expect(errors).toEqual([]);
    start();
    frames(12);
    await settled();
    expect(errors).toHaveLength(1);
  });
});
