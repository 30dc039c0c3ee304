import type RAPIER from '@dimforge/rapier3d-simd-compat';
import type { BodyId } from '../core/base/ids.ts';
import { SOLVER_SUBSTEPS, TICK_SECONDS } from '../core/base/constants.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { angleBetween, distance, lerpVector, pose, quaternion, vector } from '../core/base/math.ts';
import { poseIn } from '../core/base/motion.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import { ContactGraph } from '../core/world/contacts.ts';
import { capacityOf } from '../core/world/existence.ts';
import { refuseFaulty } from '../core/world/level-faults.ts';
import type { Level, Template } from '../core/world/level.ts';
import type { Ignores, Simulation } from '../core/world/simulation.ts';
import type { Engine } from './engine.ts';
import { loadedEngine } from './engine.ts';
import { EngineJoints } from './joints.ts';
import { Pulls, pushBody } from './pulls.ts';
import { Queries } from './queries.ts';
import { ColliderOwners } from './collider-owners.ts';
import { isThin, shareMass } from './collider-measures.ts';
import { collidersOf, staticBodyCollider } from './shapes.ts';

export { loadPhysics } from './engine.ts';

/** The greatest push of a held body, in metres in a tick: 20 m/s, the fastest throw. */
const MAX_PUSH = 20 * TICK_SECONDS;
/** The greatest turn of a held body, in radians in a tick: 15 rad/s. */
const MAX_TURN = 15 * TICK_SECONDS;
/** Iterations of the solver in each substep, with joints. With 1, machines came apart by 26 mm (p99), with 4 by 8, with 8 by 5. */
const JOINT_ITERATIONS = 8;
/** Collision groups: membership in the high half, filter in the low half. A carried body is in none. */
const COLLIDES_WITH_ALL = 0xffffffff;
const COLLIDES_WITH_NOTHING = 0;

/**
 * A Rapier world that holds a level's bodies and what never moves there. `loadPhysics` must have resolved.
 * @throws RangeError with a sentence for each fault of the level [B1.4].
 */
export function createRapierSimulation(level: Level): Simulation {
  return createRestorableSimulation(level, loadedEngine());
}

/** A simulation that can be restored to an earlier state, except for contacts and sleep. */
export type RestorableSimulation = Simulation & {
  /** A snapshot of everything that the next steps depend on, including the solver's memory. */
  snapshot(): Uint8Array;
  /** Continues from a snapshot of a simulation of the same level and build. */
  restore(snapshot: Uint8Array): void;
};

/** The same in a given engine. */
export function createRestorableSimulation(level: Level, engine: Engine): RestorableSimulation {
  refuseFaulty(level);
  return new RapierSimulation(engine, level);
}

class RapierSimulation implements RestorableSimulation {
  readonly count: number;
  readonly contacts: ContactGraph;
  readonly #engine: Engine;
  #world: RAPIER.World;
  readonly #events: RAPIER.EventQueue;
  /** For each id its body; null if there is none. */
  #bodies: (RAPIER.RigidBody | null)[];
  /**
   * Operations on every body in every tick bypass the wrapper's objects, which make garbage: they use handles.
   */
  #set: RAPIER.RigidBodySet['raw'];
  readonly #handles: Float64Array;
  /** A vector in the engine's memory, filled again for each call. */
  readonly #vector: EngineVector;
  /** For each body its colliders: one, or one for each part of a compound. */
  #colliders: RAPIER.Collider[][];
  /**
   * 1 for a body that was put to sleep, until it is found awake. Asking the engine costs time, and only a step
   * wakes a body unasked.
   */
  readonly #asleep: Uint8Array;
  /** 1 for a body without gravity since it was put to sleep. */
  readonly #weightless: Uint8Array;
  /** Something that never moves is an owner from `count` on. */
  readonly #owners = new ColliderOwners();
  readonly #hooks: RAPIER.PhysicsHooks;
  #ignores: Ignores = isNever;
  /** Bodies whose contacts `ignores` decides. */
  #asked = 0;
  readonly #queries: Queries;
  readonly #joints: EngineJoints;
  readonly #pulls: Pulls;
  /** The world as an end of joints: a body that never moves, made with the first of them. */
  #ground: RAPIER.RigidBody | null = null;

