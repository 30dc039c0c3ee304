import type { BodyId } from '../../base/ids.ts';
import type { Records } from '../../world/record.ts';
import type { RestDetector } from '../../world/rest.ts';
import type { Simulation } from '../../world/simulation.ts';

/**
 * [R2] Puts the islands to sleep whose every record rests. An island sleeps as a whole, and only in a tick in which
 * none of it was written; the engine would let others fall through the floor, or wake it again. One that a hand
 * touches can't sleep as a whole.
 * @param written for each body 1 if it was written in this tick.
 * @param ready for each body a byte to work with.
 */
export function sleepIslands(
  { island, islandStill }: RestDetector,
  records: Records,
  simulation: Simulation,
  written: Uint8Array,
  ready: Uint8Array,
): void {
  ready.fill(1);
  for (let body = 0; body < ready.length; body++) {
    if (islandStill[body] === 0 || written[body] === 1 || records.resting[body] === 0)
      ready[island[body]] = 0;
  }
  for (let body = 0; body < ready.length; body++) {
    const asleep = simulation.isAsleep(body as BodyId);
    if (ready[island[body]] === 1 && !asleep) simulation.sleep(body as BodyId);
    // It wakes as a whole, too: what sleeps beside what moves would lose the floor under it.
    if (ready[island[body]] === 0 && asleep) simulation.wake(body as BodyId);
  }
}
