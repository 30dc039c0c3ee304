import { BodySet } from '../core/base/body-set.ts';
import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY } from '../core/base/ids.ts';
import { ticksIn } from '../core/base/constants.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { pose, vector } from '../core/base/math.ts';
import { poseIn } from '../core/base/motion.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import type { ContactGraph } from '../core/world/contacts.ts';
import { capacityOf } from '../core/world/existence.ts';
import { refuseFaulty } from '../core/world/level-faults.ts';
import type { Joint } from '../core/world/joints/joint.ts';
import type { Level, Template } from '../core/world/level.ts';
import type { Ignores, Simulation } from '../core/world/simulation.ts';
import type * as RAPIER from './engine-types.ts';
import type { Engine } from './engine-types.ts';
import { loadedEngine } from './engine.ts';
import { BodyColliders } from './body-colliders.ts';
import { EngineJoints } from './joints/engine-joints.ts';
import { Pulls, pushBody } from './joints/pulls.ts';
import type { MotionReader, SpinReader } from './motion-reader.ts';
import { isOld, motionReaderOf, spinReaderOf } from './motion-reader.ts';
import { Queries } from './queries.ts';
import { EngineContacts } from './contacts/engine-contacts.ts';
import { RollingFriction } from './contacts/rolling-friction.ts';
import { Weights } from './contacts/weights.ts';
import { DrivenColliders } from './driven/driven-colliders.ts';
import { createBody, createStatic, emptyWorld } from './create-bodies.ts';
import { moveKinematic } from './held-pose.ts';
import type { LentWorld } from './lent/lent-world.ts';
import { eachTouching, hooksOf, solidCollidersOf } from './lent/lent-world.ts';
import type { RestorableSimulation } from './restorable-simulation.ts';

export { loadPhysics } from './engine.ts';

/** Seconds between two wake-ups of bodies that the engine may put to sleep: it would do so after two seconds. */
const KEEP_AWAKE_SECONDS = 0.5;

/**
 * A Rapier world that holds a level's bodies and what never moves there. `loadPhysics` must have resolved.
 * @throws RangeError with a sentence for each fault of the level [B1.4].
 */
export function createRapierSimulation(level: Level): Simulation {
  return createRestorableSimulation(level, loadedEngine());
}

/** The same in a given engine. */
export function createRestorableSimulation(level: Level, engine: Engine): RestorableSimulation {
  refuseFaulty(level);
  return new RapierSimulation(engine, level);
}

/** A simulation of a level, in a world of its own or in one that it is lent. */
export class RapierSimulation implements RestorableSimulation {
  readonly count: number;
  readonly contacts: ContactGraph;
  readonly #engine: Engine;
  #world: RAPIER.World;
  readonly #events: RAPIER.EventQueue;
  /** For each id its body; null if there is none. */
  #bodies: (RAPIER.RigidBody | null)[];
  /** Operations on every body in every tick bypass the wrapper's objects, which make garbage: they use handles. */
  #set: RAPIER.RawRigidBodySet;
  readonly #handles: Float64Array;
  /** A vector in the engine's memory, filled again for each call. */
  readonly #vector: RAPIER.RawVector;
  readonly #read: MotionReader;
  readonly #readSpin: SpinReader;
  readonly #colliders: BodyColliders;
  readonly #lent: LentWorld | null;
  readonly #touching: EngineContacts;
  readonly #rolling: RollingFriction;
  /** True if the engine may put bodies to sleep: lent ones; in 0.19 all, where others don't stay asleep. */
  readonly #mayEngineSleep: boolean;
  /** It is kept here, since asking the engine for each body costs time, and only a step wakes a body unasked. */
  readonly awake: BodySet;
  readonly #weights: Weights;
  /** [K1] */
  readonly #driven: DrivenColliders;
  readonly #hooks: RAPIER.PhysicsHooks;
  #ignores: Ignores = isNever;
  #steps = 0;
  #isDisposed = false;
  readonly #rate: number;
  readonly #queries: Queries;
  readonly #joints: EngineJoints;
  readonly #pulls: Pulls;

