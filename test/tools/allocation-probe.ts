import { bytesPerCall, leastBytes } from '../../src/tools/bench/allocation.ts';
import { LeanRoom } from '../../src/harness/lean-room.ts';

/**
 * Measures the figures that allocation.test.ts judges, in a process of its own, and prints them: bytes of a tick
 * of each peer, and of a whole step of the room, receiving and sending included, for each peer of it.
 */

/** Calls in a batch. */
const CALLS = 60;
/** Low enough to believe. */
const FEW_BYTES = 300;
const CUBES = [64, 256];

/** Keeps new objects, so that the compiler makes them at all. */
const kept: unknown[] = [null];

const rooms = CUBES.map((cubes) => {
  const room = new LeanRoom(cubes);
  for (let tick = 0; tick < 200; tick++) room.step();
  return room;
});
const steps = rooms.map((room) => {
  const { length } = room.peers;
  return leastBytes(() => room.step(), CALLS, FEW_BYTES * length) / length;
});
const ticks = rooms[0].peers.map((peer) => leastBytes(() => peer.tick(rooms[0].input), CALLS, FEW_BYTES));
const array = bytesPerCall(() => (kept[0] = new Array<number>(64).fill(0)), CALLS);
console.log(JSON.stringify({ ticks, steps, array }));
