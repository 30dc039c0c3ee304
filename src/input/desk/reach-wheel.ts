import { TICK_SECONDS } from '../../core/base/constants.ts';

/** Metres that a held body moves for one notch of the wheel if nobody knows how far it is. */
export const METRES_PER_NOTCH = 0.5;
/** The share of its distance that a body moves for one notch: finer when it is close. */
const NOTCH_SHARE = 0.14;
/** Metres: the finest and the coarsest notch. */
const FINEST_NOTCH = 0.12;
const COARSEST_NOTCH = 0.6;

/** Metres per tick that a fully pushed stick moves a held body: 4 m/s. */
const STICK_STEP = 4 * TICK_SECONDS;
/** Most metres of wheel movement that may wait: what ten notches make. */
const WHEEL_BACKLOG = 5.5;
/** Metres: what one order may move. */
const FURTHEST = 20;
/** The fraction of the waiting movement that one tick uses, and the metres that it uses at least. */
const WHEEL_SHARE = 0.3;
const WHEEL_LEAST = 0.02;
/** Metres: a smaller remainder is used at once, so that a tick never leaves less than the dead zone. */
const WHEEL_WHOLE = 0.03;
/** Metres: a smaller movement would be lost in a thumbstick's dead zone, so it waits. */
const WHEEL_DEAD = 0.01;

/** Turns notches of a wheel into pushes of a stick, which moves a held body out and in. */
export class ReachWheel {
  /** Metres that are still to be moved. */
  #waiting = 0;

  /**
   * Adds notches away from the player.
   * @param reach metres from the hand to the body; NaN if nobody knows.
   */
  turn(notches: number, reach: number): void {
    // A notch is judged by where the body will be once the earlier ones are done.
    const share = (reach + this.#waiting) * NOTCH_SHARE;
    const notch = Number.isNaN(share) ? METRES_PER_NOTCH : clamp(share, FINEST_NOTCH, COARSEST_NOTCH);
    this.#waiting = clamp(this.#waiting + notches * notch, -WHEEL_BACKLOG, WHEEL_BACKLOG);
  }

  /** Moves by metres away from the player, in place of what waits. */
  move(metres: number): void {
    this.#waiting = clamp(metres, -FURTHEST, FURTHEST);
  }

  /** Forgets what waits. */
  stop(): void {
    this.#waiting = 0;
  }

  /**
   * Returns the stick's push for a tick, -1 to 1. It is strong at first and then weaker, until the body has moved as
   * far as the wheel.
   */
  take(): number {
    const waiting = Math.abs(this.#waiting);
    if (waiting < WHEEL_DEAD) return 0;
    const share = waiting > WHEEL_WHOLE ? Math.max(waiting * WHEEL_SHARE, WHEEL_LEAST) : waiting;
    const moved = Math.sign(this.#waiting) * Math.min(share, STICK_STEP);
    this.#waiting -= moved;
    return moved / STICK_STEP;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