  constructor(engine: Engine, level: Level, lent: LentWorld | null = null) {
    this.#engine = engine;
    this.#events = new engine.EventQueue(true);
    this.count = capacityOf(level);
    this.#rate = level.rate;
    this.#world = lent?.world ?? emptyWorld(engine, level);
    this.#touching = new EngineContacts(this.count, (handle) => this.#isMoving(handle));
    this.#rolling = new RollingFriction(level);
    this.#queries = new Queries(engine, this.#touching.owners, this.count);
    this.contacts = this.#touching.graph;
    this.#joints = new EngineJoints(engine, level, this.contacts);
    this.#pulls = new Pulls(engine);
    this.#bodies = Array<null>(this.count).fill(null);
    this.#colliders = new BodyColliders(engine, this.count);
    this.#lent = lent;
    this.awake = new BodySet(this.count);
    this.#weights = new Weights(this.count, this.contacts, (id) => this.#bodies[id]);
    this.#handles = new Float64Array(this.count);
    this.#vector = engine.VectorOps.intoRaw(vector());
    this.#set = this.#world.bodies.raw;
    this.#read = motionReaderOf(this.#set);
    this.#readSpin = spinReaderOf(this.#set);
    this.#mayEngineSleep = lent !== null || isOld(this.#set);
    this.#hooks = hooksOf(engine, (a, b) => this.#areIgnored(a, b), lent?.hooks ?? null);
    if (lent === null) {
      level.statics.forEach((fixed, i) =>
        this.#touching.owners.add(createStatic(engine, this.#world, fixed).handle, this.count + i),
      );
      level.bodies.forEach(({ template, start }, id) => this.#add(id as BodyId, template, start));
    } else {
      lent.statics.forEach(({ handle }, i) => this.#touching.owners.add(handle, this.count + i));
      lent.bodies.forEach((body, id) =>
        this.#enter(id as BodyId, level.bodies[id].template, body, solidCollidersOf(body)),
      );
      lent.bodies.forEach((body) => this.#noteTouching(body));
    }
    this.#driven = new DrivenColliders(engine, this.#world, level.driven ?? [], level.rate);
  }

  /** Notes the bodies that a lent body touches already: the engine does not report them again. */
  #noteTouching(body: RAPIER.RigidBody): void {
    for (const collider of solidCollidersOf(body))
      eachTouching(this.#world, collider, (other) => this.#touching.note(collider.handle, other, true));
  }

  #add(id: BodyId, template: Template, start: ReadonlyPose): void {
    const { body, colliders } = createBody(this.#engine, this.#world, template, start, {
      canSleep: this.#mayEngineSleep,
      rate: this.#rate,
    });
    this.#enter(id, template, body, colliders);
  }

  /** A body is in the world from now on, awake. */
  #enter(
    id: BodyId,
    template: Template,
    body: RAPIER.RigidBody,
    colliders: readonly RAPIER.Collider[],
  ): void {
    const { ActiveEvents, ActiveCollisionTypes } = this.#engine;
    for (const collider of colliders) {
      collider.setActiveEvents(collider.activeEvents() | ActiveEvents.COLLISION_EVENTS);
      // A held cube knocks on the floor, too: neither of the two moves by forces.
      collider.setActiveCollisionTypes(
        collider.activeCollisionTypes() | ActiveCollisionTypes.KINEMATIC_FIXED,
      );
      this.#touching.owners.add(collider.handle, id);
    }
    this.#bodies[id] = body;
    this.#colliders.set(id, colliders);
    this.#handles[id] = body.handle;
    this.awake.add(id);
    this.#weights.forget(id);
    this.#joints.add(this.#world, id, this.#bodies);
    this.#rolling.add(id, template, body);
  }

