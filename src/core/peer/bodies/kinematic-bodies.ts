import type { BodyId, Slot } from '../../base/ids.ts';
import { putVector } from '../../base/motion.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../base/math.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import type { DrawnPoses } from '../shown/drawn-poses.ts';
import type { EngineMirror } from './engine-mirror.ts';
import type { ReceivedStates } from './received-states.ts';
import type { RestTracker } from './rest-tracker.ts';

/**
 * [G5] The bodies that the engine does not move: those in a hand of this peer, those that another player's hand
 * carries here, and those that hang where they were let go until the host has ruled on them [A9].
 */
export class KinematicBodies {
  /** 1 for a kinematic body. Read only. */
  readonly mask: Uint8Array;
  readonly #engine: EngineMirror;
  readonly #rest: RestTracker;
  readonly #received: ReceivedStates;
  readonly #drawn: DrawnPoses;

  /** DISTURBING in metres a tick. */
  readonly #disturbing: number;

  /** @param rate ticks a second. */
  constructor(
    engine: EngineMirror,
    rest: RestTracker,
    received: ReceivedStates,
    drawn: DrawnPoses,
    rate: number,
  ) {
    this.#disturbing = DISTURBING / rate;
    this.mask = new Uint8Array(engine.records.count);
    this.#engine = engine;
    this.#rest = rest;
    this.#received = received;
    this.#drawn = drawn;
  }

  /** True for a body in a hand of this peer, in the shown hand of another player, or hanging between two hands. */
  has(body: BodyId): boolean {
    return this.mask[body] === 1;
  }

  /** [G5] Puts a body into a hand of this peer: from now on it pushes what it touches. */
  hold(body: BodyId): void {
    this.#begin(body, true);
  }

  /**
   * [G5] Moves a body to where another player's hand carries it: it pushes nothing. Its way into the hand is eased.
   * @param pose in the world; copied.
   * @param author the player that carries it.
   */
  carry(body: BodyId, pose: ReadonlyPose, author: Slot): void {
    const { following } = this.#received;
    const { motion, recorded } = this.#engine;
    const begins = !this.has(body) || !following.isOf(body, author);
    following.followHand(body, author);
    if (begins) this.#begin(body, false);
    this.move(body, pose);
    const at = body * STRIDE;
    putVector(pose.position, recorded, at);
    putVector(pose.rotation, recorded, at + MOTION.rotation);
    recorded[at + MOTION.rotation + 3] = pose.rotation.w;
    if (begins && following.canEase(body)) this.#drawn.corrections.moved(body, motion, recorded);
    following.setCanEase(body, true);
  }

  /** The body is no more: nothing holds or carries it. */
  forget(body: BodyId): void {
    this.mask[body] = 0;
  }

  #begin(body: BodyId, pushes: boolean): void {
    this.#engine.simulation.hold(body, pushes);
    this.#rest.disturbTouching(body);
    this.mask[body] = 1;
    this.#engine.records.resting[body] = 0;
    this.#received.drop(body);
  }

  /** Moves a kinematic body. What touches it wakes, since it may lose its footing. */
  move(body: BodyId, pose: ReadonlyPose): void {
    const { simulation, motion } = this.#engine;
    simulation.moveHeld(body, pose);
    const at = body * STRIDE;
    const x = motion[at] - pose.position.x;
    const y = motion[at + 1] - pose.position.y;
    const z = motion[at + 2] - pose.position.z;
    if (x * x + y * y + z * z >= this.#disturbing * this.#disturbing) this.#rest.disturbTouching(body);
  }

  /**
   * Gives a body back to the engine; does nothing for one that the engine moves already. A state that is due goes on
   * from there, otherwise the record takes the velocities.
   * @param linear metres a second.
   * @param angular radians a second.
   */
  makeDynamic(body: BodyId, linear: ReadonlyVector, angular: ReadonlyVector): void {
    if (!this.has(body)) return;
    this.#engine.simulation.release(body, linear, angular);
    this.mask[body] = 0;
    this.#rest.detector.restart(body);
    this.#rest.refresh(body);
    if (this.#received.isDue(body)) {
      // A hand is shown at the exact moment, the engine at whole ticks: the difference is time, not an error to ease.
      this.#received.following.setCanEase(body, false);
      return;
    }
    const at = body * STRIDE;
    putVector(linear, this.#engine.motion, at + MOTION.linear);
    putVector(angular, this.#engine.motion, at + MOTION.angular);
    this.#engine.quantise(body);
  }
}

/** Metres a second: a kinematic body that moves at least so fast disturbs what touches it. */
const DISTURBING = 0.06;