  constructor(engine: Engine, level: Level) {
    this.#engine = engine;
    this.#events = new engine.EventQueue(true);
    this.count = capacityOf(level);
    this.#queries = new Queries(engine, this.#owners, this.count);
    this.contacts = new ContactGraph(this.count);
    this.#joints = new EngineJoints(engine, level.joints, this.contacts);
    this.#pulls = new Pulls(engine);
    this.#bodies = Array<null>(this.count).fill(null);
    this.#colliders = Array.from({ length: this.count }, () => []);
    this.#asleep = new Uint8Array(this.count).fill(1);
    this.#weightless = new Uint8Array(this.count);
    this.#handles = new Float64Array(this.count);
    this.#vector = engine.VectorOps.intoRaw(vector());
    this.#world = new engine.World({ x: 0, y: -level.gravity, z: 0 });
    this.#world.timestep = TICK_SECONDS;
    this.#world.numSolverIterations = SOLVER_SUBSTEPS;
    if (level.joints.length > 0) this.#world.numInternalPgsIterations = JOINT_ITERATIONS;
    this.#set = this.#world.bodies.raw;
    this.#hooks = {
      filterContactPair: (a, b) =>
        this.#areIgnored(a, b) ? engine.SolverFlags.EMPTY : engine.SolverFlags.COMPUTE_IMPULSE,
      filterIntersectionPair: () => true,
    };
    level.statics.forEach((fixed, i) => {
      const { handle } = this.#world.createCollider(staticBodyCollider(engine, fixed));
      this.#owners.add(handle, this.count + i);
    });
    level.bodies.forEach(({ template, start }, id) => this.#add(id as BodyId, template, start));
  }

