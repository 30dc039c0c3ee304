import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileFrom, openInMenu } from '../../support/pages/files.ts';
import { openMenu, presenceOf } from '../../support/pages/room-faults.ts';
import { dropHand, grabCube, placeCube } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import {
  areAgreed,
  inRoom,
  inspectOf,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../../support/pages/room-page.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

const SIZE = { viewport: { width: 900, height: 640 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const TABLET = { width: 744, height: 1133 };
/** The uppermost cube of the tower. */
const TOP = 19;
const [RED, GREEN, YELLOW] = [1, 2, 3];

let browser: Browser;

beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(() => browser.close());

it('one is called and coloured as one likes, and what a host wipes can be brought back', async () => {
  const site = openSite();
  const host = await openPage(browser, site.url, SIZE);
  const { link } = await startRoom(host, 'Ada', 'tower');
  const waiting = host.page.getByText('Waiting for a friend…');
  await waiting.waitFor();
  const hostMenu = await openMenu(host);
  await hostMenu.getByLabel('Lock the room').click();
  await hostMenu.getByText('The room is locked. Unlock it to invite friends.').waitFor();
  expect(await waiting.isVisible(), 'nobody is invited into a locked room').toBe(false);
  await hostMenu.getByLabel('Lock the room').click();
  await waiting.waitFor();

  const guest = await openPage(browser, link, SIZE);
  await inRoom(guest);
  await expect.poll(() => nameOf(host, RED)).toBe('');
  await guest.page.getByText('You are Red.').waitFor();
  await guest.page.getByRole('button', { name: 'Change' }).click();
  const name = guest.page.getByLabel('Your name');
  expect(await name.evaluate((field) => document.activeElement === field)).toBe(true);
  await name.fill('Bo');
  await name.press('Enter');
  await expect.poll(() => nameOf(host, RED)).toBe('Bo');
  await keepsItsQuestion(host, guest);

  await until('the tower stands', () => areAgreed([host, guest]));
  await placeCube(guest, 'right', await grabCube(guest, 'right', TOP), [1.5, 0.25, 0.5]);
  await dropHand(guest, 'right');
  await until('all is at rest', () => areAgreed([host, guest]));

  await guest.page.getByRole('radio', { name: /^green/ }).check({ force: true });
  const began = performance.now();
  await guest.page.getByRole('button', { name: 'Leave, and come back in green (about 2 s)' }).click();
  await until('Bo is green', async () => (await nameOf(host, GREEN)) === 'Bo');
  await inRoom(guest);
  await until('and nothing else', async () => (await roomOf(guest)).you === GREEN);
  console.log(`another colour after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  expect(await presenceOf(host, RED)).toBeUndefined();
  expect(new URL(guest.page.url()).search).toBe(new URL(link).search);
  await hostMenu.getByText('You are the host, so you keep your colour').waitFor();

  await resetAndBringBack(host, guest);

  const menu = await openMenu(host);
  await menu.getByRole('button', { name: 'Leave the room' }).click();
  await menu.getByRole('button', { name: 'Leave', exact: true }).click();
  await host.page.getByRole('button', { name: 'Start a room' }).waitFor();
  await until('Bo is the host', async () => (await roomOf(guest)).host === GREEN);

  // Alone, a host is as free as a guest, and keeps its room and its cubes.
  const before = await placesOf(guest);
  const own = await openMenu(guest);
  await own.getByRole('radio', { name: /^yellow/ }).check({ force: true });
  await own.getByRole('button', { name: 'Leave, and come back in yellow (about 2 s)' }).click();
  await until('Bo is yellow', async () => (await youOf(guest)) === YELLOW);
  expect(new URL(guest.page.url()).search).toBe(new URL(link).search);
  await until('the cubes are the same', async () => !isOther(await placesOf(guest), before));
  expect([...host.faults, ...guest.faults]).toEqual([]);
  await host.context.close();
  await guest.context.close();
});

it('under the menu of a touch screen, news take the place of the hint, which is hidden there', async () => {
  const touch = await openPage(browser, openSite().url, { ...PHONE, hasTouch: true, isMobile: true });
  const { page } = touch;
  await startRoom(touch, 'Ada', 'tower');
  for (const viewport of [PHONE.viewport, TABLET]) {
    await page.setViewportSize(viewport);
    await openMenu(touch);
    expect(await page.getByRole('region', { name: 'Hint' }).isVisible(), 'no hint is seen').toBe(false);
    expect(await newsBelowBar(touch), `${viewport.width} px wide`).toBeLessThan(20);
    await page.getByRole('button', { name: 'Close the menu' }).tap();
  }
  expect(touch.faults).toEqual([]);
  await touch.context.close();
});

/** How many pixels the news begin below the bar. */
function newsBelowBar({ page }: RoomPlayerPage): Promise<number> {
  return page.evaluate(() => {
    const [bar, news] = ['.room .bar', '.room .notices'].map((name) => document.querySelector(name));
    return (news?.getBoundingClientRect().top ?? NaN) - (bar?.getBoundingClientRect().bottom ?? NaN);
  });
}

/** A guest can't keep its removal away by new names: the host's question stays open. */
async function keepsItsQuestion(host: RoomPlayerPage, guest: RoomPlayerPage): Promise<void> {
  const menu = await openMenu(host);
  await menu.getByRole('button', { name: 'Remove Bo from the room' }).click();
  const question = menu.getByRole('group', { name: 'Remove Bo from the room?' });
  await question.waitFor();
  const rename = async (text: string): Promise<void> => {
    const name = guest.page.getByLabel('Your name');
    await name.fill(text);
    await name.press('Enter');
    await expect.poll(() => nameOf(host, RED)).toBe(text);
  };
  await rename('Bobby');
  expect(await question.isVisible()).toBe(true);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await rename('Bo');
}

/** A host resets the cubes, after a question that it refuses first, and brings them back by keys. */
async function resetAndBringBack(host: RoomPlayerPage, guest: RoomPlayerPage): Promise<void> {
  const built = await placesOf(host);
  const hostMenu = await openMenu(host);
  const reset = hostMenu.getByRole('button', { name: 'Reset', exact: true }).first();
  const question = hostMenu.getByRole('group', { name: 'Reset the scene for everybody?' });
  await reset.click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await question.isVisible()).toBe(false);
  expect(await placesOf(host), 'a question that is refused does nothing').toEqual(built);
  await reset.click();
  await question.getByRole('button', { name: 'Reset' }).click();
  await guest.page.getByText('Ada reset the scene.').waitFor();
  expect(await guest.page.getByRole('button', { name: 'Bring back' }).count()).toBe(0);
  await until('the tower stands again', async () => isOther(await placesOf(guest), built));

  await host.page.getByText('You reset the scene.').waitFor();
  await host.page.keyboard.press('Escape');
  await until('the Tab key has come to the button', async () => {
    await host.page.keyboard.press('Tab');
    return host.page.evaluate(() => document.activeElement?.textContent === 'Bring back');
  });
  await host.page.keyboard.press('Enter');
  await guest.page.getByText('Ada brought the scene back.').waitFor();
  for (const player of [host, guest])
    await until('the cubes are back', async () => !isOther(await placesOf(player), built));
  // [B1.5] It is of the scene that all see already.
  await openInMenu(host.page, await fileFrom(host.page, 'Save the world'));
  await guest.page.getByText('Ada opened a file of the tower.').waitFor();
}

async function nameOf(player: RoomPlayerPage, slot: number): Promise<string | undefined> {
  return (await roomOf(player)).players.find((other) => other.slot === slot)?.name;
}

/** The player's own slot; null while it is in no room. */
function youOf({ page }: RoomPlayerPage): Promise<number | null> {
  return page.evaluate(() => window.handover?.room?.().you ?? null);
}

async function placesOf(player: RoomPlayerPage): Promise<unknown> {
  return (await inspectOf(player)).bodies.map(({ position, rotation }) => ({ position, rotation }));
}

function isOther(some: unknown, others: unknown): boolean {
  return JSON.stringify(some) !== JSON.stringify(others);
}