  place(id: BodyId, template: Template, motion: Float32Array): void {
    const lent = this.#lent?.bodies[id];
    if (lent === undefined) {
      this.remove(id);
      this.#add(id, template, poseIn(motion, id, readPose));
    } else if (this.#bodies[id] === null) {
      lent.setEnabled(true);
      this.#enter(id, template, lent, solidCollidersOf(lent));
      this.#noteTouching(lent);
    } else this.#makeFree(id, lent);
    this.write(id, motion);
  }

  /** A lent body is as it was when it was lent, but for its motion; what touches it wakes. */
  #makeFree(id: BodyId, body: RAPIER.RigidBody): void {
    for (const other of this.contacts.neighbours[id]) this.wake(other);
    this.askAbout(id, false);
    body.setBodyType(this.#engine.RigidBodyType.Dynamic, true);
    body.setGravityScale(1, true);
    this.#colliders.setTouching(id, true);
    this.#weights.forget(id);
  }

  /** The engine's body of an id; null if there is none. */
  bodyOf(id: BodyId): RAPIER.RigidBody | null {
    return this.#bodies[id] ?? null;
  }

  setJoint(number: number, joint: Joint | null): void {
    this.#joints.set(this.#world, number, joint, this.#bodies);
  }

  remove(id: BodyId): void {
    const body = this.#bodies[id];
    if (body === null) return;
    this.#makeFree(id, body);
    this.#pulls.endOf(this.#world, id);
    this.#joints.remove(this.#world, id);
    this.#touching.remove(id);
    this.#rolling.remove(id);
    this.#colliders.set(id, []);
    if (this.#lent?.bodies[id] !== undefined) body.setEnabled(false);
    else this.#world.removeRigidBody(body);
    this.#bodies[id] = null;
    this.awake.delete(id);
  }

  /** The engine's body of an id that has one. */
  #body(id: BodyId): RAPIER.RigidBody {
    const body = this.#bodies[id];
    if (body === null) throw new Error(`there is no body ${id}`);
    return body;
  }

  step(ignores: Ignores = isNever): void {
    this.contacts.beginStep();
    this.#touching.others.eachMoved(this.#wake);
    this.#weights.giveBack(this.awake);
    this.#rolling.slow(this.#set, this.#readSpin, this.#rolls, this.#vector);
    this.#ignores = ignores;
    const asks = this.#colliders.askedCount > 0 || (this.#lent?.hooks ?? null) !== null;
    this.#world.step(this.#events, asks ? this.#hooks : undefined);
    this.#events.drainCollisionEvents(this.#onContact);
    const onForce = this.#lent?.onContactForce ?? null;
    if (onForce !== null) this.#events.drainContactForceEvents(onForce);
    const wakes = this.#mayEngineSleep && this.#steps++ % ticksIn(KEEP_AWAKE_SECONDS, this.#rate) === 0;
    for (let id = 0; id < this.count; id++) {
      const handle = this.#handles[id];
      if (!this.awake.has(id)) {
        if (this.#bodies[id] !== null && !this.#set.rbIsSleeping(handle)) this.awake.add(id);
      } else if (wakes) this.#set.rbWakeUp(handle);
    }
  }

  askAbout(id: BodyId, asks: boolean): void {
    this.#colliders.setAsked(id, asks);
  }

  readonly #rolls = (id: BodyId): boolean => this.awake.has(id) && this.#touching.touchesAnything(id);

  /** Decides for two colliders; what never moves is no body. */
  #areIgnored(first: number, second: number): boolean {
    const { owners } = this.#touching;
    if (!owners.has(first) || !owners.has(second)) return false;
    const a = owners.of(first);
    const b = owners.of(second);
    if (a >= this.count || b >= this.count) return false;
    const isAsked = this.#colliders.isAsked(a as BodyId) || this.#colliders.isAsked(b as BodyId);
    return isAsked && this.#ignores(a as BodyId, b as BodyId);
  }

