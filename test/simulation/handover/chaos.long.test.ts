import { afterAll, describe, expect, test } from 'vitest';
import { handoverChaos } from './chaos.ts';
import { addFates, noFates, tableOf } from './watch.ts';

/** Rooms with a liar: so many seeds from the first on. Two runs side by side take half as long. */
const FIRST_SEED = Number(process.env.FIRST_SEED ?? 1);
const SEEDS = Number(process.env.SEEDS ?? 2000);

describe('[F4] [H8] many more rooms whose hosts vanish', () => {
  test.each(Array.from({ length: 300 }, (_, i) => i + 1000))('seed %d', (seed) => {
    const room = handoverChaos(seed);
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });
});

describe('[F4] [H8] [S2] [S3] rooms whose hosts vanish while all spawn and despawn', () => {
  test.each(Array.from({ length: 200 }, (_, i) => i + 93_001))('with spawns, seed %d', (seed) => {
    const room = handoverChaos(seed, { spawns: true });
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });
});

describe('[F4] rooms with a liar, stalls of 5 s, splits and returns: nobody takes over a host that is heard', () => {
  const all = noFates();

  test.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))('with a liar, seed %d', (seed) => {
    const fates = noFates();
    const room = handoverChaos(seed, { hasLiar: true, fates });
    addFates(all, fates);
    if (fates.told.length > 0) console.log(`seed ${seed}: ${fates.told.join('; ')}`);
    expect(fates.takeovers, fates.told.join('\n')).toBe(0);
    expect(room.pages.length === 0 ? [] : room.differences(), room.describe()).toEqual([]);
  });

  afterAll(() => console.log(tableOf(all)));
});
