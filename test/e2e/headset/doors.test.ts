import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pressInLobby, pressInWorld } from '../../support/pages/headset-panels.ts';
import { leaveByMenu, removeByMenu } from '../../support/pages/room-faults.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import {
  inRoom,
  inspectOf,
  joinByCode,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../../support/pages/room-page.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

describe('from door to door in an emulated Quest 3', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it('starts a room from the lobby, leaves it, and joins another by its code, all in one session', async () => {
    const ada = await openPage(browser, `${site.url}?emulate=quest3`);
    await ada.page.getByLabel('Your name').fill('Ada');
    await enterVr(ada.page);
    await pressInLobby(ada.page, 'Pyramid');
    await pressInLobby(ada.page, 'Start a room');
    await inRoom(ada);
    const { code, scene } = await roomOf(ada);
    expect(scene).toBe('pyramid');

    const bo = await openPage(browser, site.url);
    await joinByCode(bo, 'Bo', code);
    await until('Bo sees both hands of Ada', () => seesHands(bo, 0, true));

    await leaveRoom(ada.page);
    await until('Bo is the host now', async () => (await roomOf(bo)).host === 1);
    await leaveByMenu(bo);
    await until('Ada is in the lobby, in the same session', async () => {
      const isOut = await ada.page.evaluate(() => window.handover === undefined);
      return isOut && (await isSameSession(ada.page)) && !new URL(ada.page.url()).searchParams.has('room');
    });

    const other = await startRoom(bo, 'Bo', 'tower');
    await joinByKeys(ada.page, other.code);
    await until('Bo sees the hands of Ada', () => seesHands(bo, 1, true));
    await removeByMenu(bo, 'Ada');
    await until('Ada is in the lobby again, which says why', () =>
      ada.page.getByRole('heading', { name: 'The host removed you from the room.' }).isVisible(),
    );
    expect(await isSameSession(ada.page)).toBe(true);
    for (const { faults, context } of [ada, bo]) {
      expect(faults).toEqual([]);
      await context.close();
    }
  });

  it('leaves the headset while it goes into a room, and is in the room; a headset that refuses is explained', async () => {
    const ada = await openPage(browser, `${site.url}?emulate=quest3`);
    await refuseOnce(ada.page);
    await ada.page.getByRole('button', { name: 'Enter VR' }).click();
    await ada.page.getByText('The headset didn’t start.').waitFor();

    await enterVr(ada.page);
    await pressInLobby(ada.page, 'Start a room');
    await ada.page.evaluate(() => window.emulatedHeadset?.activeSession?.end());
    await inRoom(ada);
    await ada.page.getByRole('button', { name: 'Menu (key M)' }).click();
    await ada.page.getByRole('dialog', { name: 'Menu' }).waitFor();
    expect(ada.faults).toEqual([]);
    await ada.context.close();
  });

  it('goes over to the other world of the loopback page with A, and lets go there', async () => {
    const alone = await openPage(
      browser,
      `${site.url}?view=loopback&scene=pyramid&panel=closed&emulate=quest3`,
    );
    const { page } = alone;
    await page.waitForFunction(() => (window.handover?.inspect()[1]?.tick ?? 0) > 30);
    await page.getByRole('button', { name: 'Enter VR' }).click();
    await until('the host has hands', () => hasHands(page, 0));
    await keepSession(page);

    await page.evaluate(() => window.emulatedHeadset?.controllers.left?.updateButtonValue('squeeze', 1));
    await until('the left hand holds a cube', async () => holdersIn(await inspectOf(alone)).includes(0));
    await tapA(page);
    await until('the guest has the hands, and the host none', async () => {
      return (await hasHands(page, 1)) && !(await hasHands(page, 0));
    });
    await until('the host has let go', async () => !holdersIn(await inspectOf(alone)).includes(0));
    await pressInWorld(page, 1, 'Back to the lobby');
    await page.waitForFunction(() => window.handover === undefined);
    await pressInLobby(page, 'Practise');
    await until('the player has hands in practice', () => hasHands(page, 0));
    await until('the helper is there', () => isSeen(page, 1));
    expect(await isSameSession(page)).toBe(true);
    // The emulated headset covers the page.
    await page.locator('.to-lobby').dispatchEvent('click');
    await page.waitForFunction(() => window.handover === undefined);
    await pressInLobby(page, 'For engineers');
    await until('the host has hands again', () => hasHands(page, 0));
    expect(await isSameSession(page)).toBe(true);
    await page.evaluate(() => window.emulatedHeadset?.activeSession?.end());
    await until('nobody has hands', async () => !(await hasHands(page, 0)) && !(await hasHands(page, 1)));
    await page.getByRole('button', { name: 'Host' }).waitFor();
    expect(alone.faults).toEqual([]);
    await alone.context.close();
  });
});

