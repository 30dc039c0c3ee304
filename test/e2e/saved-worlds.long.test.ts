import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropHand, grabCube } from '../support/pages/room-moves.ts';
import { areAgreed, openPage, startRoom, until } from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

describe('a browser that keeps nothing', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it('is no hindrance: it is said once, and play goes on', async () => {
    const player = await openPage(browser, site.url);
    const { page } = player;
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = (): never => {
        sessionStorage.refused = Number(sessionStorage.refused ?? 0) + 1;
        throw new DOMException('no room is left', 'QuotaExceededError');
      };
    });
    await page.reload();
    await startRoom(player, 'Ada', 'tower');
    await until('the tower stands', () => areAgreed([player]));
    const said = page.getByText('This browser won’t keep your cubes.');
    await Promise.all([said.waitFor(), grabCube(player, 'right', 19)]);
    await said.waitFor({ state: 'detached' });
    await dropHand(player, 'right');
    await until('it is asked again', () => page.evaluate(() => Number(sessionStorage.refused) > 1));
    expect(await said.count()).toBe(0);
    expect(player.faults).toEqual([]);
  });
});
