import type { Pose, ReadonlyPose, Vector } from '../../base/math.ts';
import {
  addScaled,
  composePose,
  conjugate,
  distance,
  length,
  multiply,
  pose,
  quaternion,
  relativePose,
  rotate,
  rotateBack,
  vector,
} from '../../base/math.ts';
import { halfSize } from '../../world/extent/extent.ts';
import type { Level } from '../../world/level.ts';
import { DRIVE_STEPS } from './drive-clock.ts';
import type { DrivenBodies } from './driven-bodies.ts';

/** No driven body. */
export const NO_CARRIER = -1;
/** Metres above a driven body up to which what is there may ride on it: a player's raised hand, and a small tower. */
const HIGH = 2.5;
/** Metres by which it may be beside it, or below its top. */
const BESIDE = 0.1;
/** Metres a second: the speed of a thing does not tell whether it rides on a driven body that is slower. */
const SLOW = 0.05;

/** The box around a part of a driven body: its half size, and its pose in the frame of the body. */
type Part = { readonly half: Readonly<Vector>; readonly pose: ReadonlyPose };

/** [K2.2] Finds the driven body that carries a thing, and moves things along with it from one moment of the room's time to another. */
export class Carriers {
  readonly #driven: DrivenBodies;
  /** For each driven body the boxes of its parts. */
  readonly #parts: readonly (readonly Part[])[];
  /** For each the metres from its origin beyond which nothing rides on it. */
  readonly #reaches: readonly number[];
  readonly #rate: number;
  readonly #from: Pose = pose();
  readonly #to: Pose = pose();
  readonly #local = pose();
  readonly #speed = vector();
  readonly #up = vector();
  readonly #place = vector();
  readonly #turn = quaternion();

  constructor(driven: DrivenBodies, { driven: bodies = [], rate }: Pick<Level, 'driven' | 'rate'>) {
    this.#driven = driven;
    this.#rate = rate;
    this.#parts = bodies.map(({ shape }) => {
      const parts = shape.kind === 'compound' ? shape.parts : [{ shape, pose: pose() }];
      return parts.map((part): Part => ({ half: halfSize(part.shape, vector()), pose: part.pose }));
    });
    this.#reaches = bodies.map(({ shape }) => length(halfSize(shape, vector())) + HIGH + BESIDE);
  }

  /**
   * The driven body that carries a thing: the nearest one below it that it moves along with. It does so if its velocity
   * is nearer to that of the driven body at its place than to 0, or if the driven body hardly moves there.
   * @param time steps of the room's time. @param place metres. @param velocity metres a second.
   * @returns the index of the driven body, or NO_CARRIER.
   */
  find(time: number, place: Readonly<Vector>, velocity: Readonly<Vector>): number {
    let found = NO_CARRIER;
    let lowest = Infinity;
    for (let i = 0; i < this.#parts.length; i++) {
      const height = this.#heightAbove(i, time, place);
      if (height >= lowest || !this.#movesWith(i, time, place, velocity)) continue;
      found = i;
      lowest = height;
    }
    return found;
  }

  #movesWith(index: number, time: number, place: Readonly<Vector>, velocity: Readonly<Vector>): boolean {
    const { x, y, z } = this.speedAt(index, time, place, this.#speed);
    if (length(this.#speed) < SLOW) return true;
    const [dx, dy, dz] = [velocity.x - x, velocity.y - y, velocity.z - z];
    return dx * dx + dy * dy + dz * dz <= velocity.x ** 2 + velocity.y ** 2 + velocity.z ** 2;
  }

  /** Metres from the top of a driven body, or of one of its parts, up to a place; Infinity if that is above none. */
  #heightAbove(index: number, time: number, place: Readonly<Vector>): number {
    const body = this.#driven.at(index, time, this.#from);
    let least = Infinity;
    if (distance(body.position, place) > this.#reaches[index]) return least;
    for (const { half, pose: local } of this.#parts[index]) {
      const { position, rotation } = composePose(body, local, this.#to);
      const at = rotateBack(rotation, addScaled(place, position, -1, this.#place), this.#place);
      rotateBack(rotation, UP, this.#up);
      least = Math.min(least, heightAbove(at, half, this.#up));
    }
    return least;
  }

  /** The velocity of a driven body at a place that moves with it, in m/s. @returns out. */
  speedAt(index: number, time: number, place: Readonly<Vector>, out: Vector): Vector {
    const now = this.#driven.at(index, time, this.#from);
    const { position, rotation } = this.#driven.at(index, time - DRIVE_STEPS, this.#to);
    rotateBack(now.rotation, addScaled(place, now.position, -1, out), out);
    addScaled(rotate(rotation, out, out), position, 1, out);
    addScaled(place, out, -1, out);
    out.x *= this.#rate;
    out.y *= this.#rate;
    out.z *= this.#rate;
    return out;
  }

  /** Where a pose is after it rode from one moment to another. @returns out, which may be `at`. */
  move(index: number, from: number, to: number, at: ReadonlyPose, out: Pose): Pose {
    relativePose(this.#driven.at(index, from, this.#from), at, this.#local);
    return composePose(this.#driven.at(index, to, this.#to), this.#local, out);
  }

  /** Turns a direction as `move` turns a pose. @returns out, which may be `at`. */
  turn(index: number, from: number, to: number, at: Readonly<Vector>, out: Vector): Vector {
    const before = this.#driven.at(index, from, this.#from).rotation;
    multiply(this.#driven.at(index, to, this.#to).rotation, conjugate(before, this.#turn), this.#turn);
    return rotate(this.#turn, at, out);
  }
}

/**
 * Metres from the upper side of a box to a place above it, or Infinity.
 * @param at the place in the frame of the box. @param up the world's up in that frame: the axis nearest to it is the upper one.
 */
function heightAbove(at: Readonly<Vector>, half: Readonly<Vector>, up: Readonly<Vector>): number {
  const [ux, uy, uz] = [Math.abs(up.x), Math.abs(up.y), Math.abs(up.z)];
  const [ox, oy, oz] = [Math.abs(at.x) - half.x, Math.abs(at.y) - half.y, Math.abs(at.z) - half.z];
  let height: number;
  let beside: number;
  if (uy >= ux && uy >= uz) [height, beside] = [at.y * Math.sign(up.y) - half.y, Math.max(ox, oz)];
  else if (ux >= uz) [height, beside] = [at.x * Math.sign(up.x) - half.x, Math.max(oy, oz)];
  else [height, beside] = [at.z * Math.sign(up.z) - half.z, Math.max(ox, oy)];
  return beside <= BESIDE && height > -BESIDE && height < HIGH ? height : Infinity;
}

const UP = vector(0, 1, 0);
