import type { ReadonlyQuaternion } from '../../../core/base/math.ts';
import { rotate, vector, wrapAngle } from '../../../core/base/math.ts';

/**
 * Radians: the direction does not move while it is within FREE of the head's, and it never lags by more than FARTHEST.
 */
const FREE = 0.2;
const FARTHEST = 0.7;
/** Radians: when the direction is this close to the head's, it stops moving. */
const THERE = 0.015;
/** Time constant of its way there, in seconds. */
const SECONDS = 0.28;
/** If the head looks up or down more steeply than this, as a sine, the yaw does not change. */
const STEEP = 0.97;

/** A direction that follows a head's lazily: small turns of the head leave it where it is. */
export class LazyGaze {
  /** Radians to the left from -z, and up. */
  yaw = 0;
  pitch = 0;
  readonly #ahead = vector();
  #isNew = true;
  #follows = false;

  /** The next `update` begins before the eyes. */
  restart(): void {
    this.#isNew = true;
  }

  /** @param seconds since the last call. */
  update(head: ReadonlyQuaternion, seconds: number): void {
    const { x, y, z } = rotate(head, FORWARD, this.#ahead);
    const pitch = Math.asin(Math.min(1, Math.max(-1, y)));
    const yaw = Math.abs(y) > STEEP ? this.yaw : Math.atan2(-x, -z);
    if (this.#isNew) {
      this.yaw = yaw;
      this.pitch = pitch;
    }
    this.#isNew = false;
    const [across, up] = [wrapAngle(yaw - this.yaw), pitch - this.pitch];
    const away = Math.hypot(across, up);
    if (away > FREE) this.#follows = true;
    else if (away < THERE) this.#follows = false;
    if (!this.#follows) return;
    const least = away > FARTHEST ? 1 - FARTHEST / away : 0;
    const share = Math.max(least, 1 - Math.exp(-seconds / SECONDS));
    this.yaw = wrapAngle(this.yaw + across * share);
    this.pitch += up * share;
  }
}

const FORWARD = vector(0, 0, -1);
