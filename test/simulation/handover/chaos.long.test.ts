import { describe, expect, test } from 'vitest';
import { handoverChaos } from './chaos.ts';

describe('[F4] [H8] many more rooms whose hosts vanish', () => {
  test.each(Array.from({ length: 300 }, (_, i) => i + 1000))('seed %d', (seed) => {
    const room = handoverChaos(seed);
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });
});
