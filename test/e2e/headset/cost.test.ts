import { describe, expect, it } from 'vitest';
import { benchHeadset } from '../../../src/tools/bench/headset.ts';
import { connectBrowser } from '../../support/run/stories.ts';

/** For each eye: more than that is what slows a headset's own processor. */
const MOST_CALLS = 100;

describe('a frame in a headset', () => {
  it(`takes under ${MOST_CALLS} draw calls for each eye, with 256 cubes and four others in play`, async () => {
    const [figures] = await benchHeadset([256], 10, 20, connectBrowser);
    expect(figures).toMatchObject({ cubes: 256, avatars: 4, views: 2 });
    // All the cubes are among them.
    expect(figures.triangles).toBeGreaterThan(256 * 12);
    expect(figures.drawCalls).toBeGreaterThan(10);
    expect(figures.drawCalls).toBeLessThan(MOST_CALLS);
  });
});
