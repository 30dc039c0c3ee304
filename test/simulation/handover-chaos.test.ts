import { describe, expect, test } from 'vitest';
import { handoverChaos } from './handover-chaos.ts';

const SEEDS = 150;

describe('[F4] [H8] however pages go and come, in the end those who are there have one host, and agree', () => {
  test.each(Array.from({ length: SEEDS }, (_, i) => i))('seed %d', (seed) => {
    const room = handoverChaos(seed);
    expect(room.differences(), room.describe()).toEqual([]);
  });
});
