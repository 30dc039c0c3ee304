import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { distance, drawn, headOf, turned } from '../../support/aiming/heads.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, openPage, roomOf, until } from '../../support/pages/room-page.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

const SIZE = { width: 640, height: 400 };
const [HOST, GUEST] = [0, 1];
/** How often a key is pressed to come to a cube, at the most. */
const MOST_PRESSES = 60;

let browser: Browser;

beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(() => browser.close());

it('keys alone go from the lobby to a cube that is thrown, and to one that a friend takes', async () => {
  const site = openSite();
  const player = await openPage(browser, site.url, { viewport: SIZE });
  const { page } = player;
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Start a room' }).waitFor();
  await until('the Tab key has come to the button', async () => {
    await keyboard.press('Tab');
    return page.evaluate(() => document.activeElement?.textContent?.includes('Start a room') === true);
  });
  await keyboard.press('Enter');
  await inRoom(player);
  await until('the cubes rest', async () => (await inspectOf(player)).bodies.every(({ resting }) => resting));
  const before = await headOf(player, HOST);
  await keyboard.down('ArrowLeft');
  await until('it looks to the left', async () => turned(before, await headOf(player, HOST)) > 0.2);
  await keyboard.up('ArrowLeft');
  await keyboard.down('ArrowRight');
  await until('it looks back', async () => turned(before, await headOf(player, HOST)) < 0.1);
  await keyboard.up('ArrowRight');
  expect(distance((await headOf(player, HOST)).position, before.position), 'nobody walks').toBeLessThan(0.01);

  for (const key of ['n', 'Delete']) {
    await keyboard.press(key);
    await page.getByText('In this scene nothing can be added or removed.').waitFor();
  }
  const words = page.locator('.spoken');
  await keyboard.press('.');
  await words.getByText(/^Cube \d+ of \d+, \d+ metres? away\.$/).waitFor();
  await keyboard.press('Enter');
  let held = -1;
  await until('a cube is in the hand', async () => {
    held = (await inspectOf(player)).bodies.findIndex(({ holder }) => holder?.slot === HOST);
    return held >= 0;
  });
  await words.getByText('You hold the cube.').waitFor();
  const reach = async (): Promise<number> =>
    distance((await headOf(player, HOST)).position, await drawn(player, held));
  const far = await reach();
  await keyboard.down('PageDown');
  await until('it comes nearer', async () => (await reach()) < far - 1);
  await keyboard.up('PageDown');
  const from = await drawn(player, held);
  await keyboard.down('t');
  await drawsFor(page, 600);
  await keyboard.up('t');
  await until('it is let go', async () => (await inspectOf(player)).bodies[held].holder === null);
  await words.getByText('Thrown.').waitFor();
  await until('it flies away', async () => {
    const [now, eye] = [await drawn(player, held), (await headOf(player, HOST)).position];
    return Math.hypot(now.x - from.x, now.z - from.z) > 1 && distance(now, eye) > distance(from, eye) + 1;
  });
  await handOver(player);
});

/** Waits until a page has drawn for so many milliseconds: a throw is charged by frames. */
async function drawsFor(page: Page, ms: number): Promise<void> {
  await page.evaluate(
    (least) =>
      new Promise<void>((done) => {
        let first = NaN;
        const look = (at: number): void => {
          if (Number.isNaN(first)) first = at;
          if (at - first >= least) done();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    ms,
  );
}

/** A player with empty hands holds a cube out to a friend who comes, and the friend takes it; all by keys. */
async function handOver(player: RoomPlayerPage): Promise<void> {
  const { keyboard } = player.page;
  const friend = await openPage(browser, (await roomOf(player)).link, { viewport: SIZE });
  await inRoom(friend);
  await until('the friend sees the host', () => isSeen(friend, HOST));
  await until('the host sees the friend', () => isSeen(player, GUEST));
  await keyboard.press('b');
  await keyboard.press('.');
  await keyboard.press('Enter');
  let given = -1;
  await until('another cube is in the hand', async () => {
    given = (await inspectOf(player)).bodies.findIndex(({ holder }) => holder?.slot === HOST);
    return given >= 0;
  });
  await keyboard.press('o');
  await player.page
    .locator('.spoken')
    .getByText('You hold the cube out to Red. Press Enter to let go.')
    .waitFor();
  await lookAwayFromCube(friend);
  await choose(friend, /^Blue’s cube, /);
  await friend.page.keyboard.press('Enter');
  await friend.page.locator('.spoken').getByText('You reach for Blue’s cube.').waitFor();
  // Before the host knows of the reach, its cube would only fall.
  await until('the host sees the friend reach', () => isReachingFor(player, GUEST, given));
  await keyboard.press('Enter');
  await until('the friend has it', async () => {
    return (await inspectOf(player)).bodies[given].holder?.slot === GUEST;
  });
  await friend.page.locator('.spoken').getByText('You hold the cube.').waitFor();
  for (const { faults, context } of [player, friend]) {
    expect(faults).toEqual([]);
    await context.close();
  }
}

/** A friend that looks away from the cube that is held out to it sees an arrow to it. */
async function lookAwayFromCube({ page }: RoomPlayerPage): Promise<void> {
  const arrow = page.locator('.friend-arrow.to-cube');
  // On its way out the cube may come into the picture from below.
  await arrow.waitFor({ state: 'hidden' });
  await page.keyboard.down('ArrowUp');
  await arrow.waitFor({ state: 'visible' });
  await page.keyboard.up('ArrowUp');
  await page.keyboard.press('b');
  await arrow.waitFor({ state: 'hidden' });
}

function isSeen({ page }: RoomPlayerPage, slot: number): Promise<boolean> {
  return page.evaluate(
    (of) => window.handover?.avatar(window.handover.inspect()[0].slot, of) !== undefined,
    slot,
  );
}

function isReachingFor({ page }: RoomPlayerPage, slot: number, body: number): Promise<boolean> {
  return page.evaluate(
    ({ slot, body }) => {
      const avatar = window.handover?.avatar(window.handover.inspect()[0].slot, slot);
      return avatar?.hands.some(({ reach }) => reach === body) ?? false;
    },
    { slot, body },
  );
}

/** Chooses one cube after the other until a screen reader hears the words. */
async function choose({ page }: RoomPlayerPage, words: RegExp): Promise<void> {
  const spoken = page.locator('.spoken');
  for (let i = 0; i < MOST_PRESSES; i++) {
    const before = await spoken.textContent();
    await page.keyboard.press('.');
    await expect.poll(() => spoken.textContent()).not.toBe(before);
    if (words.test((await spoken.textContent()) ?? '')) return;
  }
  throw new Error(`no cube is ${String(words)}`);
}
