import { afterAll, describe, expect, test } from 'vitest';
import { handoverChaos } from './chaos.ts';
import { addFates, noFates, tableOf } from './watch.ts';

describe('[F4] [H8] many more rooms whose hosts vanish', () => {
  test.each(Array.from({ length: 300 }, (_, i) => i + 1000))('seed %d', (seed) => {
    const room = handoverChaos(seed);
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });
});

describe('[F4] rooms with a liar, stalls of 5 s, splits and returns: nobody takes over a host that is heard', () => {
  const all = noFates();

  test.each(Array.from({ length: 2000 }, (_, i) => i + 1))('seed %d', (seed) => {
    const fates = noFates();
    const room = handoverChaos(seed, { hasLiar: true, fates });
    addFates(all, fates);
    expect(fates.takeovers, fates.told.join('\n')).toBe(0);
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });

  afterAll(() => console.log(tableOf(all)));
});
