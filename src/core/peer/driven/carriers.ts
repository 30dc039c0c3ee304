import type { Pose, ReadonlyPose, Vector } from '../../base/math.ts';
import {
  addScaled,
  composePose,
  conjugate,
  length,
  multiply,
  pose,
  quaternion,
  relativePose,
  rotate,
  rotateBack,
  vector,
} from '../../base/math.ts';
import { halfSize } from '../../world/extent.ts';
import type { Level } from '../../world/level.ts';
import { DRIVE_STEPS } from './drive-clock.ts';
import type { DrivenBodies } from './driven-bodies.ts';

/** No driven body. */
export const NO_CARRIER = -1;
/** Metres above a driven body up to which what is there may ride on it: a player's raised hand, and a small tower. */
const HIGH = 2.5;
/** Metres by which it may be beside it, or below its top. */
const BESIDE = 0.1;
/** Metres a second: of a driven body that is slower, nobody can tell by the speed of what is there whether it rides. */
const SLOW = 0.05;

/** [K2.2] Finds the driven body that carries a thing, and moves things along with it from one moment of the room's time to another. */
export class Carriers {
  readonly #driven: DrivenBodies;
  readonly #halves: readonly Vector[];
  readonly #rate: number;
  readonly #from: Pose = pose();
  readonly #to: Pose = pose();
  readonly #local = pose();
  readonly #speed = vector();
  readonly #place = vector();
  readonly #turn = quaternion();

  constructor(driven: DrivenBodies, { driven: bodies = [], rate }: Pick<Level, 'driven' | 'rate'>) {
    this.#driven = driven;
    this.#rate = rate;
    this.#halves = bodies.map(({ shape }) => halfSize(shape, vector()));
  }

  /**
   * The driven body that carries a thing: it is above it, and its velocity is nearer to that of the driven body there than to 0.
   * A thing above one that hardly moves counts as carried, too.
   * @param time steps of the room's time. @param place metres. @param velocity metres a second.
   * @returns the index of the driven body, or NO_CARRIER.
   */
  find(time: number, place: Readonly<Vector>, velocity: Readonly<Vector>): number {
    for (let i = 0; i < this.#halves.length; i++) {
      if (!this.#isAbove(i, time, place)) continue;
      const { x, y, z } = this.speedAt(i, time, place, this.#speed);
      if (length(this.#speed) < SLOW) return i;
      const [dx, dy, dz] = [velocity.x - x, velocity.y - y, velocity.z - z];
      if (dx * dx + dy * dy + dz * dz <= velocity.x ** 2 + velocity.y ** 2 + velocity.z ** 2) return i;
    }
    return NO_CARRIER;
  }

  #isAbove(index: number, time: number, place: Readonly<Vector>): boolean {
    const { position, rotation } = this.#driven.at(index, time, this.#from);
    const half = this.#halves[index];
    const { x, y, z } = rotateBack(rotation, addScaled(place, position, -1, this.#place), this.#place);
    const isBeside = Math.max(Math.abs(x) - half.x, Math.abs(z) - half.z) > BESIDE;
    return !isBeside && y > half.y - BESIDE && y < half.y + HIGH;
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
