import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBrowser, openSite } from '../../support/run/stories.ts';
import type { OwnWorldPage } from '../pages/own-world.ts';

const PATH = 'test/e2e/pages/own-world.html';
const WAIT = { interval: 50 };

let browser: Browser;
const faults: string[] = [];
beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(async () => {
  await browser.close();
  expect(faults).toEqual([]);
});

/** A tab of its own, with a seat of its own. */
async function open(address = openSite().url + PATH): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(address);
  return isIn(page);
}

async function isIn(page: Page): Promise<Page> {
  await page.waitForFunction(() => window.ownWorldPage !== undefined);
  return page;
}

/** Loads the page again. @param reload what makes the page do so. */
async function reloads(page: Page, reload: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => void (document.title = 'before'));
  await reload();
  await page.waitForFunction(() => document.title !== 'before');
  await isIn(page);
}

type Seen = {
  readonly slot: number;
  readonly status: string;
  readonly isHost: boolean;
  readonly players: readonly number[];
  readonly at: ReturnType<OwnWorldPage['bodies']>;
};

function see(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const { ownWorldPage } = window;
    if (ownWorldPage === undefined) throw new Error('the page is in no room');
    const { room } = ownWorldPage;
    const { slot, status, hosting, players } = room;
    return {
      slot,
      status,
      isHost: hosting !== null,
      players: players.map((player) => player.slot),
      at: ownWorldPage.bodies(),
    };
  });
}

async function rests(page: Page): Promise<readonly (readonly number[])[]> {
  await expect.poll(async () => (await see(page)).at.rest, WAIT).toBe(true);
  return (await see(page)).at.places;
}

/** Metres between the places of the same bodies, at most. */
function apart(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  return Math.max(...a.map((place, body) => Math.hypot(...place.map((x, axis) => x - b[body][axis]))));
}

/** Kicks a body, and waits until all lie still. @returns where. */
async function kick(page: Page): Promise<readonly (readonly number[])[]> {
  const before = await rests(page);
  await page.evaluate(() => window.ownWorldPage?.kick());
  await expect.poll(async () => (await see(page)).at.rest, WAIT).toBe(false);
  const after = await rests(page);
  expect(apart(before, after)).toBeGreaterThan(0.2);
  return after;
}

/** Tells a page that it is put aside, and that it is shown again. It has left its room between. */
function leavesAndComesBack(page: Page, away: string, back: string): Promise<void> {
  return page.evaluate(
    ([first, second]) => {
      const tell = (name: string): void => {
        const isOfPage = name.startsWith('page');
        if (isOfPage) dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
        else document.dispatchEvent(new Event(name));
      };
      tell(first);
      const status = window.ownWorldPage?.room.status;
      if (status !== 'left') throw new Error(`after ${first} the room is ${status}`);
      tell(second);
    },
    [away, back],
  );
}

describe('a room of one’s own world, in pages', () => {
  it('that can’t be opened is a rejection, which the page’s `catch` is given', async () => {
    const page = await open();
    expect(await page.evaluate(() => window.ownWorldPage?.openNothing())).toMatch(/^RangeError: `start` is/);
  });

  it('[F3] goes on where it was for a host that reloads alone', async () => {
    const host = await open();
    const places = await kick(host);
    await reloads(host, () => host.reload());
    expect(apart(await rests(host), places)).toBeLessThan(0.001);
    expect(await see(host)).toMatchObject({ slot: 0, isHost: true, status: 'here' });
  });

  it('[F3] keeps the slot of a guest that has become host, and reloads', async () => {
    const first = await open();
    const host = await open(first.url());
    await expect.poll(async () => (await see(first)).players, WAIT).toEqual([0, 1]);
    await first.context().close();
    await expect.poll(async () => (await see(host)).isHost, WAIT).toBe(true);
    await reloads(host, () => host.reload());
    expect(await see(host)).toMatchObject({ slot: 1, isHost: true });
    const other = await open(host.url());
    expect((await see(other)).slot).toBe(0);
    await expect.poll(async () => (await see(host)).players.toSorted(), WAIT).toEqual([0, 1]);
  });

  it('[F4] comes back by itself when its page is shown again, or wakes', async () => {
    const host = await open();
    const places = await kick(host);
    // Chromium freezes no page that it shows, and keeps none in the cache of its history that devtools look at.
    await reloads(host, () => leavesAndComesBack(host, 'freeze', 'resume'));
    expect(apart(await rests(host), places)).toBeLessThan(0.001);
    await reloads(host, () => leavesAndComesBack(host, 'pagehide', 'pageshow'));
    expect(await see(host)).toMatchObject({ slot: 0, isHost: true, status: 'here' });
  });
});
