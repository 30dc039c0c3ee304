import { describe, expect, it } from 'vitest';
import { bytesPerCall } from '../../src/tools/allocation.ts';
import { LeanRoom } from '../../src/tools/lean-room.ts';

/** It is 40, most of it for the measuring; one array with a number for each cube is 500. */
const MOST_BYTES = 300;

/** Where what is made anew is kept, so that it is made at all. */
const kept: unknown[] = [null];

/** The least of some measurements: code that is compiled late, on a busy machine, allocates more until then. */
function leastBytes(call: () => void): number {
  let least = Infinity;
  for (let i = 0; i < 8 && least >= MOST_BYTES; i++) {
    for (let warm = 0; warm < 500; warm++) call();
    least = Math.min(least, bytesPerCall(call, 60));
  }
  return least;
}

describe('what is allocated', () => {
  it('by a peer’s own code in a tick is next to nothing, while 64 cubes move', () => {
    const room = new LeanRoom(64);
    for (let tick = 0; tick < 200; tick++) room.step();
    for (const peer of room.peers) {
      expect(leastBytes(() => peer.tick(room.input))).toBeLessThan(MOST_BYTES);
    }
    const wasteful = bytesPerCall(() => (kept[0] = new Array<number>(64).fill(0)), 60);
    expect(wasteful, 'the measure sees an array').toBeGreaterThan(MOST_BYTES);
  });
});
