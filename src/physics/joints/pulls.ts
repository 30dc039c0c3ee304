import type { BodyId } from '../../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../core/base/math.ts';
import { length } from '../../core/base/math.ts';
import type { Engine, RigidBody, World } from '../engine-types.ts';

/** Newtons and newton-metres with which a hand pulls and turns, at most. */
const MOST_FORCE = 400;
const MOST_TORQUE = 60;
/**
 * Radians a second: how fast a body that nothing hinders follows the hand. It is critically damped, so it does not
 * swing.
 */
const QUICKNESS = 40;
const STIFFNESS = QUICKNESS * QUICKNESS;
const DAMPING = 2 * QUICKNESS;

/** A hand in the engine's world: a body without shape, and a joint whose motors pull at another body. */
type Pull = { readonly id: BodyId; readonly hand: RigidBody; readonly joint: number; load: number };

/** [J3] The hands that pull bodies, in an engine's world: see Simulation.pull. */
export class Pulls {
  readonly #engine: Engine;
  readonly #pulls = new Map<number, Pull>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  pull(
    world: World,
    hand: number,
    id: BodyId,
    body: RigidBody,
    grip: ReadonlyVector,
    to: ReadonlyPose,
    load: number,
  ): void {
    const present = this.#pulls.get(hand);
    if (present !== undefined && present.id === id) {
      present.hand.setNextKinematicTranslation(to.position);
      present.hand.setNextKinematicRotation(to.rotation);
      if (present.load !== load) this.#configure(world, present, load);
      body.wakeUp();
      return;
    }
    this.end(world, hand);
    const made = world.createRigidBody(
      this.#engine.RigidBodyDesc.kinematicPositionBased()
        .setTranslation(to.position.x, to.position.y, to.position.z)
        .setRotation(to.rotation),
    );
    const data = this.#engine.JointData.generic(ORIGIN, grip, AXIS, 0);
    const { handle } = world.createImpulseJoint(data, made, body, true);
    const pull = { id, hand: made, joint: handle, load };
    this.#configure(world, pull, load);
    this.#pulls.set(hand, pull);
  }

  #configure(world: World, pull: Pull, load: number): void {
    pull.load = load;
    // The wrapper has motors for joints of one axis only.
    const { raw } = world.impulseJoints;
    for (let axis = 0; axis < 6; axis++) {
      const isTurn = axis >= 3;
      // The engine multiplies both by the mass of the pulled body alone. With the whole load on straight pulls, too, the
      // Workshop's joints come apart by 5.4 mm (p99) instead of 4.3.
      const share = isTurn ? load : Math.sqrt(load);
      raw.jointConfigureMotor(pull.joint, axis, 0, 0, STIFFNESS * share, DAMPING * share);
      raw.jointSetMotorMaxForce?.(pull.joint, axis, isTurn ? MOST_TORQUE : MOST_FORCE);
    }
  }

  end(world: World, hand: number): void {
    const pull = this.#pulls.get(hand);
    if (pull === undefined) return;
    // The joint goes with it.
    world.removeRigidBody(pull.hand);
    this.#pulls.delete(hand);
  }

  /** A body is about to leave the world: nothing pulls it any more. */
  endOf(world: World, id: BodyId): void {
    for (const [hand, pull] of this.#pulls) if (pull.id === id) this.end(world, hand);
  }
}

/** Pushes a body once; see Simulation.push. @returns false if it would turn too fast, and was not pushed. */
export function pushBody(
  body: RigidBody,
  impulse: ReadonlyVector,
  at: ReadonlyVector | null,
  mostSpin: number,
): boolean {
  if (at === null) {
    body.applyImpulse(impulse, false);
    return true;
  }
  const [linear, angular] = [body.linvel(), body.angvel()];
  body.applyImpulseAtPoint(impulse, at, false);
  if (length(body.angvel()) <= mostSpin) return true;
  body.setLinvel(linear, false);
  body.setAngvel(angular, false);
  return false;
}

const ORIGIN = { x: 0, y: 0, z: 0 };
const AXIS = { x: 1, y: 0, z: 0 };
