import { TICK_MS } from '../core/base/constants.ts';
import type { ReadonlyPose } from '../core/base/math.ts';
import { copyPose, pose } from '../core/base/math.ts';
import type { HandTrail } from '../core/hands/hand-input.ts';
import { TRAIL_LENGTH } from '../core/hands/hand-input.ts';

/** Milliseconds from a pose to the next but one: a fast mouse tells of more than a throw needs, or fits in. */
const LEAST_STEP_MS = 10;

/** Keeps where a hand was seen from one tick to the next. Nothing is allocated on the way. */
export class HandTrailKeeper {
  /** The ring: milliseconds, and the poses then. */
  readonly #times = new Float64Array(TRAIL_LENGTH);
  readonly #poses = Array.from({ length: TRAIL_LENGTH }, pose);
  #first = 0;
  #count = 0;
  #broken = false;
  /** Whether a tick has got all of it: the next pose begins anew. */
  #isRead = false;

  /** The hand is there at a time in milliseconds, on the clock of `tell`. */
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

  /** The player was put elsewhere: what the hand did before says nothing about how fast it is. */
  cut(): void {
    this.#clear(true);
  }

  /**
   * Fills in the trail of a tick: all that came since the last one; of a frame that several ticks share, the
   * later ones get its last pose alone.
   * @param tickTimeMs when the tick is to happen.
   * @param age what the tick's input says in PlayerInput.age.
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

export function copyTrail(from: HandTrail, out: HandTrail): void {
  out.count = from.count;
  out.broken = from.broken;
  out.before.set(from.before);
  for (let i = 0; i < from.count; i++) copyPose(from.poses[i], out.poses[i]);
}
