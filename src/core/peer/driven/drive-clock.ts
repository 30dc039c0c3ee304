/** Steps in a tick: the unit of the room's time. At 60 ticks a second, 3 m/s is less than a millimetre in a step. */
export const DRIVE_STEPS = 64;
/** Steps after which the room's time begins again, as on the wire: twelve days at 60 ticks a second. */
const TIME_WRAPS = 2 ** 32;
/** Seconds by which the clock may be off before it jumps: no rate change would catch up soon. */
const JUMP_SECONDS = 2;
/** The share of its error by which the clock changes its step, and the most by which it does, in steps a tick. */
const SHARE = 1 / 8;
const MOST_SLOWER = 32;
const MOST_FASTER = 57;

/**
 * [K1.2] The room's time as a peer has it: the host's ticks, in steps. It never goes back, except by a jump, and on its
 * way to a target that is off it runs at half to nearly twice its speed, so that no driven body is pushed too fast.
 */
export class DriveClock {
  /** Steps of the room's time in this tick. */
  time = 0;
  readonly #most: number;
  #isRunning = false;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.#most = JUMP_SECONDS * rate * DRIVE_STEPS;
  }

  /** The level begins anew, at this moment; the next target is jumped to. */
  restart(time: number): void {
    this.time = time;
    this.#isRunning = false;
  }

  /**
   * Moves on by a tick.
   * @param target steps that the room's time is to have now; need not be whole. Before 0 the clock waits.
   * @returns true if it has jumped.
   */
  advance(target: number): boolean {
    if (target <= 0 && this.time === 0) return false;
    const off = target - (this.time + DRIVE_STEPS);
    const jumps = !this.#isRunning || Math.abs(off) > this.#most;
    this.#isRunning = true;
    const change = Math.round(off * SHARE);
    if (jumps) this.time = Math.max(0, Math.round(target));
    else this.time += DRIVE_STEPS + Math.max(-MOST_SLOWER, Math.min(MOST_FASTER, change));
    if (this.time < TIME_WRAPS) return jumps;
    this.time %= TIME_WRAPS;
    return true;
  }
}