/** Enters from the lobby, whose panel is there then, and keeps the session in mind. */
async function enterVr(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter VR' }).click();
  await page.waitForFunction(() => window.emulatedHeadset?.activeSession !== undefined);
  await keepSession(page);
}

declare global {
  interface Window {
    /** The session with which the story began. */
    firstSession?: unknown;
  }
}

async function keepSession(page: Page): Promise<void> {
  await page.evaluate(() => (window.firstSession = window.emulatedHeadset?.activeSession));
}

function isSameSession(page: Page): Promise<boolean> {
  return page.evaluate(
    () => window.firstSession !== undefined && window.firstSession === window.emulatedHeadset?.activeSession,
  );
}

/** The next time, the device says no. */
async function refuseOnce(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter VR' }).waitFor();
  await page.evaluate(() => {
    const { xr } = navigator;
    if (xr === undefined) throw new Error('there is no WebXR');
    const request = xr.requestSession.bind(xr);
    xr.requestSession = () => {
      xr.requestSession = request;
      return Promise.reject(new DOMException('Not now.', 'NotAllowedError'));
    };
  });
}

/** Leaves a friend by the menu of the page, as by the one at the wrist. */
async function leaveRoom(page: Page): Promise<void> {
  await page.keyboard.press('m');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  // The emulated headset covers the page.
  await menu.getByRole('button', { name: 'Leave the room' }).dispatchEvent('click');
  await menu.getByRole('button', { name: 'Leave', exact: true }).dispatchEvent('click');
}

async function joinByKeys(page: Page, code: string): Promise<void> {
  for (let i = 0; i < code.length; i++) await pressInLobby(page, code.charAt(i), code.slice(0, i));
  await pressInLobby(page, 'Join', code);
  await inRoom({ page });
}

async function tapA(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const controller = window.emulatedHeadset?.controllers.right;
    controller?.updateButtonValue('a-button', 1);
    await new Promise((resolve) => void setTimeout(resolve, 200));
    controller?.updateButtonValue('a-button', 0);
  });
}

/** Whether the player of a slot has both hands, as its own page draws it. */
function hasHands(page: Page, slot: number): Promise<boolean> {
  return page.evaluate(
    (at) => window.handover?.avatar(at, at)?.hands.every(({ tracked }) => tracked) ?? false,
    slot,
  );
}

/** Whether the page shows the player of a slot to its own player, in slot 0. */
function isSeen(page: Page, slot: number): Promise<boolean> {
  return page.evaluate((of) => window.handover?.avatar(0, of) !== undefined, slot);
}

/** Whether a friend sees both hands of a slot, or none. */
async function seesHands(friend: RoomPlayerPage, slot: number, wanted: boolean): Promise<boolean> {
  const { you } = await roomOf(friend);
  return friend.page.evaluate(
    ({ from, of, tracked }) => {
      const hands = window.handover?.avatar(from, of)?.hands;
      return hands !== undefined && hands.every((hand) => hand.tracked === tracked);
    },
    { from: you, of: slot, tracked: wanted },
  );
}

function holdersIn({ bodies }: Awaited<ReturnType<typeof inspectOf>>): (number | undefined)[] {
  return bodies.map(({ holder }) => holder?.slot);
}
