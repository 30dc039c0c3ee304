import { ticksIn } from '../base/constants.ts';

/**
 * Seconds between two packets, or two avatars of one player, while the receiver would notice no change. Ten a second keep
 * acks, playout clocks and round trips fresh, and are far more than presence needs.
 */
export const IDLE_SECONDS = 0.1;
/**
 * Seconds for which the full rate continues after a change: a slow movement is then sampled evenly, and the loss of its
 * last packet is made good.
 */
const LINGER_SECONDS = 0.25;

/**
 * [W8] The ticks in which to send to one receiver: every tick while something changes that the receiver would notice,
 * else every IDLE_SECONDS.
 */
export class SendSchedule {
  #sentAt = -Infinity;
  #activeAt = -Infinity;
  readonly #idle: number;
  readonly #linger: number;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.#idle = ticksIn(IDLE_SECONDS, rate);
    this.#linger = ticksIn(LINGER_SECONDS, rate);
  }

  /** Something changes in this tick that the receiver would notice: full rate for LINGER_SECONDS from it on. */
  markActive(tick: number): void {
    this.#activeAt = tick;
  }

  /** True if it is time to send in this tick. */
  isDue(tick: number): boolean {
    return tick - this.#activeAt < this.#linger || tick - this.#sentAt >= this.#idle;
  }

  /** Something was sent in this tick. */
  markSent(tick: number): void {
    this.#sentAt = tick;
  }
}
