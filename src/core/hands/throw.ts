import { TICK_SECONDS } from '../base/constants.ts';
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

/** Samples that are kept: a bit more than the ticks below, at 144 frames a second. */
const SAMPLES = 48;
/** Ticks over which the mean speed is taken, and from one place to the next: frames closer by are mostly noise. */
const SPEED_TICKS = 16;
const SPEED_STEP = 0.9;
/** Ticks before the last sample over which the velocity is the mean: 50 ms, long for noise, short for a swing. */
const WINDOW = 0.05 / TICK_SECONDS;
/** Samples around the start of that window which say where it was: a straight line between two cuts a swing. */
const AROUND = 6;
/** Ticks between two samples at the least: two of one frame differ by the rounding of their stamps alone. */
const LEAST_STEP = 0.1;
/** [G3] Metres per second of horizontal speed that make a release of a far body a throw, not a placing. */
const THROW_SPEED = 3;
/** [G3] Metres from the hand within which every release is a throw. */
const NEAR_GRIP = 1;
/** [G3] Metres per second: the fastest throw; and from where on a throw gets at least this much lift. */
const MAX_THROW_SPEED = 20;
const HARD_THROW_SPEED = 10;
const LIFT = 2.5;
/** [G3] A placed body gets these multiples of the hand's own velocity and turn. */
const PLACE_LINEAR = 3;
const PLACE_ANGULAR = 2;
/** Numbers per sample: the moment, the body's position and rotation, the hand's position and rotation. */
const STRIDE = 15;
const FIELD = { body: 1, hand: 8 } as const;

export type Throw = { readonly thrown: boolean; readonly linear: Vector; readonly angular: Vector };

/** Time-stamped poses of a held body and its hand, and the velocities that they had lately. */
export class VelocityEstimate {
  readonly #samples = new Float64Array(SAMPLES * STRIDE);
  #count = 0;
  /** The first of the samples around the start of the window, how many they are, and what each counts for. */
  #first = 0;
  #around = 0;
  readonly #weights = new Float64Array(AROUND);

  restart(): void {
    this.#count = 0;
  }

  /**
   * Adds the poses at a moment, in ticks. One that is not newer than the last replaces it; with one that is not
   * newer than the last but one either, time has gone back, and all begins anew.
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

  /** Metres a second: the mean velocity over the window before the last sample. */
  linear(whose: 'body' | 'hand', out: Vector): Vector {
    const seconds = this.#findStart();
    const at = FIELD[whose];
    if (seconds === 0) return setVector(out, 0, 0, 0);
    return setVector(out, this.#way(at) / seconds, this.#way(at + 1) / seconds, this.#way(at + 2) / seconds);
  }

  /** Radians a second: the mean turn over the same window. */
  angular(whose: 'body' | 'hand', out: Vector): Vector {
    const seconds = this.#findStart();
    if (seconds === 0) return setVector(out, 0, 0, 0);
    this.#turn(FIELD[whose] + 3, turn);
    const sign = turn.w < 0 ? -1 : 1;
    const sine = Math.sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    const angle = 2 * Math.atan2(sine, Math.abs(turn.w));
    const scale = sine > 1e-6 ? (sign * angle) / (sine * seconds) : 0;
    return setVector(out, turn.x * scale, turn.y * scale, turn.z * scale);
  }

  /** Metres a second: the mean horizontal speed of the body over the last 16 ticks, at any rate of frames. */
  meanHorizontalSpeed(): number {
    const oldest = Math.max(0, this.#count - SAMPLES);
    const last = this.#count - 1;
    let after = last;
    let path = 0;
    for (let i = last - 1; i >= oldest && this.#since(i, last) < SPEED_TICKS; i--) {
      if (this.#since(i, after) < SPEED_STEP) continue;
      const x = this.#at(after, 1) - this.#at(i, 1);
      const z = this.#at(after, 3) - this.#at(i, 3);
      path += Math.sqrt(x * x + z * z);
      after = i;
    }
    const seconds = this.#since(after, last) * TICK_SECONDS;
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
    return this.#count === 0 || time >= this.#at(this.#count - 1, 0) + LEAST_STEP;
  }

  /**
   * Finds the samples around the start of the window, and what each counts for in the pose there. With no sample
   * as old, the window starts at the oldest.
   * @returns seconds from the start to the last sample; 0 if there is but one.
   */
  #findStart(): number {
    const last = this.#count - 1;
    const oldest = Math.max(0, this.#count - SAMPLES);
    if (last <= oldest) return 0;
    const start = Math.max(this.#at(last, 0) - WINDOW, this.#at(oldest, 0));
    let after = last;
    while (after > oldest + 1 && this.#at(after - 1, 0) > start) after--;
    // Over a longer pause between frames a polynomial would swing out.
    const isPause = this.#at(after, 0) - this.#at(after - 1, 0) > WINDOW;
    this.#around = isPause ? 2 : Math.min(AROUND, this.#count - oldest);
    this.#first = Math.max(oldest, Math.min(after - (this.#around >> 1), this.#count - this.#around));
    for (let i = 0; i < this.#around; i++) times[i] = this.#at(this.#first + i, 0);
    interpolationWeights(times, this.#around, start, this.#weights);
    return (this.#at(last, 0) - start) * TICK_SECONDS;
  }

  /** By how much one field has changed from the start of the window to the last sample. */
  #way(field: number): number {
    const end = this.#at(this.#count - 1, field);
    let way = 0;
    for (let i = 0; i < this.#around; i++) way += this.#weights[i] * (end - this.#at(this.#first + i, field));
    return way;
  }

  /** The turn from the start of the window to the last sample. */
  #turn(field: number, out: Quaternion): void {
    this.#rotation(this.#count - 1, field, end);
    setQuaternion(start, 0, 0, 0, 0);
    for (let i = 0; i < this.#around; i++) {
      this.#rotation(this.#first + i, field, between);
      // Both signs are the same rotation: that of the last one, or they would cancel out.
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
 * [G3] The velocities with which a body leaves the hand. A hand that lost tracking lets go gently: the body
 * just falls.
 * @param distance metres from the hand to the body.
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
