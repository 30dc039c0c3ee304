import { TICK_SECONDS } from '../../core/base/constants.ts';
import { angleBetween, quaternion } from '../../core/base/math.ts';
import { MOTION, POSE_STRIDE } from '../../core/base/state.ts';
import { apart, blendPose, extrapolatePose, rotationAt } from '../game/poses.ts';

/**
 * How a receiver compensates for the age of an owner's updates. Positions are of one body; times are ticks, of
 * clocks that agree.
 */
export type Compensation = 'add' | 'move' | 'displace';

/** The most ticks of age that are compensated: half a second. Beyond that the path is a guess. */
const MOST_AGE = 30;
/**
 * A body moves towards its target faster than the target: by these metres and radians a second, and by this share of
 * the gap in each tick.
 */
const LEAST_SPEED = 0.5;
const LEAST_TURN = 1;
const GAP_SHARE = 0.2;

/** One body of another player, as it is drawn here. */
export class RemoteBody {
  /** POSE_STRIDE numbers. */
  readonly drawn: Float32Array;
  readonly #motion: Float32Array;
  readonly #before: Float32Array;
  readonly #target = new Float32Array(POSE_STRIDE);
  #tick = 0;
  #ticksBefore = 0;

  /** @param start STRIDE numbers. */
  constructor(start: Float32Array) {
    this.#motion = start.slice();
    this.#before = start.slice();
    this.drawn = start.slice(0, POSE_STRIDE);
  }

  /** The owner sent the body's motion at one of the owner's ticks: STRIDE numbers at `at`. */
  hear(tick: number, motion: Float32Array, at: number): void {
    this.#before.set(this.#motion);
    this.#ticksBefore = this.#tick === 0 ? 0 : tick - this.#tick;
    for (let i = 0; i < this.#motion.length; i++) this.#motion[i] = motion[at + i];
    this.#tick = tick;
  }

  /** Draws the body at a tick. */
  advance(tick: number, how: Compensation): void {
    if (this.#tick === 0) return;
    const age = Math.max(0, Math.min(MOST_AGE, tick - this.#tick));
    if (how === 'displace') this.#displace(age);
    else extrapolatePose(this.#motion, 0, age * TICK_SECONDS, this.#target, 0);
    if (how === 'move') this.#moveTowards();
    else this.drawn.set(this.#target);
  }

  /** STRIDE numbers, of which only the velocities count: m/s and rad/s as the owner sent them. */
  get motion(): Readonly<Float32Array> {
    return this.#motion;
  }

  /** Without velocities: continues by as much as the body moved between the last two updates. */
  #displace(age: number): void {
    const share = this.#ticksBefore === 0 ? 0 : age / this.#ticksBefore;
    blendPose(this.#before, 0, this.#motion, 0, 1 + share, this.#target, 0);
  }

  /** Moves towards the target, a little faster than the target moves. */
  #moveTowards(): void {
    const m = this.#motion;
    const gap = apart(this.drawn, 0, this.#target, 0);
    const speed = Math.hypot(m[MOTION.linear], m[MOTION.linear + 1], m[MOTION.linear + 2]);
    const step = (speed + LEAST_SPEED) * TICK_SECONDS + gap * GAP_SHARE;
    const angle = angleBetween(rotationAt(this.drawn, 3, from), rotationAt(this.#target, 3, to));
    const spin = Math.hypot(m[MOTION.angular], m[MOTION.angular + 1], m[MOTION.angular + 2]);
    const turn = (spin + LEAST_TURN) * TICK_SECONDS + angle * GAP_SHARE;
    const turned = angle <= turn ? 1 : turn / angle;
    const went = gap <= step ? 1 : step / gap;
    blendPose(this.drawn, 0, this.#target, 0, turned, moved, 0);
    for (let i = 0; i < 3; i++) moved[i] = this.drawn[i] + (this.#target[i] - this.drawn[i]) * went;
    this.drawn.set(moved);
  }
}

const moved = new Float32Array(POSE_STRIDE);
const from = quaternion();
const to = quaternion();
