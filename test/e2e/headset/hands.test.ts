import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { move, squeeze } from '../../support/pages/headset-player.ts';
import { positionOf } from '../../support/pages/room-moves.ts';
import { until } from '../../support/pages/room-page.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';
import { endWatch, watch } from '../../support/pages/watch.ts';
import { HeadsetPair, reachOf, SECOND, TOP } from '../../support/pages/headset-pair.ts';

/** One after the other, in one room. */
describe('a player in an emulated Quest 3, and a friend at a desk', () => {
  let browser: Browser;
  let pair: HeadsetPair;

  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it('make a room in the headset, and meet by its link', async () => {
    pair = await HeadsetPair.meet(browser, openSite());
  });

  it('[G1.1] [A6.3] see a cube taken with the hand, carried, and passed on; then one in each hand', async () => {
    const { ada } = pair;
    await pair.reachInto('right', TOP, [0.05, 0.2, 0.05]);
    await pair.takes('right', TOP);
    await pair.bothSee('right', TOP, async () => {
      await move(ada, 'right', [0, 4.2, 0.4], 400);
      await Promise.all([move(ada, 'right', [-1, 3.3, 2.2], 700), move(ada, 'head', [-1.6, 3.6, 3], 700)]);
    });

    await pair.reachInto('left', TOP, [-0.2, 0.05, 0.05]);
    await pair.takes('left', TOP);
    await squeeze(ada, 'right', 0);
    await pair.reachInto('right', SECOND, [0.05, 0.2, 0.05]);
    await pair.takes('right', SECOND);
    await pair.bothSee('right', SECOND, async () => {
      await move(ada, 'right', [0.4, 3.8, 0.4], 400);
      await Promise.all([move(ada, 'right', [0.6, 1.6, 2.2], 900), move(ada, 'left', [-1.6, 0.3, 2], 900)]);
    });
    await pair.bothKnow('one in each hand', TOP, 0, 'left');
    await squeeze(ada, 'left', 0);
  });

  it('[A9.5] give a cube to each other without a drop', async () => {
    const { ada, bo } = pair;
    await watch(ada.page, SECOND);
    await watch(bo.page, SECOND);
    const height = (await positionOf(ada, SECOND))[1];
    await pair.boReaches();
    await squeeze(ada, 'right', 0);
    await pair.bothKnow('Bo gets the cube', SECOND, 1, 'right');

    await squeeze(ada, 'right', 1);
    await until('Bo sees that Ada reaches', async () => (await reachOf(bo, 0)) === SECOND);
    await pair.boLetsGo();
    await pair.bothKnow('Ada gets the cube', SECOND, 0, 'right');
    for (const { page } of [ada, bo]) {
      const { sights } = await endWatch(page);
      const lowest = Math.min(...sights.map(({ cube }) => cube[1]));
      expect(height - lowest, 'metres that the cube dropped').toBeLessThan(0.03);
    }
  });

  it('had no faults', () => {
    expect([...pair.ada.faults, ...pair.bo.faults]).toEqual([]);
  });
});
