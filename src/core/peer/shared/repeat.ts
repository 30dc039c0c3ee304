import { ticksIn } from '../../base/constants.ts';

/** [V3.3] Seconds after which what was sent twice is sent again unless it was acked: most acks take as long. */
const AGAIN_SECONDS = 1 / 12;

/**
 * [V3.3] True if something that was sent is due again: in the next tick, not in the same, so that one lost packet delays nothing; then
 * every twelfth of a second.
 * @param sends how often it was sent.
 * @param ticks since it was last sent.
 * @param rate ticks a second.
 */
export function isRepeatDue(sends: number, ticks: number, rate: number): boolean {
  return (sends < 2 && ticks > 0) || ticks >= ticksIn(AGAIN_SECONDS, rate);
}
