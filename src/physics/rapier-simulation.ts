import type RAPIER from '@dimforge/rapier3d-simd-compat';
import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY } from '../core/base/ids.ts';
import {
  ANGULAR_DAMPING,
  BOUND_ACROSS,
  GRAVITY,
  LINEAR_DAMPING,
  SOLVER_SUBSTEPS,
  TICK_SECONDS,
} from '../core/base/constants.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { angleBetween, copyVector, distance, lerpVector, quaternion, vector } from '../core/base/math.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import { ContactGraph } from '../core/world/contacts.ts';
import type { BodyDescription, Scene } from '../core/world/scene.ts';
import type { Ignores, Simulation } from '../core/world/simulation.ts';
import type { Engine } from './engine.ts';
import { loadedEngine } from './engine.ts';
import { shapeOf } from './shapes.ts';

export { loadPhysics } from './engine.ts';

/** Metres by which the floor reaches beyond the world, so that bodies leave the world before the floor. */
const FLOOR_MARGIN = 8;
/** Metres of floor below 0: thick, so that fast bodies don't pass it in one step. */
const FLOOR_DEPTH = 4;
const FLOOR_FRICTION = 0.6;
const FLOOR_RESTITUTION = 0.1;
/** The greatest push of a held body, in metres in a tick: 20 m/s, the fastest throw. */
const MAX_PUSH = 20 * TICK_SECONDS;
/** The greatest turn of a held body, in radians in a tick: 15 rad/s. */
const MAX_TURN = 15 * TICK_SECONDS;
/** Collision groups: membership in the high half, filter in the low half. A carried body is in none. */
const COLLIDES_WITH_ALL = 0xffffffff;
const COLLIDES_WITH_NOTHING = 0;

/**
 * A Rapier world that holds a scene's bodies and a floor at height 0. `loadPhysics` must have resolved.
 * @throws RangeError for a hull whose points enclose no volume.
 */
export function createRapierSimulation(scene: Scene): Simulation {
  return new RapierSimulation(loadedEngine(), scene);
}

/** A simulation that can be restored to an earlier state, except for contacts and sleep. */
export type RestorableSimulation = Simulation & {
  /** A snapshot of everything that the next steps depend on, including the solver's memory. */
  snapshot(): Uint8Array;
  /** Continues from a snapshot of a simulation of the same scene and build. */
  restore(snapshot: Uint8Array): void;
};

/** The same in a given engine. */
export function createRestorableSimulation(scene: Scene, engine: Engine): RestorableSimulation {
  return new RapierSimulation(engine, scene);
}

class RapierSimulation implements RestorableSimulation {
  readonly count: number;
  readonly contacts: ContactGraph;
  readonly #engine: Engine;
  #world: RAPIER.World;
  readonly #events: RAPIER.EventQueue;
  #bodies: RAPIER.RigidBody[] = [];
  /**
   * Operations on every body in every tick bypass the wrapper's objects, which make garbage: they use handles.
   */
  #set: RAPIER.RigidBodySet['raw'];
  readonly #handles: Float64Array;
  /** A vector in the engine's memory, filled again for each call. */
  readonly #vector: EngineVector;
  #colliders: RAPIER.Collider[] = [];
  /**
   * 1 for a body that was put to sleep, until it is found awake. Asking the engine costs time, and only a step
   * wakes a body unasked.
   */
  readonly #asleep: Uint8Array;
  /** 1 for a body without gravity since it was put to sleep. */
  readonly #weightless: Uint8Array;
  readonly #ids = new Map<number, BodyId>();
  #floor: RAPIER.Collider;
  readonly #hooks: RAPIER.PhysicsHooks;
  #ignores: Ignores = isNever;
  /** Bodies whose contacts `ignores` decides. */
  #asked = 0;
  readonly #ray: RAPIER.Ray;
  readonly #ball: RAPIER.Ball;
  readonly #centre = vector();
  #nearest: BodyId = NO_BODY;
  #nearestDistance = Infinity;

