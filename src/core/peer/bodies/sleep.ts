import type { BodySet } from '../../base/body-set.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { Simulation } from '../../world/simulation.ts';

/**
 * [R2] Puts the islands to sleep in which every record is at rest. An island sleeps as a whole, and only in a tick in
 * which none of its bodies was written: otherwise the engine would let other bodies fall through the floor, or wake the
 * island again. An island that a hand touches does not sleep.
 * @param island the island of each body, named by its lowest body.
 * @param nextInIsland for each body the next one of its island, in a ring.
 * @param unready the islands, by their names, that may not sleep.
 * @param candidates scratch for as many bodies.
 */
export function sleepIslands(
  island: Int32Array,
  nextInIsland: Int32Array,
  simulation: Simulation,
  unready: BodySet,
  candidates: BodySet,
): void {
  const { awake } = simulation;
  // A body that sleeps goes on sleeping with its island: nearly all of a large world, at no cost.
  candidates.clear();
  candidates.addAll(awake);
  for (let name = unready.next(NO_BODY); name !== NO_BODY; name = unready.next(name)) {
    let member: number = name;
    do {
      candidates.add(member);
      member = nextInIsland[member];
    } while (member !== name);
  }
  for (let body = candidates.next(NO_BODY); body !== NO_BODY; body = candidates.next(body)) {
    const isReady = !unready.has(island[body]);
    if (isReady !== awake.has(body)) continue;
    if (isReady) simulation.sleep(body);
    // An island wakes as a whole, too: a body asleep beside a moving one would lose the floor under it.
    else simulation.wake(body);
  }
}
