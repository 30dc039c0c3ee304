import { TICK_MS } from '../core/base/constants.ts';
import type { ReadonlyPose } from '../core/base/math.ts';
import { copyPose, pose } from '../core/base/math.ts';
import type { HandTrail } from '../core/hands/hand-input.ts';
import { TRAIL_LENGTH } from '../core/hands/hand-input.ts';

/**
 * Milliseconds between a pose and the next but one: a fast mouse gives more poses than a throw needs and the
 * trail can contain.
 */
const LEAST_STEP_MS = 10;

/** Keeps the poses of a hand from one tick to the next. Allocates nothing after its creation. */
export class HandTrailKeeper {
  /** A ring buffer of times in milliseconds and poses. */
  readonly #times = new Float64Array(TRAIL_LENGTH);
  readonly #poses = Array.from({ length: TRAIL_LENGTH }, pose);
  #first = 0;
  #count = 0;
  #broken = false;
  /** True if a tick has read the whole trail: the next pose starts a new one. */
  #isRead = false;

  /**
   * Adds a pose of the hand.
   * @param timeMs milliseconds, on the clock of `write`.
   */
  add(timeMs: number, at: ReadonlyPose): void {
    if (this.#isRead) this.#clear(false);
    const crowded = this.#count > 1 && timeMs - this.#time(this.#count - 2) < LEAST_STEP_MS;
    const full = this.#count === TRAIL_LENGTH;
    if (crowded) this.#count--;
    else if (full) {
      this.#first = (this.#first + 1) % TRAIL_LENGTH;
      this.#count--;
    }
    const slot = (this.#first + this.#count) % TRAIL_LENGTH;
    this.#times[slot] = timeMs;
    copyPose(at, this.#poses[slot]);
    this.#count++;
  }

  /** The player was moved, for example by a teleport: earlier poses say nothing about the hand's speed. */
  cut(): void {
    this.#clear(true);
  }

  /**
   * Writes the trail of a tick: all poses since the last tick. If several ticks share a frame, the later ones
   * get only its last pose.
   * @param tickTimeMs the time at which the tick is due, in milliseconds.
   * @param age PlayerInput.age of this tick's input, in ticks.
   */
  write(tickTimeMs: number, age: number, out: HandTrail): void {
    const from = this.#isRead ? this.#count - 1 : 0;
    out.broken = this.#broken && !this.#isRead;
    out.count = 0;
    for (let i = Math.max(0, from); i < this.#count; i++) {
      out.before[out.count] = (tickTimeMs - this.#time(i)) / TICK_MS - age;
      copyPose(this.#poses[(this.#first + i) % TRAIL_LENGTH], out.poses[out.count]);
      out.count++;
    }
    this.#isRead = true;
  }

  #time(index: number): number {
    return this.#times[(this.#first + index) % TRAIL_LENGTH];
  }

  #clear(broken: boolean): void {
    this.#count = 0;
    this.#broken = broken;
    this.#isRead = false;
  }
}

/** Copies a trail into another of the same size. */
export function copyTrail(from: HandTrail, out: HandTrail): void {
  out.count = from.count;
  out.broken = from.broken;
  out.before.set(from.before);
  for (let i = 0; i < from.count; i++) copyPose(from.poses[i], out.poses[i]);
}