  constructor(engine: Engine, scene: Scene) {
    this.#engine = engine;
    this.#events = new engine.EventQueue(true);
    this.#ray = new engine.Ray(vector(), vector());
    this.#ball = new engine.Ball(1);
    this.count = scene.bodies.length;
    this.contacts = new ContactGraph(this.count);
    this.#asleep = new Uint8Array(this.count);
    this.#weightless = new Uint8Array(this.count);
    this.#handles = new Float64Array(this.count);
    this.#vector = engine.VectorOps.intoRaw(vector());
    this.#world = new engine.World({ x: 0, y: -GRAVITY, z: 0 });
    this.#world.timestep = TICK_SECONDS;
    this.#world.numSolverIterations = SOLVER_SUBSTEPS;
    this.#set = this.#world.bodies.raw;
    this.#floor = this.#addFloor();
    this.#hooks = {
      filterContactPair: (a, b) =>
        this.#areIgnored(a, b) ? engine.SolverFlags.EMPTY : engine.SolverFlags.COMPUTE_IMPULSE,
      filterIntersectionPair: () => true,
    };
    scene.bodies.forEach((body, id) => this.#addBody(body, id as BodyId));
  }

  #addFloor(): RAPIER.Collider {
    const across = BOUND_ACROSS + FLOOR_MARGIN;
    return this.#world.createCollider(
      this.#engine.ColliderDesc.cuboid(across, FLOOR_DEPTH / 2, across)
        .setTranslation(0, -FLOOR_DEPTH / 2, 0)
        .setFriction(FLOOR_FRICTION)
        .setRestitution(FLOOR_RESTITUTION),
    );
  }

  #addBody(description: BodyDescription, id: BodyId): void {
    const { position, rotation } = description.start;
    const body = this.#world.createRigidBody(
      this.#engine.RigidBodyDesc.dynamic()
        .setTranslation(position.x, position.y, position.z)
        .setRotation(rotation)
        .setLinearDamping(LINEAR_DAMPING)
        .setAngularDamping(ANGULAR_DAMPING)
        .setCanSleep(false),
    );
    const collider = this.#world.createCollider(
      shapeOf(this.#engine, description.shape)
        .setMass(description.mass)
        .setFriction(description.friction)
        .setRestitution(description.restitution)
        .setActiveEvents(this.#engine.ActiveEvents.COLLISION_EVENTS)
        // A held cube knocks on the floor, too: neither of the two moves by forces.
        .setActiveCollisionTypes(
          this.#engine.ActiveCollisionTypes.DEFAULT | this.#engine.ActiveCollisionTypes.KINEMATIC_FIXED,
        ),
      body,
    );
    this.#bodies.push(body);
    this.#colliders.push(collider);
    this.#handles[id] = body.handle;
    this.#ids.set(collider.handle, id);
  }

  step(ignores: Ignores = isNever): void {
    this.contacts.beginStep();
    this.#weighTheAwake();
    this.#ignores = ignores;
    this.#world.step(this.#events, this.#asked > 0 ? this.#hooks : undefined);
    this.#events.drainCollisionEvents(this.#onContact);
    for (let id = 0; id < this.count; id++) {
      if (this.#asleep[id] === 1 && !this.#set.rbIsSleeping(this.#handles[id])) this.#asleep[id] = 0;
    }
  }

  askAbout(id: BodyId, asks: boolean): void {
    const { FILTER_CONTACT_PAIRS, NONE } = this.#engine.ActiveHooks;
    const collider = this.#colliders[id];
    if ((collider.activeHooks() === FILTER_CONTACT_PAIRS) === asks) return;
    collider.setActiveHooks(asks ? FILTER_CONTACT_PAIRS : NONE);
    this.#asked += asks ? 1 : -1;
  }

  /** Handles an event of two colliders; the floor is no body. */
  #areIgnored(first: number, second: number): boolean {
    const a = this.#ids.get(first);
    const b = this.#ids.get(second);
    return a !== undefined && b !== undefined && this.#ignores(a, b);
  }

  readonly #onContact = (first: number, second: number, started: boolean): void => {
    const a = this.#ids.get(first);
    const b = this.#ids.get(second);
    if (a === undefined || b === undefined) {
      const body = a ?? b;
      if (started && body !== undefined) this.contacts.land(body);
      return;
    }
    if (started) this.contacts.add(a, b);
    else this.contacts.remove(a, b);
  };

  capture(out: Float32Array): void {
    for (let id = 0; id < this.count; id++) {
      if (this.#asleep[id] === 1) continue;
      const handle = this.#handles[id];
      const at = id * STRIDE;
      this.#set.rbTranslation(handle, numbers);
      for (let i = 0; i < 3; i++) out[at + MOTION.position + i] = numbers[i];
      this.#set.rbRotation(handle, numbers);
      for (let i = 0; i < 4; i++) out[at + MOTION.rotation + i] = numbers[i];
      this.#set.rbLinvel(handle, numbers);
      for (let i = 0; i < 3; i++) out[at + MOTION.linear + i] = numbers[i];
      this.#set.rbAngvel(handle, numbers);
      for (let i = 0; i < 3; i++) out[at + MOTION.angular + i] = numbers[i];
    }
  }

  write(id: BodyId, m: Float32Array): void {
    this.#asleep[id] = 0;
    const handle = this.#handles[id];
    const at = id * STRIDE;
    const r = at + MOTION.rotation;
    this.#set.rbSetTranslation(handle, m[at], m[at + 1], m[at + 2], true);
    this.#set.rbSetRotation(handle, m[r], m[r + 1], m[r + 2], m[r + 3], true);
    this.#set.rbSetLinvel(handle, this.#take(m, at + MOTION.linear), true);
    this.#set.rbSetAngvel(handle, this.#take(m, at + MOTION.angular), true);
  }

  #take(from: Float32Array, at: number): EngineVector {
    this.#vector.x = from[at];
    this.#vector.y = from[at + 1];
    this.#vector.z = from[at + 2];
    return this.#vector;
  }

  push(id: BodyId, impulse: ReadonlyVector, at: ReadonlyVector | null): void {
    this.#asleep[id] = 0;
    if (at === null) this.#bodies[id].applyImpulse(impulse, true);
    else this.#bodies[id].applyImpulseAtPoint(impulse, at, true);
  }

  hold(id: BodyId, pushes: boolean): void {
    this.#asleep[id] = 0;
    this.#bodies[id].setBodyType(this.#engine.RigidBodyType.KinematicPositionBased, true);
    this.#colliders[id].setCollisionGroups(pushes ? COLLIDES_WITH_ALL : COLLIDES_WITH_NOTHING);
  }

  moveHeld(id: BodyId, pose: ReadonlyPose): void {
    const body = this.#bodies[id];
    const from = body.translation(readVector);
    const way = distance(from, pose.position);
    if (way > MAX_PUSH) {
      // A hand that jumps is there at once, but hits no harder than the fastest throw.
      body.setTranslation(lerpVector(pose.position, from, MAX_PUSH / way, writeVector), true);
    }
    if (angleBetween(body.rotation(readRotation), pose.rotation) > MAX_TURN)
      body.setRotation(pose.rotation, true);
    body.setNextKinematicTranslation(pose.position);
    body.setNextKinematicRotation(pose.rotation);
  }

  release(id: BodyId, linear: ReadonlyVector, angular: ReadonlyVector): void {
    const body = this.#bodies[id];
    body.setBodyType(this.#engine.RigidBodyType.Dynamic, true);
    this.#colliders[id].setCollisionGroups(COLLIDES_WITH_ALL);
    body.setLinvel(linear, true);
    body.setAngvel(angular, true);
  }

  /**
   * While any body that it once touched is awake, the engine still integrates a sleeping body, which would fall
   * through its support. So a sleeping body has no gravity.
   */
  sleep(id: BodyId): void {
    this.#asleep[id] = 1;
    this.#bodies[id].sleep();
    this.#bodies[id].setGravityScale(0, false);
    this.#weightless[id] = 1;
  }

  /**
   * Gives bodies that woke their gravity again before the step, and also the bodies that wake with them: all
   * that they touch, and on.
   */
  #weighTheAwake(): void {
    for (let id = 0; id < this.count; id++) {
      if (this.#weightless[id] === 1 && this.#asleep[id] === 0) this.#weigh(id);
    }
  }

  #weigh(id: number): void {
    this.#bodies[id].setGravityScale(1, false);
    this.#weightless[id] = 0;
    const touching = this.contacts.neighbours[id];
    for (let i = 0; i < touching.length; i++)
      if (this.#weightless[touching[i]] === 1) this.#weigh(touching[i]);
  }

  wake(id: BodyId): void {
    this.#asleep[id] = 0;
    this.#bodies[id].wakeUp();
  }

  isAsleep(id: BodyId): boolean {
    return this.#asleep[id] === 1;
  }

  overlapSphere(position: ReadonlyVector, radius: number): BodyId {
    this.#ball.radius = radius;
    this.#nearest = NO_BODY;
    this.#nearestDistance = Infinity;
    copyVector(position, this.#centre);
    this.#world.intersectionsWithShape(position, UNTURNED, this.#ball, this.#onOverlap);
    return this.#nearest;
  }

  readonly #onOverlap = (collider: RAPIER.Collider): boolean => {
    const id = this.#ids.get(collider.handle);
    if (id === undefined) return true;
    const away = distance(this.#centre, this.#bodies[id].translation(readVector));
    if (away < this.#nearestDistance) {
      this.#nearest = id;
      this.#nearestDistance = away;
    }
    return true;
  };

  castRay(origin: ReadonlyVector, direction: ReadonlyVector, reach: number): BodyId {
    this.#ray.origin = origin;
    this.#ray.dir = direction;
    const hit = this.#world.castRay(this.#ray, reach, true);
    return hit === null ? NO_BODY : (this.#ids.get(hit.collider.handle) ?? NO_BODY);
  }

  castSphere(origin: ReadonlyVector, direction: ReadonlyVector, radius: number, reach: number): BodyId {
    this.#ball.radius = radius;
    const hit = this.#world.castShape(
      origin,
      UNTURNED,
      direction,
      this.#ball,
      0,
      reach,
      true,
      undefined,
      undefined,
      this.#floor,
    );
    return hit === null ? NO_BODY : (this.#ids.get(hit.collider.handle) ?? NO_BODY);
  }

  snapshot(): Uint8Array {
    return this.#world.takeSnapshot();
  }

  restore(snapshot: Uint8Array): void {
    const world = this.#engine.World.restoreSnapshot(snapshot);
    // Handles stay. The JavaScript objects for them are made again.
    this.#bodies = this.#bodies.map(({ handle }) => world.getRigidBody(handle));
    this.#colliders = this.#colliders.map(({ handle }) => world.getCollider(handle));
    this.#floor = world.getCollider(this.#floor.handle);
    this.#set = world.bodies.raw;
    this.#world.free();
    this.#world = world;
    const { FILTER_CONTACT_PAIRS } = this.#engine.ActiveHooks;
    this.#asked = this.#colliders.filter((one) => one.activeHooks() === FILTER_CONTACT_PAIRS).length;
  }

  dispose(): void {
    this.#vector.free();
    this.#events.free();
    this.#world.free();
  }
}

/** A vector in the engine's own memory. */
type EngineVector = ReturnType<Engine['VectorOps']['intoRaw']>;

const isNever = (): boolean => false;
const UNTURNED = quaternion();
const readVector = vector();
const readRotation = quaternion();
const writeVector = vector();
/** Where the engine puts up to four numbers of a body. */
const numbers = new Float32Array(4);
