import type { Random } from '../core/base/random.ts';
import { gaussian } from './chance.ts';

/** Seconds from frame to frame of the display, of 90 Hz. */
const INTERVAL = 1 / 90;
/** Standard deviations in seconds: of the time between two poses' moments, and of a stamp from its pose's moment. */
const POSE_JITTER = 0.00018;
const STAMP_JITTER = 0.00011;
/**
 * Hitches a minute; how many frames of a hitch are late; and how many seconds each adds to the delay of the one before.
 */
const HITCHES = 8;
const LATE_FRAMES = [1, 5] as const;
const LATE_BY = [0.001, 0.012] as const;
/** Seconds by which each frame after a hitch catches up. */
const CATCH_UP = [0.004, 0.006] as const;
/** Seconds from stamp to stamp at the least. */
const LEAST_STEP = 0.001;

/** The moment that a frame's poses are of, and the time that it is stamped with, in seconds. */
export type FrameTime = { readonly moment: number; readonly stamp: number };

/**
 * Frame times as uneven as a headset's: each is a bit off, and a few times a minute some frames come late, and the next
 * ones catch up. The poses of a late frame belong to the moment of the display, not to the late stamp. A frame that is
 * late by a whole interval is dropped.
 */
export class FrameClock {
  readonly #random: Random;
  #moment = 0;
  #stamp = 0;
  /** How many seconds frames are late now, and for how many more frames that grows. */
  #late = 0;
  #lateFrames = 0;

  /** @param random is this clock's own from here on. */
  constructor(random: Random) {
    this.#random = random;
  }

  /** The next frame's times, both later than those of the one before. */
  next(): FrameTime {
    const random = this.#random;
    this.#moment += INTERVAL + POSE_JITTER * gaussian(random);
    if (random.chance((HITCHES / 60) * INTERVAL)) {
      const [least, most] = LATE_FRAMES;
      this.#lateFrames = least + random.below(most - least + 1);
    }
    if (this.#lateFrames > 0) {
      this.#lateFrames--;
      this.#late += random.between(...LATE_BY);
    } else this.#late = Math.max(0, this.#late - random.between(...CATCH_UP));
    if (this.#late > INTERVAL) {
      this.#late -= INTERVAL;
      this.#moment += INTERVAL;
    }
    const stamp = this.#moment + this.#late + STAMP_JITTER * gaussian(random);
    this.#stamp = Math.max(this.#stamp + LEAST_STEP, stamp);
    return { moment: this.#moment, stamp: this.#stamp };
  }
}
