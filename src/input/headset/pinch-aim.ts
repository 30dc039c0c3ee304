import type { ReadonlyPose } from '../../core/base/math.ts';
import { rotate, vector } from '../../core/base/math.ts';

/** How firmly a hand pinches, 0 to 1: above the first number it has closed, below the second it has opened. */
const CLOSES = 0.75;
const OPENS = 0.4;
/** Below this the hand begins to open. Opening turns the hand, so the target stays where it was. */
const STEADY = 0.88;
/** Seconds after which a pinch aims: a pinch that misses a cube is shorter. */
const HOLD = 0.25;
/** The upward part of a ray that points at the floor when the pinch begins, and of one that still aims. */
const AT_FLOOR = -0.15;
const AIMS_UP = 0.35;

/** One bare hand in one frame. */
export type PinchingHand = {
  /** Whether it may move the player: it is tracked, and holds no body. */
  readonly free: boolean;
  /** 0 to 1; always 0 with a controller. */
  readonly pinch: number;
  /** Whether a pinch does something else now: there is a body to take, or a panel. */
  readonly finds: boolean;
};

/** `goes`: the hand has opened, in this frame. */
export type PinchState = 'none' | 'aims' | 'goes';

/** Tells when a bare hand moves its player: by a pinch that points at the floor and takes no cube. */
export class PinchAim {
  /** True while the hand is closed firmly, so that its direction is meant. */
  isSteady = false;
  readonly #along = vector();
  /** Seconds since the hand closed. */
  #since = 0;
  #closed = false;
  /** This pinch began at the floor, and has found nothing else since. */
  #mayAim = false;

  /**
   * @param seconds since the last call.
   * @param ray of the hand, in the world; it points along -z.
   */
  update(seconds: number, { free, pinch, finds }: PinchingHand, ray: ReadonlyPose): PinchState {
    const wasClosed = this.#closed;
    this.#closed = pinch > (wasClosed ? OPENS : CLOSES);
    this.isSteady = pinch > STEADY;
    const up = rotate(ray.rotation, FORWARD, this.#along).y;
    if (this.#closed && !wasClosed) {
      this.#since = 0;
      this.#mayAim = up < AT_FLOOR;
    } else this.#since += seconds;
    const aimed = this.#mayAim && wasClosed && this.#since >= HOLD;
    // Once it aims, a cube on the way to the target changes nothing.
    if (!free || (finds && !aimed) || (this.isSteady && up > AIMS_UP)) this.#mayAim = false;
    if (!this.#mayAim || !aimed) return 'none';
    return this.#closed ? 'aims' : 'goes';
  }
}

const FORWARD = vector(0, 0, -1);
