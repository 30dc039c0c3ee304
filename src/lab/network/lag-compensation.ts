import { TICK_SECONDS } from '../../core/base/constants.ts';
import { angleBetween, quaternion } from '../../core/base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import { apart, blendPose, extrapolatePose, rotationAt } from '../game/poses.ts';

/**
 * How a receiver makes up for the age of an owner's updates; the three ways of "Lag Compensation for PUN".
 * `add`: the body is set to position plus velocity times age, and the engine carries on from there.
 * `move`: the body keeps its place, takes the sent velocity, and is pulled towards that target at a bounded rate.
 * `displace`: nothing has a velocity; what is drawn goes to position plus movement times age, a little faster than it
 * moved. Rotations are extrapolated in all three, which the source leaves out.
 */
export type Compensation = 'add' | 'move' | 'displace';

/** The most seconds of age that are made up for. Beyond that the path is a guess. */
const MOST_AGE = 0.5;
/** Metres per second and radians per second (100°) at which a body is pulled to its target, as in the source. */
const CHASE = 1;
const TURN = (100 * Math.PI) / 180;
/** Metres from the target beyond which a body is set there at once, as Photon's views can. */
const TELEPORT = 3;

/** One body of another player, as an owner's updates place it in the receiver's world. */
export class RemoteBody {
  /** STRIDE numbers: where the body is in the receiver's engine, or is drawn. */
  readonly motion: Float32Array;
  readonly #how: Compensation;
  readonly #target: Float32Array;
  /** Metres per second at which the thing moved when it was sent. */
  #speed = 0;

  /** @param start STRIDE numbers. */
  constructor(start: Float32Array, how: Compensation) {
    this.motion = start.slice();
    this.#target = start.slice();
    this.#how = how;
  }

  /**
   * The owner sent the body's motion: STRIDE numbers at `at`.
   * @param age seconds since it was sent, as the receiver estimates them.
   */
  hear(motion: Float32Array, at: number, age: number): void {
    const target = this.#target;
    for (let i = 0; i < STRIDE; i++) target[i] = motion[at + i];
    extrapolatePose(motion, at, Math.max(0, Math.min(MOST_AGE, age)), target, 0);
    this.#speed = speedOf(target, MOTION.linear);
    if (this.#how === 'displace') this.motion.fill(0, MOTION.linear);
    else this.motion.set(target.subarray(MOTION.linear), MOTION.linear);
    const isFar = apart(this.motion, 0, target, 0) > TELEPORT;
    if (this.#how === 'add' || isFar) this.motion.set(target.subarray(0, POSE_STRIDE));
  }

  /** A tick passes: pulls the body towards its target. `motion` has where the engine has it by now. */
  pull(): void {
    if (this.#how === 'add') return;
    const rate = this.#how === 'move' ? CHASE : this.#speed + CHASE;
    const gap = apart(this.motion, 0, this.#target, 0);
    const angle = angleBetween(rotationAt(this.motion, 3, from), rotationAt(this.#target, 3, to));
    const went = shareOf(rate * TICK_SECONDS, gap);
    blendPose(this.motion, 0, this.#target, 0, shareOf(TURN * TICK_SECONDS, angle), moved, 0);
    for (let i = 0; i < 3; i++) moved[i] = this.motion[i] + (this.#target[i] - this.motion[i]) * went;
    this.motion.set(moved);
  }
}

/** The share of a way that a step of some length goes: 1 if it arrives. */
function shareOf(step: number, way: number): number {
  return way <= step ? 1 : step / way;
}

function speedOf(motion: Float32Array, at: number): number {
  return Math.hypot(motion[at], motion[at + 1], motion[at + 2]);
}

const moved = new Float32Array(POSE_STRIDE);
const from = quaternion();
const to = quaternion();