  #add(id: BodyId, template: Template, start: ReadonlyPose): void {
    const { position, rotation } = start;
    const body = this.#world.createRigidBody(
      this.#engine.RigidBodyDesc.dynamic()
        .setTranslation(position.x, position.y, position.z)
        .setRotation(rotation)
        .setLinearDamping(template.linearDamping)
        .setAngularDamping(template.angularDamping)
        .setCanSleep(false)
        .setSoftCcdPrediction(isThin(template.shape) ? MAX_PUSH : 0),
    );
    const colliders = collidersOf(this.#engine, template.shape).map((part) => {
      const collider = this.#world.createCollider(
        part
          .setMass(template.mass)
          .setFriction(template.friction)
          .setRestitution(template.restitution)
          .setActiveEvents(this.#engine.ActiveEvents.COLLISION_EVENTS)
          // A held cube knocks on the floor, too: neither of the two moves by forces.
          .setActiveCollisionTypes(
            this.#engine.ActiveCollisionTypes.DEFAULT | this.#engine.ActiveCollisionTypes.KINEMATIC_FIXED,
          ),
        body,
      );
      this.#owners.add(collider.handle, id);
      return collider;
    });
    if (colliders.length > 1) shareMass(colliders, template.mass);
    this.#bodies[id] = body;
    this.#colliders[id] = colliders;
    this.#handles[id] = body.handle;
    this.#asleep[id] = 0;
    this.#weightless[id] = 0;
    this.#joints.add(this.#world, id, this.#bodyOf, this.#groundOf);
  }

  readonly #bodyOf = (id: BodyId): RAPIER.RigidBody | null => this.#bodies[id];

  readonly #groundOf = (): RAPIER.RigidBody =>
    (this.#ground ??= this.#world.createRigidBody(this.#engine.RigidBodyDesc.fixed()));

  place(id: BodyId, template: Template, motion: Float32Array): void {
    this.remove(id);
    this.#add(id, template, poseIn(motion, id, readPose));
    this.write(id, motion);
  }

  remove(id: BodyId): void {
    const body = this.#bodies[id];
    if (body === null) return;
    for (const other of this.contacts.neighbours[id]) this.wake(other);
    this.askAbout(id, false);
    this.#pulls.endOf(this.#world, id);
    this.#joints.remove(id);
    this.contacts.clear(id);
    this.#owners.remove(id);
    this.#world.removeRigidBody(body);
    this.#bodies[id] = null;
    this.#colliders[id] = [];
    this.#asleep[id] = 1;
    this.#weightless[id] = 0;
  }

  #body(id: BodyId): RAPIER.RigidBody {
    const body = this.#bodies[id];
    if (body === null) throw new Error(`there is no body ${id}`);
    return body;
  }

  step(ignores: Ignores = isNever): void {
    this.contacts.beginStep();
    this.#weighTheAwake();
    this.#ignores = ignores;
    this.#world.step(this.#events, this.#asked > 0 ? this.#hooks : undefined);
    this.#events.drainCollisionEvents(this.#onContact);
    for (let id = 0; id < this.count; id++) {
      if (this.#asleep[id] === 0 || this.#bodies[id] === null) continue;
      if (!this.#set.rbIsSleeping(this.#handles[id])) this.#asleep[id] = 0;
    }
  }

  askAbout(id: BodyId, asks: boolean): void {
    const { FILTER_CONTACT_PAIRS, NONE } = this.#engine.ActiveHooks;
    const colliders = this.#colliders[id];
    if (colliders.length === 0) return;
    if ((colliders[0].activeHooks() === FILTER_CONTACT_PAIRS) === asks) return;
    for (const collider of colliders) collider.setActiveHooks(asks ? FILTER_CONTACT_PAIRS : NONE);
    this.#asked += asks ? 1 : -1;
  }

  /** Decides for two colliders; what never moves is no body. */
  #areIgnored(first: number, second: number): boolean {
    const a = this.#owners.of(first);
    const b = this.#owners.of(second);
    return a < this.count && b < this.count && this.#ignores(a as BodyId, b as BodyId);
  }

  readonly #onContact = (first: number, second: number, started: boolean): void => {
    if (!this.#owners.has(first) || !this.#owners.has(second)) return;
    const a = this.#owners.of(first);
    const b = this.#owners.of(second);
    if (!this.#owners.note(first, second, started)) return;
    if (a < this.count && b < this.count) {
      if (started) this.contacts.add(a as BodyId, b as BodyId);
      else this.contacts.remove(a as BodyId, b as BodyId);
    } else if (started && Math.min(a, b) < this.count) this.contacts.land(Math.min(a, b) as BodyId);
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
    this.#body(id);
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

  push(id: BodyId, impulse: ReadonlyVector, at: ReadonlyVector | null, mostSpin: number): boolean {
    const isPushed = pushBody(this.#body(id), impulse, at, mostSpin);
    if (isPushed) this.wake(id);
    return isPushed;
  }

  pull(hand: number, id: BodyId, to: ReadonlyPose): void {
    this.#asleep[id] = 0;
    this.#pulls.pull(this.#world, hand, id, this.#body(id), to);
  }

  endPull(hand: number): void {
    this.#pulls.end(this.#world, hand);
  }

  hold(id: BodyId, pushes: boolean): void {
    this.#asleep[id] = 0;
    this.#body(id).setBodyType(this.#engine.RigidBodyType.KinematicPositionBased, true);
    this.#setGroups(id, pushes ? COLLIDES_WITH_ALL : COLLIDES_WITH_NOTHING);
  }

  #setGroups(id: BodyId, groups: number): void {
    for (const collider of this.#colliders[id]) collider.setCollisionGroups(groups);
  }

  moveHeld(id: BodyId, pose: ReadonlyPose): void {
    const body = this.#body(id);
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
    const body = this.#body(id);
    body.setBodyType(this.#engine.RigidBodyType.Dynamic, true);
    this.#setGroups(id, COLLIDES_WITH_ALL);
    body.setLinvel(linear, true);
    body.setAngvel(angular, true);
  }

  /**
   * While any body that it once touched is awake, the engine still integrates a sleeping body, which would fall
   * through its support. So a sleeping body has no gravity.
   */
  sleep(id: BodyId): void {
    this.#asleep[id] = 1;
    this.#body(id).sleep();
    this.#body(id).setGravityScale(0, false);
    this.#weightless[id] = 1;
  }

  /**
   * Gives bodies that woke their gravity again before the step, and also the bodies that wake with them: all
   * that they touch, and on.
   */
  #weighTheAwake(): void {
    for (let id = 0; id < this.count; id++) {
      if (this.#weightless[id] === 1 && this.#asleep[id] === 0) this.#weigh(id as BodyId);
    }
  }

  #weigh(id: BodyId): void {
    this.#body(id).setGravityScale(1, false);
    this.#weightless[id] = 0;
    const touching = this.contacts.neighbours[id];
    for (let i = 0; i < touching.length; i++)
      if (this.#weightless[touching[i]] === 1) this.#weigh(touching[i]);
  }

  wake(id: BodyId): void {
    if (this.#bodies[id] === null) return;
    this.#asleep[id] = 0;
    this.#body(id).wakeUp();
  }

  isAsleep(id: BodyId): boolean {
    return this.#asleep[id] === 1;
  }

  overlapSphere(position: ReadonlyVector, radius: number): BodyId {
    return this.#queries.overlapSphere(this.#world, position, radius);
  }

  castRay(origin: ReadonlyVector, direction: ReadonlyVector, reach: number): BodyId {
    return this.#queries.castRay(this.#world, origin, direction, reach);
  }

  castSphere(origin: ReadonlyVector, direction: ReadonlyVector, radius: number, reach: number): BodyId {
    return this.#queries.castSphere(this.#world, origin, direction, radius, reach);
  }

  snapshot(): Uint8Array {
    return this.#world.takeSnapshot();
  }

  restore(snapshot: Uint8Array): void {
    const world = this.#engine.World.restoreSnapshot(snapshot);
    // Handles stay. The JavaScript objects for them are made again.
    this.#bodies = this.#bodies.map((body) => (body === null ? null : world.getRigidBody(body.handle)));
    this.#colliders = this.#colliders.map((parts) => parts.map(({ handle }) => world.getCollider(handle)));
    if (this.#ground !== null) this.#ground = world.getRigidBody(this.#ground.handle);
    this.#set = world.bodies.raw;
    this.#world.free();
    this.#world = world;
    const { FILTER_CONTACT_PAIRS } = this.#engine.ActiveHooks;
    this.#asked = this.#colliders.filter(
      (parts) => parts.length > 0 && parts[0].activeHooks() === FILTER_CONTACT_PAIRS,
    ).length;
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
const readVector = vector();
const readRotation = quaternion();
const writeVector = vector();
const readPose = pose();
/** Where the engine puts up to four numbers of a body. */
const numbers = new Float32Array(4);
