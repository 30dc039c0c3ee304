import { expect, test } from 'vitest';
import { flingHeaps } from './heaps.ts';

test.each([1, 2])(
  '[A14.4] two heaps flung into each other come to rest, and no cube changes hands often (seed %i)',
  async (seed) => {
    const { ticks, mostChangesInASecond } = await flingHeaps(seed);
    expect(ticks).toBeLessThan(15 * 60);
    expect(mostChangesInASecond).toBeLessThanOrEqual(4);
  },
);
