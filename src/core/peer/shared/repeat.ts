/** [V3.3] Ticks after which what was sent twice is sent again unless it was acked: most acks take as long. */
const AGAIN_TICKS = 5;

/**
 * [V3.3] True if something that was sent is due again: in the next tick, not in the same, so that one lost packet delays nothing; then
 * every fifth tick.
 * @param sends how often it was sent.
 * @param ticks since it was last sent.
 */
export function isRepeatDue(sends: number, ticks: number): boolean {
  return (sends < 2 && ticks > 0) || ticks >= AGAIN_TICKS;
}
