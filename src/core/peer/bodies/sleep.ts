import type { BodyId } from '../../base/ids.ts';
import type { Simulation } from '../../world/simulation.ts';

/**
 * [R2] Puts the islands to sleep in which every record is at rest. An island sleeps as a whole, and only in a tick in
 * which none of its bodies was written: otherwise the engine would let other bodies fall through the floor, or wake the
 * island again. An island that a hand touches does not sleep.
 * @param island the island of each body, named by its lowest body.
 * @param ready for each island, by its name, 1 if it may sleep.
 */
export function sleepIslands(island: Int32Array, simulation: Simulation, ready: Uint8Array): void {
  const { awake } = simulation;
  for (let body = 0; body < island.length; body++) {
    const isReady = ready[island[body]] === 1;
    if (isReady !== awake.has(body)) continue;
    if (isReady) simulation.sleep(body as BodyId);
    // An island wakes as a whole, too: a body asleep beside a moving one would lose the floor under it.
    else simulation.wake(body as BodyId);
  }
}
