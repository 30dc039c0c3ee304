import { leastBytes } from './allocation.ts';
import { LeanRoom } from '../../harness/lean-room.ts';

/** Ticks of a lean room until its code is compiled, and ticks in a measured batch. */
const WARM_TICKS = 3000;
const BATCH_TICKS = 60;
/** Bytes of a tick that are believed at once. */
const FEW_BYTES = 300;

/** Cubes that move in a world of which most rests. */
const FEW_CUBES = 200;

/** Bytes that a peer's own code allocates in a tick, with so many cubes of which so many move. */
function measureOwn(cubes: number, moving: number): number {
  const room = new LeanRoom(cubes, null, moving);
  const { length } = room.peers;
  for (let tick = 0; tick < WARM_TICKS; tick++) room.step();
  return Math.round(leastBytes(() => room.step(), BATCH_TICKS, FEW_BYTES * length) / length);
}

/** Prints both figures for each given number of cubes: all move, and few do. It is a process by itself. */
const figures = process.argv
  .slice(2)
  .map(Number)
  .map((cubes) => ({
    all: measureOwn(cubes, cubes),
    few: cubes > FEW_CUBES ? measureOwn(cubes, FEW_CUBES) : null,
  }));
process.stdout.write(JSON.stringify(figures));
