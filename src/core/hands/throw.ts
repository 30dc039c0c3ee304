import { TICK_SECONDS } from '../base/constants.ts';
import type { Quaternion, ReadonlyPose, Vector } from '../base/math.ts';
import { conjugate, multiply, quaternion, setVector, vector } from '../base/math.ts';

/** Samples that are kept: 16, as in the sample, of which only the last ones count for the velocity. */
const SAMPLES = 16;
/** Seconds before the release over which the velocity is fitted: long enough for noise, short for a swing. */
const WINDOW = 0.05;
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

export type Throw = { readonly thrown: boolean; readonly linear: Vector; readonly angular: Vector };

/** Time-stamped poses of a held body and its hand, and the velocities that they had lately. */
export class VelocityEstimate {
  readonly #samples = new Float64Array(SAMPLES * STRIDE);
  #count = 0;

  restart(): void {
    this.#count = 0;
  }

  /** Adds the poses at a moment, in ticks; a moment that is not newer than the last replaces it. */
  add(time: number, body: ReadonlyPose, hand: ReadonlyPose): void {
    if (this.#count > 0 && time <= this.#at(this.#count - 1, 0)) this.#count--;
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

  /** Metres a second over the window before the last sample, by least squares. */
  linear(whose: 'body' | 'hand', out: Vector): Vector {
    const first = this.#firstWithin(WINDOW);
    const at = whose === 'body' ? 1 : 8;
    return setVector(out, this.#slope(first, at), this.#slope(first, at + 1), this.#slope(first, at + 2));
  }

  /** Radians a second over the same window. */
  angular(whose: 'body' | 'hand', out: Vector): Vector {
    const first = this.#firstWithin(WINDOW);
    const last = this.#count - 1;
    const seconds = (this.#at(last, 0) - this.#at(first, 0)) * TICK_SECONDS;
    if (!(seconds > 0)) return setVector(out, 0, 0, 0);
    const at = whose === 'body' ? 4 : 11;
    this.#rotation(first, at, from);
    this.#rotation(last, at, to);
    multiply(to, conjugate(from, from), turn);
    const sign = turn.w < 0 ? -1 : 1;
    const sine = Math.sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    const angle = 2 * Math.atan2(sine, Math.abs(turn.w));
    const scale = sine > 1e-6 ? (sign * angle) / (sine * seconds) : 0;
    return setVector(out, turn.x * scale, turn.y * scale, turn.z * scale);
  }

  /** Metres a second, the mean horizontal speed of the body over all samples that are kept. */
  meanHorizontalSpeed(): number {
    const first = Math.max(0, this.#count - SAMPLES);
    let path = 0;
    for (let i = first + 1; i < this.#count; i++) {
      const x = this.#at(i, 1) - this.#at(i - 1, 1);
      const z = this.#at(i, 3) - this.#at(i - 1, 3);
      path += Math.sqrt(x * x + z * z);
    }
    const seconds = (this.#at(this.#count - 1, 0) - this.#at(first, 0)) * TICK_SECONDS;
    return seconds > 0 ? path / seconds : 0;
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

  #firstWithin(seconds: number): number {
    const last = this.#count - 1;
    const since = this.#at(last, 0) - seconds / TICK_SECONDS;
    let first = last;
    while (first > 0 && first > last - SAMPLES + 1 && this.#at(first - 1, 0) >= since - 1e-6) first--;
    return first;
  }

  /** The least-squares slope of one field against time, per second. */
  #slope(first: number, field: number): number {
    const n = this.#count - first;
    let [meanTime, mean] = [0, 0];
    for (let i = first; i < this.#count; i++) {
      meanTime += this.#at(i, 0) / n;
      mean += this.#at(i, field) / n;
    }
    let [covariance, variance] = [0, 0];
    for (let i = first; i < this.#count; i++) {
      const t = this.#at(i, 0) - meanTime;
      covariance += t * (this.#at(i, field) - mean);
      variance += t * t;
    }
    return variance > 0 ? covariance / variance / TICK_SECONDS : 0;
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

const from = quaternion();
const to = quaternion();
const turn = quaternion();
