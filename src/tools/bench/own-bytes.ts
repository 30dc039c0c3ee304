import { leastBytes } from './allocation.ts';
import { LeanRoom } from '../../harness/lean-room.ts';

/** Ticks of a lean room until its code is compiled, and ticks in a measured batch. */
const WARM_TICKS = 3000;
const BATCH_TICKS = 60;
/** Bytes of a tick that are believed at once. */
const FEW_BYTES = 300;

/**
 * Prints the bytes that a peer's own code allocates in a tick, for each given number of cubes. It is a process
 * by itself.
 */
function measureOwn(cubes: number): number {
  const room = new LeanRoom(cubes);
  const { length } = room.peers;
  for (let tick = 0; tick < WARM_TICKS; tick++) room.step();
  return Math.round(leastBytes(() => room.step(), BATCH_TICKS, FEW_BYTES * length) / length);
}

process.stdout.write(JSON.stringify(process.argv.slice(2).map(Number).map(measureOwn)));
