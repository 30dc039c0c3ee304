import { ticksIn } from '../base/constants.ts';
import { interpolationWeights } from '../base/interpolate.ts';
import type { Quaternion, ReadonlyPose, Vector } from '../base/math.ts';
import {
  conjugate,
  dot,
  multiply,
  normalize,
  quaternion,
  setQuaternion,
  setVector,
  vector,
} from '../base/math.ts';

/** Samples that are kept: somewhat more than SPEED_SECONDS need at 144 frames a second. */
const SAMPLES = 48;
/** Seconds over which the mean speed is taken. */
const SPEED_SECONDS = 0.27;
/** Seconds between two samples whose distance counts for it: nearer ones are mostly noise. */
const SPEED_STEP = 0.015;
/** Seconds before the last sample over which the velocity is the mean: long for noise, short for a swing. */
const WINDOW = 0.05;
/** Samples from which the pose at the start of that window is interpolated: a line between two would cut a swing. */
const AROUND = 6;
/** Seconds: the least distance of two samples. Two of one frame differ by the rounding of their time stamps alone. */
const LEAST_STEP = 1 / 600;
/** [G3] Metres per second of horizontal speed that make a release of a far body a throw, not a placing. */
const THROW_SPEED = 3;
/** [G3] Metres from the hand within which every release is a throw. */
const NEAR_GRIP = 1;
/** [G3] Metres per second: the fastest throw. */
const MAX_THROW_SPEED = 20;
/** [G3] Metres per second of horizontal speed above which a throw is lifted. */
const HARD_THROW_SPEED = 10;
/** [G3] Metres per second upwards that such a throw has at least. */
const LIFT = 2.5;
/** [G3] A placed body gets these multiples of the hand's own linear and angular velocity. */
const PLACE_LINEAR = 3;
const PLACE_ANGULAR = 2;
/** Numbers per sample: the moment, the body's position and rotation, the hand's position and rotation. */
const STRIDE = 15;
const FIELD = { body: 1, hand: 8 } as const;

/**
 * The velocities of a release, in metres and radians a second; `thrown` if it counts as a throw. The vectors are the
 * receiver's.
 */
export type Throw = { readonly thrown: boolean; readonly linear: Vector; readonly angular: Vector };

/**
 * [G3] Estimates the velocities of a held body and its hand from their latest time-stamped poses. A velocity is the mean
 * over the last 50 ms: the last pose minus the pose at the start of that window, divided by the time. The pose there is
 * Lagrange's polynomial through the six samples around it (base/interpolate.ts); of rotations the weighted sum of the
 * quaternions, normalised.
 */
