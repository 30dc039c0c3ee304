import { describe, expect, it } from 'vitest';
import { bytesPerCall } from '../../src/tools/allocation.ts';
import { LeanRoom } from '../../src/tools/lean-room.ts';

/** It is 40, most of it for the measuring; one array with a number for each cube is 500. */
const MOST_BYTES = 300;

/** Where what is made anew is kept, so that it is made at all. */
const kept: unknown[] = [null];

describe('what is allocated', () => {
  it('is measured to the byte, nearly', () => {
    const make = (numbers: number) => () => {
      kept[0] = new Array<number>(numbers).fill(0);
    };
    for (let i = 0; i < 1000; i++) make(100)();
    const bytes = bytesPerCall(make(500), 100) - bytesPerCall(make(100), 100);
    expect(bytes).toBeGreaterThan(400 * 4 - 200);
    expect(bytes).toBeLessThan(400 * 8 + 200);
  });

  it('by a peer’s own code in a tick is next to nothing, while 64 cubes move', () => {
    const room = new LeanRoom(64);
    for (let tick = 0; tick < 200; tick++) room.step();
    for (const peer of room.peers) {
      for (let tick = 0; tick < 1000; tick++) peer.tick(room.input);
      expect(bytesPerCall(() => peer.tick(room.input), 60)).toBeLessThan(MOST_BYTES);
    }
  });
});
