import { TICK_RATE } from '../../core/base/constants.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import { apart } from '../game/poses.ts';

/**
 * Metres by which the third difference of the drawn path must exceed 0 for a jump: 6 cm, about 13,000 m/s³.
 * Bodies that are pushed, fall, or are hit by a hand of 3 m/s stay below.
 */
const JUMP = 0.06;
/** Ticks between two jumps of a body that both count. */
const JUMP_PAUSE = 6;
/** Metres in a tick from which a body counts as moving: 5 cm a second. */
const MOVES = 0.05 / TICK_RATE;

/** The last poses of all bodies, and their number of jumps. */
export class DrawnPath {
  /** The poses of the last four ticks, the newest first. */
  readonly #poses: Float32Array[];
  readonly #jumpedAt: Int32Array;
  jumps = 0;
  count = 0;

  constructor(bodies: number) {
    this.#poses = Array.from({ length: 4 }, () => new Float32Array(bodies * POSE_STRIDE));
    this.#jumpedAt = new Int32Array(bodies).fill(-JUMP_PAUSE);
  }

  get last(): Float32Array {
    return this.#poses[0];
  }

  /** The poses of the next tick: POSE_STRIDE numbers a body; they are copied. */
  add(poses: Float32Array): void {
    const oldest = this.#poses.pop();
    if (oldest === undefined) return;
    oldest.set(poses);
    this.#poses.unshift(oldest);
    this.count++;
    if (this.count < 4) return;
    for (let body = 0, at = 0; at < poses.length; body++, at += POSE_STRIDE) {
      if (this.count - this.#jumpedAt[body] < JUMP_PAUSE || this.#jerk(at) < JUMP) continue;
      this.#jumpedAt[body] = this.count;
      this.jumps++;
    }
  }

  /** Metres that the body at `at` moved in the last tick. */
  stepOf(at: number): number {
    return this.count < 2 ? 0 : apart(this.#poses[0], at, this.#poses[1], at);
  }

  moves(body: number): boolean {
    return this.stepOf(body * POSE_STRIDE) > MOVES;
  }

  #jerk(at: number): number {
    const [a, b, c, d] = this.#poses;
    let squares = 0;
    for (let i = at; i < at + 3; i++) squares += (a[i] - 3 * b[i] + 3 * c[i] - d[i]) ** 2;
    return Math.sqrt(squares);
  }
}
