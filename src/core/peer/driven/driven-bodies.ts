import type { Pose } from '../../base/math.ts';
import { pose, setQuaternion, setVector } from '../../base/math.ts';
import { putVector } from '../../base/motion.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import type { DrivenBody } from '../../world/driven/driven.ts';
import { drivenPose } from '../../world/driven/driven.ts';
import type { Level } from '../../world/level.ts';
import type { Simulation } from '../../world/simulation.ts';
import { DRIVE_STEPS, DriveClock } from './drive-clock.ts';

/** [K1] The driven bodies of one peer: where its room's time puts them, in its engine and in its picture. */
export class DrivenBodies {
  readonly clock: DriveClock;
  /** POSE_STRIDE numbers for each: where it is after this tick. */
  readonly poses: Float32Array;
  /** After the tick before. */
  readonly before: Float32Array;
  /** The room's time, in steps, after the tick before, and of the poses that the engine has now. */
  timeBefore = 0;
  inEngine = 0;
  /** [K1.4] True if they have jumped since the engine was told. */
  #jumped = false;
  readonly #driven: readonly DrivenBody[];
  readonly #rate: number;
  readonly #pose: Pose = pose();

  constructor({ driven = [], rate }: Pick<Level, 'driven' | 'rate'>) {
    this.clock = new DriveClock(rate);
    this.#driven = driven;
    this.#rate = rate;
    this.poses = new Float32Array(driven.length * POSE_STRIDE);
    this.before = new Float32Array(this.poses.length);
    this.#place();
    this.before.set(this.poses);
  }

  /** How many there are. */
  get count(): number {
    return this.#driven.length;
  }

  /** Moves on by a tick. @param target see DriveClock.advance. */
  advance(target: number): void {
    if (this.count === 0) return;
    this.before.set(this.poses);
    this.timeBefore = this.clock.time;
    const jumped = this.clock.advance(target);
    this.#place();
    // It is not drawn on a way that it did not go.
    if (!jumped) return;
    this.#jumped = true;
    this.before.set(this.poses);
    this.timeBefore = this.clock.time;
  }

  /** The level begins anew, at this moment of the room's time in steps. On a guest the host's next word decides. */
  restart(time: number): void {
    this.clock.restart(time);
    this.#place();
    this.before.set(this.poses);
    this.timeBefore = this.inEngine = time;
    this.#jumped = true;
  }

  #place(): void {
    for (let i = 0; i < this.count; i++) {
      const { position, rotation } = this.at(i, this.clock.time, this.#pose);
      putVector(position, this.poses, i * POSE_STRIDE);
      putVector(rotation, this.poses, i * POSE_STRIDE + 3);
      this.poses[i * POSE_STRIDE + 6] = rotation.w;
    }
  }

  /** The pose of a driven body at a moment of the room's time, in steps. @returns out. */
  at(index: number, time: number, out: Pose): Pose {
    return drivenPose(this.#driven[index], time / (DRIVE_STEPS * this.#rate), out);
  }

  /** Tells the engine where they are to be at the end of the next step. */
  drive(simulation: Simulation): void {
    const { poses } = this;
    this.inEngine = this.clock.time;
    for (let i = 0; i < this.count; i++) {
      const at = i * POSE_STRIDE;
      setVector(this.#pose.position, poses[at], poses[at + 1], poses[at + 2]);
      setQuaternion(this.#pose.rotation, poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
      simulation.drive(i, this.#pose, this.#jumped);
    }
    this.#jumped = false;
  }
}
