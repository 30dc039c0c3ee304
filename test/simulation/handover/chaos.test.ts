import { describe, expect, test } from 'vitest';
import { handoverChaos } from './chaos.ts';

/**
 * Seeds that once found something: two hosts that stepped down for each other, guests who thought others were
 * present, two halves of a room that never met again, a host that was alone at the door of a room that went
 * on without it, and two hosts that were elected at once. In seed 0 a guest slept while its host was a guest in
 * between, and came back to it.
 */
const FOUND = [57, 87, 102, 105, 1101, 2263, 5011, 5065];
/** Rooms in which somebody was left. */
let outlived = 0;
const SEEDS = [0, 1, 2, 3, ...FOUND];

describe('[F4] [H8] however pages go and come, in the end the present ones have one host, and agree', () => {
  test.each(SEEDS)('seed %d', (seed) => {
    const room = handoverChaos(seed);
    if (room.pages.length > 0) outlived++;
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });

  test('and hardly any room was left by everybody', () => {
    expect(outlived).toBeGreaterThanOrEqual(SEEDS.length - 1);
  });
});
