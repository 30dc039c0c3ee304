import type RAPIER from '@dimforge/rapier3d-compat';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { toBody, toSlot } from '../../../src/core/base/ids.ts';
import { pose, setVector, vector } from '../../../src/core/base/math.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import { referTo } from '../../../src/core/world/level-reference.ts';
import type { Simulation } from '../../../src/core/world/simulation.ts';
import type { Adopted, AdoptOptions } from '../../../src/physics/lent/adopt.ts';
import { adopt, shareWorld } from '../../../src/physics/lent/adopt.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { plate, shuttle } from '../../support/driven-levels.ts';

/** Metres: half of an edge of each box. */
const HALF = 0.25;
const A = toBody(0);
const HOST = toSlot(0);

describe('adopt', () => {
  let engine: typeof RAPIER;
  let world: RAPIER.World;
  let simulation: Simulation | null = null;

  beforeAll(async () => {
    const loaded = (await import('rapier-0.21')).default;
    await loaded.init();
    // The classes of two versions are never equal to TypeScript.
    engine = loaded as unknown as typeof RAPIER;
  });
  beforeEach(() => {
    simulation = null;
    world = new engine.World({ x: 0, y: -9.81, z: 0 });
    world.createCollider(engine.ColliderDesc.cuboid(20, 1, 20).setTranslation(0, -1, 0));
  });
  afterEach(() => {
    simulation?.dispose();
    world.free();
  });

  function box(x: number, y: number, change: (body: RAPIER.RigidBodyDesc) => void = () => undefined) {
    const description = engine.RigidBodyDesc.dynamic().setTranslation(x, y, 0);
    change(description);
    const body = world.createRigidBody(description);
    world.createCollider(engine.ColliderDesc.cuboid(HALF, HALF, HALF), body);
    return body;
  }

  function share(bodies: readonly RAPIER.RigidBody[], options?: AdoptOptions): Adopted<RAPIER.RigidBody> {
    const adopted = adopt(engine, world, bodies, options);
    simulation = adopted.simulation;
    return adopted;
  }

  function run(ticks: number): void {
    for (let i = 0; i < ticks; i++) simulation?.step();
  }

  describe('reads', () => {
    it('shapes, masses and materials, of single colliders and of compounds', () => {
      const r = 0.3;
      const hull = [-r, r].flatMap((x) => [-r, r].flatMap((y) => [-r, r].flatMap((z) => [x, y, z])));
      const shapes = [
        engine.ColliderDesc.cuboid(0.5, 0.25, 1),
        engine.ColliderDesc.ball(0.5),
        engine.ColliderDesc.capsule(0.5, 0.25),
        engine.ColliderDesc.cylinder(0.5, 0.25),
        engine.ColliderDesc.cone(0.5, 0.25),
        engine.ColliderDesc.convexHull(new Float32Array(hull)),
      ];
      const bodies = shapes.map((shape, i) => {
        const body = world.createRigidBody(engine.RigidBodyDesc.dynamic().setTranslation(3 * i - 9, 2, 0));
        if (shape !== null)
          world.createCollider(shape.setFriction(0.25).setRestitution(0.5).setMass(2), body);
        return body;
      });
      bodies.push(box(9, 2));
      world.createCollider(engine.ColliderDesc.ball(0.5).setTranslation(0, 1, 0), bodies[6]);
      const { level } = share(bodies);
      const read = level.bodies.map(({ template }) => template);
      expect(read.map(({ shape }) => shape.kind)).toEqual([
        ...['box', 'ball', 'capsule', 'cylinder', 'cone', 'hull', 'compound'],
      ]);
      expect(read[0].shape).toEqual({ kind: 'box', halfExtents: [0.5, 0.25, 1] });
      expect(read[2].shape).toEqual({ kind: 'capsule', radius: 0.25, halfHeight: 0.5 });
      expect(read[0]).toMatchObject({ mass: 2, friction: 0.25, restitution: 0.5, linearDamping: 0 });
      // A box of an eighth of a cubic metre and a ball of half a metre, of density 1.
      expect(read[6].mass).toBeCloseTo(0.125 + (4 / 3) * Math.PI * 0.125, 3);
      expect(level.bodies[0].start.position).toEqual({ x: -9, y: 2, z: 0 });
    });

    it('what never moves, so that another ground is another level', () => {
      const reference = () => referTo({ id: 'own', seed: 0 }, adopt(engine, world, [box(0, 1)]).level).hash;
      const flat = reference();
      world.removeRigidBody(world.getRigidBody(world.bodies.getAll()[0].handle));
      expect(reference(), 'the same again').toBe(flat);
      world.forEachRigidBody((body) => world.removeRigidBody(body));
      world.createCollider(
        engine.ColliderDesc.heightfield(1, 2, new Float32Array([0, 0, 1, 0, 2, 0]), { x: 4, y: 0.5, z: 6 }),
      );
      world.createCollider(
        engine.ColliderDesc.trimesh(
          new Float32Array([0, 0, 0, 0, 0, 1, 1, 0, 0]),
          new Uint32Array([0, 1, 2]),
        ),
      );
      expect(reference()).not.toBe(flat);
      const { statics } = adopt(engine, world, [box(0, 1)]).level;
      expect(statics.map(({ shape }) => shape.kind)).toEqual(['box', 'height field', 'mesh']);
      expect(statics[1].shape).toMatchObject({ columns: 2, rows: 1, size: [4, 6] });
      // Row by row: the engine has them column by column.
      expect(statics[1].shape).toMatchObject({ heights: [0, 0.5, 1, 0, 0, 0] });
    });

    it('the statics that it is told instead of those that are there', () => {
      world.createCollider(engine.ColliderDesc.roundCuboid(1, 1, 1, 0.1).setTranslation(5, 0, 0));
      expect(() => share([box(0, 1)])).toThrow('say in `statics` what never moves');
      expect(share([box(0, 1)], { statics: [] }).level.statics).toEqual([]);
    });
  });

  describe('refuses in a sentence', () => {
    const refused = (bodies: readonly RAPIER.RigidBody[], sentence: string): void => {
      expect(() => share(bodies)).toThrow(RangeError);
      expect(() => share(bodies)).toThrow(sentence);
    };

    it('worlds that run otherwise than peers do', () => {
      const body = box(0, 1);
      world.timestep = 1 / 25;
      world.numSolverIterations = 8;
      world.gravity = { x: 1, y: -9.81, z: 0 };
      refused([body], 'peers tick 30 to 120 times a second');
      world.timestep = 1 / 60.5;
      refused([body], 'peers tick 30 to 120 times a second');
      refused([body], '8 solver iterations');
      refused([body], 'does not point down');
    });

    it('bodies that can’t be shared', () => {
      refused([world.createRigidBody(engine.RigidBodyDesc.kinematicPositionBased())], 'fixed or kinematic');
      refused([world.createRigidBody(engine.RigidBodyDesc.dynamic())], 'It has no collider');
      refused([box(0, 1, (body) => body.setGravityScale(0.5))], 'gravity scale');
      refused([box(0, 1, (body) => body.setLinvel(1, 0, 0))], 'It moves');
      refused([box(0, 1, (body) => body.setEnabled(false))], 'disabled');
      const round = world.createRigidBody(engine.RigidBodyDesc.dynamic());
      world.createCollider(engine.ColliderDesc.roundCuboid(1, 1, 1, 0.1), round);
      refused([round], 'without round edges');
      const body = box(0, 1);
      refused([body, body], 'twice');
      world.removeRigidBody(body);
      refused([body], 'no more in the world');
      refused([box(99, 1)], 'outside of the level’s bounds');
    });

    it('bodies with joints, of either kind', () => {
      const [a, b, c] = [box(0, 1), box(1, 1), box(2, 1)];
      const joint = engine.JointData.spherical(vector(0.5, 0, 0), vector(-0.5, 0, 0));
      world.createImpulseJoint(joint, a, b, true);
      refused([a], 'joint');
      world.createMultibodyJoint(joint, b, c, true);
      refused([c], 'joint');
    });
  });

  describe('leaves to the project', () => {
    it('its platforms: a lift wakes what sleeps on it, and carries it', () => {
      const lift = world.createRigidBody(
        engine.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0.1, 0),
      );
      world.createCollider(engine.ColliderDesc.cuboid(1, 0.1, 1), lift);
      const { bodyOf } = share([box(0, 0.46)]);
      run(60);
      simulation?.sleep(A);
      run(60);
      expect(simulation?.isAsleep(A)).toBe(true);
      for (let i = 1; i <= 120; i++) {
        lift.setNextKinematicTranslation({ x: 0, y: 0.1 + i / 120, z: 0 });
        run(1);
      }
      expect(bodyOf(A)?.translation().y).toBeGreaterThan(1.4);
    });

    it('its platforms: what a slow lift carries is not put to sleep, nor what lies on it', () => {
      const lift = world.createRigidBody(engine.RigidBodyDesc.kinematicPositionBased());
      world.createCollider(engine.ColliderDesc.cuboid(1, 0.1, 1), lift);
      const bodies = [box(0, 0.1 + HALF), box(0, 0.1 + 3 * HALF)];
      share(bodies);
      run(60);
      for (let i = 0; i <= 180; i++) {
        // As a peer does in every tick, as long as both records rest.
        for (const body of [A, toBody(1)]) if (simulation?.isAsleep(body) === false) simulation.sleep(body);
        // It starts as slowly as a lift does.
        lift.setNextKinematicTranslation({ x: 0, y: 0.5 - 0.5 * Math.cos((i * Math.PI) / 180), z: 0 });
        run(1);
      }
      run(60);
      expect(bodies.map((body) => body.translation().y)).toEqual([
        expect.closeTo(1.1 + HALF, 1),
        expect.closeTo(1.1 + 3 * HALF, 1),
      ]);
      simulation?.sleep(A);
      expect(simulation?.isAsleep(A), 'once it stands').toBe(true);
    });

    it('its joints between bodies that are not shared', () => {
      const [a, b] = [box(3, 3), world.createRigidBody(engine.RigidBodyDesc.fixed().setTranslation(3, 4, 0))];
      world.createImpulseJoint(engine.JointData.spherical(vector(0, 1, 0), vector()), a, b, true);
      share([box(0, 1)]);
      run(120);
      expect(a.translation().y).toBeCloseTo(3, 1);
    });

    it('its sensors, which no hand and no ray finds', () => {
      const sensor = world.createCollider(
        engine.ColliderDesc.ball(2).setSensor(true).setActiveEvents(engine.ActiveEvents.COLLISION_EVENTS),
      );
      const met: number[] = [];
      share([box(0, 5)], { onCollision: (a, b) => met.push(a, b) });
      run(1);
      expect(simulation?.overlapSphere(vector(1, 1, 0), 0.1)).toBe(-1);
      expect(simulation?.castRay(vector(0, 1, 0), vector(0, 1, 0), 9)).toBe(0);
      run(120);
      expect(met).toContain(sensor.handle);
    });

    it('its events of contact forces', () => {
      const body = box(0, 1);
      body.collider(0).setActiveEvents(engine.ActiveEvents.CONTACT_FORCE_EVENTS);
      const forces: number[] = [];
      share([body], { onContactForce: (event) => forces.push(event.totalForceMagnitude()) });
      run(120);
      expect(Math.max(...forces)).toBeGreaterThan(1);
    });

    it('its hooks, also for a body that peers ask about', () => {
      const body = box(0, 1);
      body.collider(0).setActiveHooks(engine.ActiveHooks.FILTER_CONTACT_PAIRS);
      share([body], {
        hooks: { filterContactPair: () => engine.SolverFlags.EMPTY, filterIntersectionPair: () => true },
        bounds: { across: 63, low: -100, high: 61 },
      });
      simulation?.askAbout(A, true);
      simulation?.askAbout(A, false);
      expect(body.collider(0).activeHooks()).toBe(engine.ActiveHooks.FILTER_CONTACT_PAIRS);
      run(60);
      expect(body.translation().y, 'it falls through the floor').toBeLessThan(0);
    });

    it('its groups, after a hand has carried the body', () => {
      const body = box(0, 1);
      body.collider(0).setCollisionGroups(0x00010001);
      share([body]);
      simulation?.hold(A, false);
      expect(body.collider(0).collisionGroups()).toBe(0);
      simulation?.release(A, vector(), vector());
      expect(body.collider(0).collisionGroups()).toBe(0x00010001);
    });

    it('the world, when the peer is disposed', () => {
      const body = box(0, 1);
      share([body]);
      simulation?.hold(A, false);
      simulation?.dispose();
      simulation = null;
      expect(body.isDynamic()).toBe(true);
      for (let i = 0; i < 60; i++) world.step();
      expect(body.translation().y).toBeCloseTo(HALF, 1);
    });
  });

  it('[K1.1] drives lifts in it by the room’s time, and takes them out at the end', () => {
    const body = box(0, 0.2 + HALF);
    const before = world.bodies.len();
    const driven = [plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 1.1, 0], 2, 5))];
    const { level } = share([body], { driven });
    expect(level.driven).toEqual(driven);
    if (simulation === null) throw new Error();
    const peer = new Peer({ slot: HOST, host: HOST, level, simulation });
    for (let tick = 0; tick < 10 * level.rate; tick++) peer.tick(playerInput());
    expect(body.translation().y).toBeCloseTo(1.2 + HALF, 1);
    expect(world.bodies.len()).toBe(before + 1);
    simulation.dispose();
    simulation = null;
    expect(world.bodies.len()).toBe(before);
  });

  it('[R1.1] keeps the engine from putting a body to sleep', () => {
    const body = box(0, HALF);
    share([body]);
    run(300);
    expect(body.isSleeping()).toBe(false);
  });

  it.each([0, 1, 5])(
    'a body that goes, and is back %i ticks later, is the project’s own, and touches',
    (ticks) => {
      const [a, b] = [box(0, HALF), box(0, 3 * HALF)];
      const { level, bodyOf } = share([a, b]);
      const [first, second] = [A, toBody(1)];
      run(60);
      const motion = new Float32Array(2 * STRIDE);
      simulation?.capture(motion);
      simulation?.remove(second);
      expect([bodyOf(second), b.isEnabled()]).toEqual([null, false]);
      expect(simulation?.contacts.touching(first, second)).toBe(false);
      run(ticks);
      simulation?.place(second, level.templates[0], motion);
      run(2);
      expect(bodyOf(second)).toBe(b);
      expect(simulation?.contacts.touching(first, second)).toBe(true);
      run(120);
      expect(b.translation().y).toBeCloseTo(3 * HALF, 1);
    },
  );

  it('a body that is placed anew where it is goes on to touch what it touched', () => {
    const bodies = [box(0, HALF), box(0, 3 * HALF)];
    const { level } = share(bodies);
    run(60);
    const motion = new Float32Array(2 * STRIDE);
    simulation?.capture(motion);
    simulation?.hold(A, false);
    for (const body of [0, 1] as BodyId[]) simulation?.place(body, level.templates[0], motion);
    run(3);
    expect(simulation?.contacts.neighbours[0]).toEqual([1]);
    expect(bodies[0].isDynamic()).toBe(true);
  });

  it('[S2] spawns bodies into the project’s world', () => {
    const template = adopt(engine, world, [box(5, 1)]).level.templates[0];
    const { bodyOf } = share([box(0, 1)], {
      spawning: { perPlayer: 1, slots: 1, perSecond: 1, templates: [template] },
    });
    const spawned = toBody(1);
    expect(bodyOf(spawned)).toBeNull();
    const motion = new Float32Array(2 * STRIDE);
    motion.set([2, 3, 0, 0, 0, 0, 1], STRIDE);
    simulation?.place(spawned, template, motion);
    run(90);
    const body = bodyOf(spawned);
    expect(body?.translation().y).toBeCloseTo(HALF, 1);
    simulation?.remove(spawned);
    expect(body?.isValid()).toBe(false);
  });

  it('a held body follows its hand, in the project’s world', () => {
    const body = box(0, 1);
    share([body]);
    simulation?.hold(A, true);
    const target = pose();
    setVector(target.position, 0.2, 2, 0);
    simulation?.moveHeld(A, target);
    run(1);
    expect(body.translation().x).toBeCloseTo(0.2, 3);
    expect(body.translation().y).toBeCloseTo(2, 3);
  });

  it('knows what touched already in a world that was stepped before', () => {
    const bodies = [box(0, HALF), box(0, 3 * HALF), box(3, HALF)];
    for (let i = 0; i < 120; i++) world.step();
    for (const body of bodies) body.setLinvel(vector(), false);
    for (const body of bodies) body.setAngvel(vector(), false);
    share(bodies);
    run(1);
    expect(simulation?.contacts.neighbours).toEqual([[1], [0], []]);
    expect(simulation?.contacts.startedCount, 'none of it is news').toBe(0);
  });

  it.each(['before', 'after'])('serves a second peer, its first one disposed %s', (when) => {
    const template = adopt(engine, world, [box(5, 1)]).level.templates[0];
    const bodies = [box(0, HALF), box(0, 3 * HALF)];
    const spawning = { perPlayer: 1, slots: 1, perSecond: 1, templates: [template] };
    const shared = shareWorld(engine, world, bodies, { spawning });
    const first = (simulation = shared.simulate());
    run(60);
    const motion = new Float32Array(3 * STRIDE);
    motion.set([4, 3, 0, 0, 0, 0, 1], 2 * STRIDE);
    first.place(toBody(2), template, motion);
    const spawned = shared.bodyOf(toBody(2));
    first.remove(toBody(1));
    first.hold(A, false);
    run(30);
    if (when === 'before') first.dispose();
    simulation = shared.simulate();
    first.dispose();
    expect([spawned?.isValid(), shared.bodyOf(toBody(2))]).toEqual([false, null]);
    expect(bodies.map((body) => body.isEnabled() && body.isDynamic())).toEqual([true, true]);
    expect(bodies.map((body) => body.translation())).toEqual(
      shared.level.bodies.map(({ start }) => start.position),
    );
    run(60);
    expect(simulation.contacts.neighbours[0]).toEqual([1]);
    expect(bodies[1].translation().y).toBeCloseTo(3 * HALF, 1);
  });
});
