import type { BodyId } from '../../core/base/ids.ts';
import type { ContactGraph } from '../../core/world/contacts.ts';
import type { Joint } from '../../core/world/joints/joint.ts';
import { BREAKING_GAP } from '../../core/world/joints/joint.ts';
import type { Level } from '../../core/world/level.ts';
import type { Engine, FramedJoint, ImpulseJoint, JointData, RigidBody, World } from '../engine-types.ts';

/**
 * The difference in speed, in rad/s or m/s, at which a motor or friction has its full strength. The engine's motors are
 * damped towards a speed, with a greatest force.
 */
const FULL_STRENGTH_AT = 0.001;
/** [J6.1] The damping of a joint that can break, as a share of critical damping: it gives under a blow. */
const GIVING_DAMPING = 0.5;

/** A level's joints in an engine's world. A joint is there while both of its bodies are, unless it is gone [J4]. */
export class EngineJoints {
  readonly #engine: Engine;
  readonly #level: Level;
  /** By their numbers; null for one that is gone [J4]. */
  readonly #joints: (Joint | null)[];
  /** The numbers of the joints of each body. */
  readonly #of = new Map<BodyId, Set<number>>();
  /** The handles of the joints that are in the world. */
  readonly #handles = new Map<number, number>();
  readonly #contacts: ContactGraph;
  /** The world as an end of joints: a body that never moves, made with the first of them. */
  #ground: RigidBody | null = null;

  constructor(engine: Engine, level: Level, contacts: ContactGraph) {
    this.#engine = engine;
    this.#level = level;
    this.#contacts = contacts;
    this.#joints = [...level.joints];
    level.joints.forEach((joint, i) => this.#note(joint, i));
  }

  #note({ ends }: Joint, i: number): void {
    for (const { body } of ends) {
      if (body === null) continue;
      const known = this.#of.get(body as BodyId) ?? new Set<number>();
      this.#of.set(body as BodyId, known.add(i));
    }
  }

