import { describe, expect, it } from 'vitest';
import { bytesPerCall } from '../../src/tools/allocation.ts';
import { LeanRoom } from '../../src/tools/lean-room.ts';

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

  it.each([64, 256])('by a peer’s own code in a tick is under 1 kB, of %i cubes that all move', (cubes) => {
    const room = new LeanRoom(cubes);
    for (let tick = 0; tick < 2000; tick++) room.step();
    const perPeer = bytesPerCall(() => room.step(), 30) / room.peers.length;
    expect(perPeer).toBeLessThan(1000);
  });
});
