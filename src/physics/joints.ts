import type RAPIER from '@dimforge/rapier3d-simd-compat';
import type { BodyId } from '../core/base/ids.ts';
import type { ContactGraph } from '../core/world/contacts.ts';
import type { Joint } from '../core/world/joints/joint.ts';
import type { Engine } from './engine.ts';

/**
 * The difference in speed, in rad/s or m/s, at which a motor or friction has its full strength. The engine's motors are
 * damped towards a speed, with a greatest force.
 */
const FULL_STRENGTH_AT = 0.001;

/** The engine's body of an id; null if there is none. */
type BodyOf = (id: BodyId) => RAPIER.RigidBody | null;

/** A level's joints in an engine's world. A joint is there while both of its bodies are. */
export class EngineJoints {
  readonly #engine: Engine;
  readonly #joints: readonly Joint[];
  /** The indices of the joints of each body. */
  readonly #of = new Map<BodyId, number[]>();
  /** For each joint 1 while it is in the world. */
  readonly #isHere: Uint8Array;
  readonly #contacts: ContactGraph;

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

  /** A body has come into the world: makes its joints to bodies that are there. */
  add(world: RAPIER.World, id: BodyId, bodyOf: BodyOf, ground: () => RAPIER.RigidBody): void {
    for (const i of this.#of.get(id) ?? []) {
      if (this.#isHere[i] === 1) continue;
      const { ends } = this.#joints[i];
      const [a, b] = ends.map(({ body }) => (body === null ? ground() : bodyOf(body as BodyId)));
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

  #make(world: RAPIER.World, joint: Joint, a: RAPIER.RigidBody, b: RAPIER.RigidBody): void {
    const made = world.createImpulseJoint(this.#dataOf(joint), a, b, false);
    const [{ frame: one }, { frame: other }] = joint.ends;
    made.setLocalFrame1(one.position, one.rotation);
    made.setLocalFrame2(other.position, other.rotation);
    made.setContactsEnabled(joint.collides);
    if (joint.kind !== 'hinge' && joint.kind !== 'slider') return;
    const axis = made as RAPIER.RevoluteImpulseJoint;
    const { limits, motor, friction } = joint;
    if (limits !== null) axis.setLimits(limits.least, limits.most);
    const strength = motor?.strength ?? friction;
    if (strength === 0) return;
    axis.configureMotorModel(this.#engine.MotorModel.ForceBased);
    axis.configureMotorVelocity(motor?.speed ?? 0, strength / FULL_STRENGTH_AT);
    axis.setMotorMaxForce(strength);
  }

  #dataOf(joint: Joint): RAPIER.JointData {
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

const ORIGIN = { x: 0, y: 0, z: 0 };
const AXIS = { x: 1, y: 0, z: 0 };
const UNTURNED = { x: 0, y: 0, z: 0, w: 1 };
