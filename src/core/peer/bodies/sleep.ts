import type { BodyId } from '../../base/ids.ts';
import type { Records } from '../../world/record.ts';
import type { RestDetector } from '../../world/rest.ts';
import type { Simulation } from '../../world/simulation.ts';

/**
 * [R2] Puts the islands to sleep in which every record is at rest. An island sleeps as a whole, and only in a tick in
 * which none of its bodies was written: otherwise the engine would let other bodies fall through the floor, or wake the
 * island again. An island that a hand touches does not sleep.
 * @param written 1 for a body that was written in this tick.
 * @param ready scratch, a byte a body: for each island, by its name, 1 if it may sleep.
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
    // An island wakes as a whole, too: a body asleep beside a moving one would lose the floor under it.
    if (ready[island[body]] === 0 && asleep) simulation.wake(body as BodyId);
  }
}
