/**
 * Ticks between two packets, or two avatars of one player, while nothing is to be noticed: ten a second keep acks,
 * playout clocks and round trips fresh, and presence many times over.
 */
export const IDLE_TICKS = 6;
/** Ticks for which the full rate goes on after a movement: slow ones are sampled evenly, and the last is not lost. */
const LINGER_TICKS = 15;

/** [W8] In which ticks something is said to one receiver: in each while it would notice, else now and then. */
export class Pace {
  #saidAt = -Infinity;
  #noticedAt = -Infinity;

  /** Something moves that the receiver would notice: full rate from this tick on. */
  markActive(tick: number): void {
    this.#noticedAt = tick;
  }

  isDue(tick: number): boolean {
    return tick - this.#noticedAt < LINGER_TICKS || tick - this.#saidAt >= IDLE_TICKS;
  }

  /** It was said. */
  markSent(tick: number): void {
    this.#saidAt = tick;
  }
}
