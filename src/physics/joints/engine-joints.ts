import type { BodyId } from '../../core/base/ids.ts';
import type { ContactGraph } from '../../core/world/contacts.ts';
import type { Joint } from '../../core/world/joints/joint.ts';
import type { Engine, FramedJoint, ImpulseJoint, JointData, RigidBody, World } from '../engine-types.ts';

/**
 * The difference in speed, in rad/s or m/s, at which a motor or friction has its full strength. The engine's motors are
 * damped towards a speed, with a greatest force.
 */
const FULL_STRENGTH_AT = 0.001;

/** A level's joints in an engine's world. A joint is there while both of its bodies are. */
export class EngineJoints {
  readonly #engine: Engine;
  readonly #joints: readonly Joint[];
  /** The indices of the joints of each body. */
  readonly #of = new Map<BodyId, number[]>();
  /** For each joint 1 while it is in the world. */
  readonly #isHere: Uint8Array;
  readonly #contacts: ContactGraph;
  /** The world as an end of joints: a body that never moves, made with the first of them. */
  #ground: RigidBody | null = null;

  constructor(engine: Engine, joints: readonly Joint[], contacts: ContactGraph) {
    this.#engine = engine;
    this.#joints = joints;
    this.#contacts = contacts;
    this.#isHere = new Uint8Array(joints.length);
    joints.forEach(({ ends }, i) => {
      for (const { body } of ends) {
        if (body === null) continue;
        const list = this.#of.get(body as BodyId);
        if (list === undefined) this.#of.set(body as BodyId, [i]);
        else list.push(i);
      }
    });
  }

  /**
   * A body has come into the world: makes its joints to bodies that are there.
   * @param bodies for each id the engine's body; null if there is none.
   */
  add(world: World, id: BodyId, bodies: readonly (RigidBody | null)[]): void {
    for (const i of this.#of.get(id) ?? []) {
      if (this.#isHere[i] === 1) continue;
      const { ends } = this.#joints[i];
      const [a, b] = ends.map(({ body }) => (body === null ? this.#groundIn(world) : bodies[body]));
      if (a === null || b === null) continue;
      this.#make(world, this.#joints[i], a, b);
      this.#isHere[i] = 1;
      if (ends[0].body !== null && ends[1].body !== null)
        this.#contacts.tie(ends[0].body as BodyId, ends[1].body as BodyId);
    }
  }

  /** A body is about to leave the world: the engine takes its joints out with it. */
  remove(id: BodyId): void {
    for (const i of this.#of.get(id) ?? []) {
      if (this.#isHere[i] === 0) continue;
      this.#isHere[i] = 0;
      const [a, b] = this.#joints[i].ends;
      if (a.body !== null && b.body !== null) this.#contacts.untie(a.body as BodyId, b.body as BodyId);
    }
  }

  /** Another world has taken the place of the one before, with the same handles. */
  renew(world: World): void {
    if (this.#ground !== null) this.#ground = world.getRigidBody(this.#ground.handle);
  }

  #groundIn(world: World): RigidBody {
    return (this.#ground ??= world.createRigidBody(this.#engine.RigidBodyDesc.fixed()));
  }

  #make(world: World, joint: Joint, a: RigidBody, b: RigidBody): void {
    const made = world.createImpulseJoint(this.#dataOf(joint), a, b, false);
    if (!isFramed(made)) throw new RangeError('Joints need Rapier 0.20 or newer.');
    const [{ frame: one }, { frame: other }] = joint.ends;
    made.setLocalFrame1(one.position, one.rotation);
    made.setLocalFrame2(other.position, other.rotation);
    made.setContactsEnabled(joint.collides);
    if (joint.kind !== 'hinge' && joint.kind !== 'slider') return;
    const { limits, motor, friction } = joint;
    if (limits !== null) made.setLimits(limits.least, limits.most);
    const strength = motor?.strength ?? friction;
    if (strength === 0) return;
    made.configureMotorModel(this.#engine.MotorModel.ForceBased);
    made.configureMotorVelocity(motor?.speed ?? 0, strength / FULL_STRENGTH_AT);
    made.setMotorMaxForce(strength);
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

function isFramed(joint: ImpulseJoint): joint is FramedJoint {
  return 'setLocalFrame1' in joint;
}

const ORIGIN = { x: 0, y: 0, z: 0 };
const AXIS = { x: 1, y: 0, z: 0 };
const UNTURNED = { x: 0, y: 0, z: 0, w: 1 };
