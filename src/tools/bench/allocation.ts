import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all garbage at once. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** Measured batches. The median counts, since a collection may come in the middle of one. */
const BATCHES = 5;

/**
 * Bytes that a call allocates on the JavaScript heap, whether garbage or kept: the growth of the heap over a
 * batch of calls that starts with a forced collection and ends before the next. Call it with warm code, since
 * code that is not yet compiled allocates more.
 * @param calls in a batch: enough for a kilobyte to show, too few for a collection.
 */
export function bytesPerCall(call: () => void, calls: number): number {
  const batches = new Float64Array(BATCHES);
  for (let batch = 0; batch < BATCHES; batch++) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) call();
    batches[batch] = (process.memoryUsage().heapUsed - before) / calls;
  }
  return batches.sort()[BATCHES >> 1];
}

/** Measurements of which the least counts, and calls between two of them. */
const TRIES = 8;
const WARM_CALLS = 500;

/**
 * The least of some measurements. On a busy machine code is compiled late, and allocates more until then.
 * @param few bytes that are believed at once.
 */
export function leastBytes(call: () => void, calls: number, few: number): number {
  let least = Infinity;
  for (let i = 0; i < TRIES && least >= few; i++) {
    for (let warm = 0; warm < WARM_CALLS; warm++) call();
    least = Math.min(least, bytesPerCall(call, calls));
  }
  return least;
}
