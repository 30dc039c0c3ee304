import { bytesPerCall } from '../../src/tools/allocation.ts';
import { LeanRoom } from '../../src/tools/lean-room.ts';

/** Measures what allocation.test.ts judges, in a process of its own, and prints it. */

/** Calls in a batch. */
const CALLS = 60;
/** Low enough to believe. */
const FEW_BYTES = 300;

/** Where what is made anew is kept, so that it is made at all. */
const kept: unknown[] = [null];

/** The least of some measurements: code that is compiled late, on a busy machine, allocates more until then. */
function leastBytes(call: () => void): number {
  let least = Infinity;
  for (let i = 0; i < 8 && least >= FEW_BYTES; i++) {
    for (let warm = 0; warm < 500; warm++) call();
    least = Math.min(least, bytesPerCall(call, CALLS));
  }
  return least;
}

const room = new LeanRoom(64);
for (let tick = 0; tick < 200; tick++) room.step();
const ticks = room.peers.map((peer) => leastBytes(() => peer.tick(room.input)));
const array = bytesPerCall(() => (kept[0] = new Array<number>(64).fill(0)), CALLS);
console.log(JSON.stringify({ ticks, array }));