  /**
   * A body has come into the world: makes its joints to bodies that are there.
   * @param bodies for each id the engine's body; null if there is none.
   */
  add(world: World, id: BodyId, bodies: readonly (RigidBody | null)[]): void {
    for (const i of this.#of.get(id) ?? []) this.#addOne(world, i, bodies);
  }

  #addOne(world: World, i: number, bodies: readonly (RigidBody | null)[]): void {
    const joint = this.#joints[i];
    if (joint === null || this.#handles.has(i)) return;
    const { ends } = joint;
    const [a, b] = ends.map(({ body }) => (body === null ? this.#groundIn(world) : bodies[body]));
    if (a === null || b === null) return;
    this.#handles.set(i, this.#make(world, joint, a, b));
    if (ends[0].body !== null && ends[1].body !== null)
      this.#contacts.tie(ends[0].body as BodyId, ends[1].body as BodyId);
  }

  /** A body is about to leave the world, or to be disabled in it: its joints are taken out. */
  remove(world: World, id: BodyId): void {
    for (const i of this.#of.get(id) ?? []) this.#takeOut(world, i);
  }

  #takeOut(world: World, i: number): void {
    const handle = this.#handles.get(i);
    if (handle !== undefined) world.impulseJoints.remove(handle, false);
    this.#forget(i);
  }

  /** [J4] See Simulation.setJoint. @param bodies as for `add`. */
  set(world: World, i: number, joint: Joint | null, bodies: readonly (RigidBody | null)[]): void {
    this.#takeOut(world, i);
    for (const end of this.#joints[i]?.ends ?? []) this.#of.get(end.body as BodyId)?.delete(i);
    this.#joints[i] = joint;
    if (joint === null) return;
    this.#note(joint, i);
    this.#addOne(world, i, bodies);
  }

  /** A joint is not in the world any more. */
  #forget(i: number): void {
    const joint = this.#joints[i];
    if (joint === null || !this.#handles.delete(i)) return;
    const [a, b] = joint.ends;
    if (a.body !== null && b.body !== null) this.#contacts.untie(a.body as BodyId, b.body as BodyId);
  }

  /** Another world has taken the place of the one before, with the same handles. */
  renew(world: World): void {
    if (this.#ground !== null) this.#ground = world.getRigidBody(this.#ground.handle);
  }

  #groundIn(world: World): RigidBody {
    return (this.#ground ??= world.createRigidBody(this.#engine.RigidBodyDesc.fixed()));
  }

  #make(world: World, joint: Joint, a: RigidBody, b: RigidBody): number {
    const gives = joint.breaksAt !== undefined && joint.kind !== 'spring';
    const made = world.createImpulseJoint(gives ? this.#givingOf(joint) : this.#dataOf(joint), a, b, false);
    if (!isFramed(made)) throw new Error('This build of Rapier gives joints no frames.');
    const [{ frame: one }, { frame: other }] = joint.ends;
    made.setLocalFrame1(one.position, one.rotation);
    made.setLocalFrame2(other.position, other.rotation);
    made.setContactsEnabled(joint.collides);
    if (!joint.collides) for (const body of [a, b]) endContacts(body);
    if (gives) this.#letGive(world, made.handle, joint, a, b);
    if (joint.kind === 'hinge' || joint.kind === 'slider') this.#drive(world, made.handle, joint);
    return made.handle;
  }

  /** The limits, the motor and the friction of the one axis that a hinge or a slider leaves free. */
  #drive(world: World, handle: number, { kind, limits, motor, friction }: AxisJoint): void {
    const { raw } = world.impulseJoints;
    const axis = kind === 'hinge' ? TURN_X : MOVE_X;
    if (limits !== null) raw.jointSetLimits(handle, axis, limits.least, limits.most);
    const strength = motor?.strength ?? friction;
    if (strength === 0) return;
    raw.jointConfigureMotorModel(handle, axis, this.#engine.MotorModel.ForceBased);
    raw.jointConfigureMotorVelocity(handle, axis, motor?.speed ?? 0, strength / FULL_STRENGTH_AT);
    raw.jointSetMotorMaxForce?.(handle, axis, strength);
  }

  /** [J6.1] Springs hold the ends together, in place of locks. */
  #letGive(world: World, handle: number, joint: Joint, a: RigidBody, b: RigidBody): void {
    const { kind, breaksAt = 0, ends } = joint;
    const { raw } = world.impulseJoints;
    const stiffness = breaksAt / BREAKING_GAP;
    const light = this.#inverseMassOf(ends[0].body, a) + this.#inverseMassOf(ends[1].body, b);
    const damping = 2 * GIVING_DAMPING * Math.sqrt(stiffness / light);
    for (let axis = kind === 'slider' ? MOVE_X + 1 : MOVE_X; axis < TURN_X; axis++) {
      raw.jointConfigureMotorModel(handle, axis, this.#engine.MotorModel.ForceBased);
      raw.jointConfigureMotor(handle, axis, 0, 0, stiffness, damping);
    }
  }

  /** One divided by the mass of an end's body in kilograms; 0 for the world. */
  #inverseMassOf(body: number | null, of: RigidBody): number {
    if (body === null) return 0;
    // Before its first step the engine has the mass of a compound wrong.
    if (body < this.#level.bodies.length) return 1 / this.#level.bodies[body].template.mass;
    of.recomputeMassPropertiesFromColliders();
    return 1 / of.mass();
  }

  /** A joint that leaves its ends free to part. */
  #givingOf({ kind }: Joint): JointData {
    const turns =
      kind === 'ball' ? 0 : kind === 'hinge' ? LOCKED_Y + LOCKED_Z : LOCKED_X + LOCKED_Y + LOCKED_Z;
    return this.#engine.JointData.generic(ORIGIN, ORIGIN, AXIS, turns);
  }

  #dataOf(joint: Joint): JointData {
    const { JointData } = this.#engine;
    switch (joint.kind) {
      case 'fixed':
        return JointData.fixed(ORIGIN, UNTURNED, ORIGIN, UNTURNED);
      case 'hinge':
        return JointData.revolute(ORIGIN, ORIGIN, AXIS);
      case 'slider':
        return JointData.prismatic(ORIGIN, ORIGIN, AXIS);
      case 'ball':
        return JointData.spherical(ORIGIN, ORIGIN);
      case 'rope':
        return JointData.rope(joint.length, ORIGIN, ORIGIN);
      case 'spring':
        return JointData.spring(joint.length, joint.stiffness, joint.damping, ORIGIN, ORIGIN);
    }
  }
}

type AxisJoint = Extract<Joint, { readonly kind: 'hinge' | 'slider' }>;

function isFramed(joint: ImpulseJoint): joint is FramedJoint {
  return 'setLocalFrame1' in joint;
}

/** The engine's numbers of the first linear and the first angular axis, and its bits of locked angular ones. */
const MOVE_X = 0;
const TURN_X = 3;
const LOCKED_X = 8;
const LOCKED_Y = 16;
const LOCKED_Z = 32;
const ORIGIN = { x: 0, y: 0, z: 0 };
const AXIS = { x: 1, y: 0, z: 0 };
const UNTURNED = { x: 0, y: 0, z: 0, w: 1 };

/**
 * Ends a body's contacts that a new joint forbids. The engine would keep them until one of the bodies moves. It looks again
 * at a collider whose groups have changed, also if they are then what they were.
 */
function endContacts(body: RigidBody): void {
  for (let i = 0; i < body.numColliders(); i++) {
    const collider = body.collider(i);
    const groups = collider.collisionGroups();
    collider.setCollisionGroups((groups ^ 1) >>> 0);
    collider.setCollisionGroups(groups);
  }
}