  readonly #onContact = (first: number, second: number, started: boolean): void => {
    this.#lent?.onCollision?.(first, second, started);
    this.#touching.note(first, second, started);
  };

  capture(out: Float32Array): void {
    const { awake } = this;
    for (let id = awake.next(NO_BODY); id !== NO_BODY; id = awake.next(id))
      this.#read(this.#set, this.#handles[id], out, id * STRIDE);
  }

  write(id: BodyId, m: Float32Array): void {
    this.#body(id);
    this.awake.add(id);
    const handle = this.#handles[id];
    const at = id * STRIDE;
    const r = at + MOTION.rotation;
    this.#set.rbSetTranslation(handle, m[at], m[at + 1], m[at + 2], true);
    this.#set.rbSetRotation(handle, m[r], m[r + 1], m[r + 2], m[r + 3], true);
    this.#set.rbSetLinvel(handle, this.#take(m, at + MOTION.linear), true);
    this.#set.rbSetAngvel(handle, this.#take(m, at + MOTION.angular), true);
  }

  #take(from: Float32Array, at: number): RAPIER.RawVector {
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

  pull(hand: number, id: BodyId, grip: ReadonlyVector, to: ReadonlyPose, load: number): void {
    this.awake.add(id);
    this.#pulls.pull(this.#world, hand, id, this.#body(id), grip, to, load);
  }

  endPull(hand: number): void {
    this.#pulls.end(this.#world, hand);
  }

  hold(id: BodyId, pushes: boolean): void {
    this.awake.add(id);
    this.#body(id).setBodyType(this.#engine.RigidBodyType.KinematicPositionBased, true);
    this.#colliders.setTouching(id, pushes);
  }

  moveHeld(id: BodyId, pose: ReadonlyPose): void {
    moveKinematic(this.#body(id), pose, 1 / this.#rate);
  }

  release(id: BodyId, linear: ReadonlyVector, angular: ReadonlyVector): void {
    const body = this.#body(id);
    body.setBodyType(this.#engine.RigidBodyType.Dynamic, true);
    this.#colliders.setTouching(id, true);
    body.setLinvel(linear, true);
    body.setAngvel(angular, true);
  }

  sleep(id: BodyId): void {
    if (this.#touching.others.carry(id, this.contacts)) return;
    this.awake.delete(id);
    this.#body(id).sleep();
    this.#weights.takeFrom(id);
  }

  drive(driven: number, to: ReadonlyPose, jumps: boolean): void {
    this.#driven.move(driven, to, jumps);
  }

  isCarried(id: BodyId): boolean {
    return this.#touching.others.move(id);
  }

  /** True if a collider moves that is no body's. */
  #isMoving(handle: number): boolean {
    return this.#world.getCollider(handle)?.parent()?.isMoving() === true;
  }

  readonly #wake = (id: BodyId): void => this.wake(id);

  wake(id: BodyId): void {
    if (this.#bodies[id] === null) return;
    this.awake.add(id);
    this.#body(id).wakeUp();
  }

  isAsleep(id: BodyId): boolean {
    return !this.awake.has(id);
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
    this.#colliders.renew((collider) => world.getCollider(collider.handle) ?? collider);
    this.#joints.renew(world);
    this.#driven.renew(world);
    this.#set = world.bodies.raw;
    this.#world.free();
    this.#world = world;
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#vector.free();
    this.#events.free();
    if (this.#lent === null) this.#world.free();
    else this.#giveBack();
  }

  /** The world is as it was when it was lent, but for what moved and what was added or removed by play. */
  #giveBack(): void {
    this.#driven.remove(this.#world);
    for (const [id, body] of this.#bodies.entries()) if (body !== null) this.#makeFree(id as BodyId, body);
  }
}

const isNever = (): boolean => false;
const readPose = pose();
