import { ticksIn } from '../base/constants.ts';

/**
 * Ticks between two packets, or two avatars of one player, while the receiver would notice no change. Ten a second keep
 * acks, playout clocks and round trips fresh, and are far more than presence needs.
 */
export const IDLE_TICKS = ticksIn(0.1);
/**
 * Ticks for which the full rate continues after a change: a slow movement is then sampled evenly, and the loss of its
 * last packet is made good.
 */
const LINGER_TICKS = ticksIn(0.25);

/**
 * [W8] The ticks in which to send to one receiver: every tick while something changes that the receiver would notice,
 * else every IDLE_TICKS.
 */
export class SendSchedule {
  #sentAt = -Infinity;
  #activeAt = -Infinity;

  /** Something changes in this tick that the receiver would notice: full rate for LINGER_TICKS from it on. */
  markActive(tick: number): void {
    this.#activeAt = tick;
  }

  /** True if it is time to send in this tick. */
  isDue(tick: number): boolean {
    return tick - this.#activeAt < LINGER_TICKS || tick - this.#sentAt >= IDLE_TICKS;
  }

  /** Something was sent in this tick. */
  markSent(tick: number): void {
    this.#sentAt = tick;
  }
}
