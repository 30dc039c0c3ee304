import { describe, expect, test } from 'vitest';
import { handoverChaos } from './handover-chaos.ts';

/** Those that once found something: two hosts that gave way to each other, and guests who thought others were there. */
const FOUND = [57, 87, 102, 105];
const SEEDS = [0, 1, 2, 3, ...FOUND];

describe('[F4] [H8] however pages go and come, in the end those who are there have one host, and agree', () => {
  test.each(SEEDS)('seed %d', (seed) => {
    const room = handoverChaos(seed);
    expect(room.differences(), room.describe()).toEqual([]);
  });
});
