import type { Quaternion } from '../../core/base/math.ts';
import { conjugate, multiply, nlerp, normalize, quaternion } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import { putRotation, rotationAt } from './poses.ts';

/**
 * The share of a correction that is taken back in a tick: that of Joe Best's prediction with physics, which eases the own
 * body alone. Here it eases every body that is drawn as predicted.
 */
const EASED = 0.1;
/** Metres beyond which a correction is shown at once. */
const SNAP = 2;

/**
 * Hides corrections: a body is drawn where it was, and goes from there to where it is, in position and in rotation.
 * It keeps the difference between both for each body, and takes a share of it back in each tick.
 */
export class Easing {
  /** For each body the metres from its place to where it is drawn, and the turn from its rotation to the drawn one. */
  readonly #offsets: Float32Array;
  readonly #share: number;

  /** @param share the share of a difference that is taken back in a tick, 0 to 1; 1 shows corrections at once. */
  constructor(bodies: number, share = EASED) {
    this.#offsets = new Float32Array(bodies * POSE_STRIDE);
    this.#share = share;
    for (let at = 0; at < this.#offsets.length; at += POSE_STRIDE) this.#clear(at);
  }

  /**
   * The world was corrected: the same tick was `before` and is `after`, POSE_STRIDE numbers a body, neither of them
   * eased.
   */
  correct(before: Float32Array, after: Float32Array): void {
    if (this.#share >= 1) return;
    const offsets = this.#offsets;
    for (let at = 0; at < offsets.length; at += POSE_STRIDE) {
      for (let i = at; i < at + 3; i++) offsets[i] += before[i] - after[i];
      if (Math.hypot(offsets[at], offsets[at + 1], offsets[at + 2]) > SNAP) {
        this.#clear(at);
        continue;
      }
      multiply(rotationAt(offsets, at + 3, turn), rotationAt(before, at + 3, one), drawn);
      multiply(drawn, conjugate(rotationAt(after, at + 3, one), one), turn);
      putRotation(normalize(turn, turn), offsets, at + 3);
    }
  }

  /** A tick has passed. Changes `poses` of the world to those that are drawn. */
  apply(poses: Float32Array): void {
    const offsets = this.#offsets;
    for (let at = 0; at < offsets.length; at += POSE_STRIDE) {
      nlerp(rotationAt(offsets, at + 3, turn), UPRIGHT, this.#share, turn);
      putRotation(turn, offsets, at + 3);
      for (let i = at; i < at + 3; i++) {
        offsets[i] *= 1 - this.#share;
        poses[i] += offsets[i];
      }
      multiply(turn, rotationAt(poses, at + 3, one), drawn);
      putRotation(drawn, poses, at + 3);
    }
  }

  #clear(at: number): void {
    this.#offsets.fill(0, at, at + POSE_STRIDE);
    this.#offsets[at + POSE_STRIDE - 1] = 1;
  }
}

const UPRIGHT: Readonly<Quaternion> = quaternion();
/** Reused. */
const one = quaternion();
const turn = quaternion();
const drawn = quaternion();