export class VelocityEstimate {
  readonly #samples = new Float64Array(SAMPLES * STRIDE);
  #count = 0;
  /** The first of the samples around the start of the window, how many they are, and their weights. */
  #first = 0;
  #around = 0;
  readonly #weights = new Float64Array(AROUND);
  /** The times above in ticks, and a tick in seconds. */
  readonly #speedTicks: number;
  readonly #speedStep: number;
  readonly #window: number;
  readonly #leastStep: number;
  readonly #tickSeconds: number;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.#speedTicks = ticksIn(SPEED_SECONDS, rate);
    this.#speedStep = SPEED_STEP * rate;
    this.#window = WINDOW * rate;
    this.#leastStep = LEAST_STEP * rate;
    this.#tickSeconds = 1 / rate;
  }

  /** Forgets all samples: a new body is held, or the hand has jumped. */
  restart(): void {
    this.#count = 0;
  }

  /**
   * Adds a sample.
   * @param time in ticks. A sample that is not newer than the last replaces it; if it is not newer than the last but
   * one either, time has gone back, and all samples are forgotten.
   * @param body the pose of the held body; copied.
   * @param hand the pose of the hand; copied.
   */
  add(time: number, body: ReadonlyPose, hand: ReadonlyPose): void {
    if (!this.#isNewer(time)) this.#count--;
    if (!this.#isNewer(time)) this.restart();
    const at = (this.#count % SAMPLES) * STRIDE;
    this.#samples[at] = time;
    this.#put(body, at + 1);
    this.#put(hand, at + 8);
    this.#count++;
  }

  #put(p: ReadonlyPose, at: number): void {
    const s = this.#samples;
    s[at] = p.position.x;
    s[at + 1] = p.position.y;
    s[at + 2] = p.position.z;
    s[at + 3] = p.rotation.x;
    s[at + 4] = p.rotation.y;
    s[at + 5] = p.rotation.z;
    s[at + 6] = p.rotation.w;
  }

  /** Fills `out` with the mean velocity over the window before the last sample, in metres a second; 0 of one sample. */
  linear(of: 'body' | 'hand', out: Vector): Vector {
    const seconds = this.#findStart();
    const at = FIELD[of];
    if (seconds === 0) return setVector(out, 0, 0, 0);
    return setVector(out, this.#way(at) / seconds, this.#way(at + 1) / seconds, this.#way(at + 2) / seconds);
  }

  /** Fills `out` with the mean angular velocity over the same window, in radians a second; 0 of one sample. */
  angular(of: 'body' | 'hand', out: Vector): Vector {
    const seconds = this.#findStart();
    if (seconds === 0) return setVector(out, 0, 0, 0);
    this.#turn(FIELD[of] + 3, turn);
    const sign = turn.w < 0 ? -1 : 1;
    const sine = Math.sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    const angle = 2 * Math.atan2(sine, Math.abs(turn.w));
    const scale = sine > 1e-6 ? (sign * angle) / (sine * seconds) : 0;
    return setVector(out, turn.x * scale, turn.y * scale, turn.z * scale);
  }

  /** The mean horizontal speed of the body over SPEED_SECONDS, in metres a second, at any frame rate. */
  meanHorizontalSpeed(): number {
    const oldest = Math.max(0, this.#count - SAMPLES);
    const last = this.#count - 1;
    let after = last;
    let path = 0;
    for (let i = last - 1; i >= oldest && this.#since(i, last) < this.#speedTicks; i--) {
      if (this.#since(i, after) < this.#speedStep) continue;
      const x = this.#at(after, 1) - this.#at(i, 1);
      const z = this.#at(after, 3) - this.#at(i, 3);
      path += Math.sqrt(x * x + z * z);
      after = i;
    }
    const seconds = this.#since(after, last) * this.#tickSeconds;
    return seconds > 0 ? path / seconds : 0;
  }

  /** Ticks from one sample to a later one. */
  #since(earlier: number, later: number): number {
    return this.#at(later, 0) - this.#at(earlier, 0);
  }

  #at(index: number, field: number): number {
    return index < 0 ? 0 : this.#samples[(index % SAMPLES) * STRIDE + field];
  }

  #rotation(index: number, field: number, out: Quaternion): void {
    out.x = this.#at(index, field);
    out.y = this.#at(index, field + 1);
    out.z = this.#at(index, field + 2);
    out.w = this.#at(index, field + 3);
  }

  #isNewer(time: number): boolean {
    return this.#count === 0 || time >= this.#at(this.#count - 1, 0) + this.#leastStep;
  }

  /**
   * Finds the samples around the start of the window, and their weights in the pose there. If no sample is as old, the
   * window starts at the oldest.
   * @returns seconds from the start to the last sample; 0 if there are less than two samples.
   */
  #findStart(): number {
    const last = this.#count - 1;
    const oldest = Math.max(0, this.#count - SAMPLES);
    if (last <= oldest) return 0;
    const start = Math.max(this.#at(last, 0) - this.#window, this.#at(oldest, 0));
    let after = last;
    while (after > oldest + 1 && this.#at(after - 1, 0) > start) after--;
    // Across a longer pause between frames a polynomial would overshoot.
    const isPause = this.#at(after, 0) - this.#at(after - 1, 0) > this.#window;
    this.#around = isPause ? 2 : Math.min(AROUND, this.#count - oldest);
    this.#first = Math.max(oldest, Math.min(after - (this.#around >> 1), this.#count - this.#around));
    for (let i = 0; i < this.#around; i++) times[i] = this.#at(this.#first + i, 0);
    interpolationWeights(times, this.#around, start, this.#weights);
    return (this.#at(last, 0) - start) * this.#tickSeconds;
  }

  /** The change of one field from the start of the window to the last sample. */
  #way(field: number): number {
    const end = this.#at(this.#count - 1, field);
    let way = 0;
    for (let i = 0; i < this.#around; i++) way += this.#weights[i] * (end - this.#at(this.#first + i, field));
    return way;
  }

  /** The rotation from the start of the window to the last sample. */
  #turn(field: number, out: Quaternion): void {
    this.#rotation(this.#count - 1, field, end);
    setQuaternion(start, 0, 0, 0, 0);
    for (let i = 0; i < this.#around; i++) {
      this.#rotation(this.#first + i, field, between);
      // Both signs are the same rotation. The sign of the last one is taken, or they would cancel out.
      const weight = dot(between, end) < 0 ? -this.#weights[i] : this.#weights[i];
      start.x += weight * between.x;
      start.y += weight * between.y;
      start.z += weight * between.z;
      start.w += weight * between.w;
    }
    multiply(end, conjugate(normalize(start, start), start), out);
  }
}

/**
 * [G3] The velocities with which a body leaves the hand. A body near the hand, or in a fast hand, is thrown with its
 * own velocities; a far one in a slow hand is placed. A hand that has lost tracking lets go gently: the body just falls.
 * @param distance metres from the hand to the body.
 * @param tracked false if the hand has lost tracking.
 */
export function throwVelocity(estimate: VelocityEstimate, distance: number, tracked: boolean): Throw {
  const [linear, angular] = [vector(), vector()];
  if (!tracked) return { thrown: false, linear, angular };
  const thrown = distance < NEAR_GRIP || estimate.meanHorizontalSpeed() >= THROW_SPEED;
  if (!thrown) {
    estimate.linear('hand', linear);
    estimate.angular('hand', angular);
    scale(linear, PLACE_LINEAR);
    scale(angular, PLACE_ANGULAR);
    limit(linear, THROW_SPEED);
    return { thrown, linear, angular };
  }
  estimate.linear('body', linear);
  estimate.angular('body', angular);
  const horizontal = Math.sqrt(linear.x * linear.x + linear.z * linear.z);
  if (horizontal > HARD_THROW_SPEED) linear.y = Math.max(linear.y, LIFT);
  limit(linear, MAX_THROW_SPEED);
  return { thrown: horizontal >= 1, linear, angular };
}

function scale(v: Vector, by: number): void {
  setVector(v, v.x * by, v.y * by, v.z * by);
}

function limit(v: Vector, most: number): void {
  const size = Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  if (size > most) scale(v, most / size);
}

const times = new Float64Array(AROUND);
const start = quaternion();
const between = quaternion();
const end = quaternion();
const turn = quaternion();
