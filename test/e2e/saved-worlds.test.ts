import { readFileSync } from 'node:fs';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readWorldFile } from '../../src/core/wire/saved-world.ts';
import { launchBrowser, PLAIN_ADDRESSES } from '../support/browser.ts';
import { dropHand, grabCube, placeCube } from '../support/room-moves.ts';
import type { RoomPlayerPage } from '../support/room-page.ts';
import { areAgreed, inRoom, inspectOf, openPage, startRoom, until } from '../support/room-page.ts';
import type { PageServer } from '../support/server.ts';
import { startBuiltServer } from '../support/server.ts';

/** The uppermost cube of the tower. */
const TOP = 19;
/** Large enough for the menu, and for a look at it. */
const VIEWPORT = { viewport: { width: 900, height: 700 } };

describe('worlds that are kept, in files and in the browser', () => {
  let server: PageServer;
  let browser: Browser;
  let player: RoomPlayerPage;

  beforeAll(async () => {
    server = await startBuiltServer();
    browser = await launchBrowser({ keepAwake: true, args: PLAIN_ADDRESSES });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  afterEach(async () => {
    await player.context.close();
  });

  it('a tower is continued on another day, or from a file, to the bit; a damaged file changes nothing', async () => {
    player = await openPage(browser, server.url, VIEWPORT);
    await startRoom(player, 'Ada', 'tower');
    await moveTop(player);
    const built = await whereAllIs(player);

    const file = await fileFrom(player.page, 'Save cubes');
    expect(typeof readWorldFile(file)).toBe('object');
    // At once, so that what is kept as a page goes is what counts.
    await player.page.close();

    const page = await player.context.newPage();
    player = { ...player, page };
    await page.goto(server.url);
    const goOn = page.getByRole('button', { name: /^Continue/ });
    expect(await goOn.textContent()).toMatch(/Continue ?Tower, 20 cubes, just now/);
    await goOn.click();
    await inRoom(player);
    expect(await whereAllIs(player)).toEqual(built);

    await page.evaluate(() => window.handover?.reset());
    await until('the tower stands again', async () => {
      const [{ bodies }, now] = [await inspectOf(player), await whereAllIs(player)];
      return bodies.every(({ resting }) => resting) && JSON.stringify(now) !== JSON.stringify(built);
    });
    const damaged = Buffer.from(file);
    damaged[100] ^= 1;
    const reset = await whereAllIs(player);
    await openInMenu(page, damaged);
    await page.getByText('This file is damaged, and all stays as it was.').waitFor();
    expect(await whereAllIs(player)).toEqual(reset);
    expect(reset).not.toEqual(built);
    await openInMenu(page, file);
    await until(
      'the file is open',
      async () => JSON.stringify(await whereAllIs(player)) === JSON.stringify(built),
    );

    // Nobody has touched anything since: a reload brings back what was kept last.
    await page.reload();
    await inRoom(player);
    expect(await whereAllIs(player)).toEqual(built);
    expect(player.faults).toEqual([]);
  });

  it('a browser that keeps nothing is no hindrance: it is said once, and play goes on', async () => {
    player = await openPage(browser, server.url, VIEWPORT);
    await player.page.addInitScript(() => {
      IDBObjectStore.prototype.put = (): never => {
        sessionStorage.refused = Number(sessionStorage.refused ?? 0) + 1;
        throw new DOMException('no room is left', 'QuotaExceededError');
      };
    });
    await player.page.reload();
    await startRoom(player, 'Ada', 'tower');
    const { page } = player;
    const said = page.getByText('This browser keeps no cubes for later.');
    await Promise.all([said.waitFor(), moveTop(player)]);
    await said.waitFor({ state: 'detached' });
    await until('it is asked again', () => page.evaluate(() => Number(sessionStorage.refused) > 1));
    expect(await said.count()).toBe(0);
    expect(player.faults).toEqual([]);
  });
});

/** Puts the uppermost cube beside the tower, and waits until all is at rest. */
async function moveTop(player: RoomPlayerPage): Promise<void> {
  await until('the tower stands', () => areAgreed([player]));
  await placeCube(player, 'right', await grabCube(player, 'right', TOP), [1.5, 0.25, 0.5]);
  await dropHand(player, 'right');
  await until('all is at rest', () => areAgreed([player]), 30);
}

/** Where each body is drawn and whether it rests, to the bit. */
async function whereAllIs(player: RoomPlayerPage): Promise<unknown> {
  const { bodies } = await inspectOf(player);
  return bodies.map(({ position, rotation, resting }) => ({ position, rotation, resting }));
}

/** The file that a button of the menu hands out. */
async function fileFrom(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), pressInMenu(page, name)]);
  return bytesOf(download);
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

async function openInMenu(page: Page, file: Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), pressInMenu(page, 'Open a file')]);
  await chooser.setFiles({ name: 'tower.handover', mimeType: '', buffer: file });
}

async function pressInMenu(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  if (!(await button.isVisible())) await page.getByRole('button', { name: 'Menu (key M)' }).click();
  await button.click();
}
