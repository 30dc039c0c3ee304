import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveByMenu, openMenu } from '../support/pages/room-faults.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import { inRoom, inspectOf, openPage, roomOf, startRoom, until } from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectWholeBrowser, openSite } from '../support/run/stories.ts';

describe('the doors of the lobby', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = openSite();
    browser = await connectWholeBrowser();
  });
  afterAll(() => browser.close());

  it('one leads to practice: a bot holds a cube out, nothing is asked of a network, and there is a way back', async () => {
    const player = await openPage(browser, `${site.url}?view=practice`);
    const { page } = player;
    await inRoom(player);
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    expect((await roomOf(player)).isPractice).toBe(true);
    await until('the helper holds a cube', async () =>
      (await inspectOf(player)).bodies.some(({ holder }) => holder?.slot === 1),
    );
    const menu = await openMenu(player);
    for (const part of ['Players', 'Voice', 'Invite', 'Room'])
      expect(await menu.getByRole('heading', { name: part, exact: true }).isVisible(), part).toBe(false);
    await page.keyboard.press('Escape');
    await page.locator('.bar').getByRole('button', { name: 'Back to the lobby' }).click();
    await page.getByRole('button', { name: 'Start a room' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await focused(page)).toBe('Handover');
    await page.getByRole('link', { name: 'Practise' }).click();
    await inRoom(player);
    expect(await page.getByText('Setting up the cubes…').isVisible()).toBe(false);
    expect(sockets).toEqual([]);
    expect(player.faults).toEqual([]);
    await player.context.close();
  });

  it('one leads back to the room that was left, whose host is asked to give it back; a friend joins with voice', async () => {
    const withMicrophone = { permissions: ['microphone'] };
    const ada = await openPage(browser, site.url);
    await tellsWhatIsMissing(ada);
    const { code } = await startRoom(ada, 'Ada', 'pyramid');
    const bo = await openPage(browser, site.url, withMicrophone);
    await bo.page.getByLabel('Your name').fill('Bo');
    await bo.page.getByLabel('Your friend’s code').fill(code);
    await bo.page.getByRole('button', { name: 'Join with voice' }).click();
    await inRoom(bo);
    await until('the voice of Bo is on', async () => (await voiceOf(ada, 1)) === 'on');

    await leaveByMenu(ada);
    const back = ada.page.getByRole('button', { name: `Back to room ${code}` });
    expect(await back.innerText()).toContain('Bo was there');
    expect(await focused(ada.page)).toContain(`Back to room ${code}`);
    await until('Bo is the host now', async () => (await roomOf(bo)).host === 1);
    await back.click();
    await inRoom(ada);
    await ada.page.getByText('Bo is the host now.').waitFor({ state: 'attached' });
    await bo.page.getByText('Ada is back. Give the room back?').waitFor();
    await bo.page.getByRole('button', { name: 'Give it back' }).click();
    await until('Ada is the host again', async () => (await roomOf(ada)).host === 0 && (await isWell(ada)));
    await until('Bo is there as a guest', async () => (await roomOf(bo)).host === 0 && (await isWell(bo)));
    await until('the voice of Bo is on', async () => (await voiceOf(ada, 1)) === 'on');
    expect(await bo.page.getByRole('button', { name: 'Give it back' }).count()).toBe(0);

    const menu = await openMenu(ada);
    await menu.getByRole('button', { name: 'Make Bo the host' }).click();
    await menu.getByText('Make Bo the host? You stay in the room.').waitFor();
    await menu.getByRole('button', { name: 'Make host' }).click();
    await until('Bo is the host', async () => (await roomOf(bo)).host === 1 && (await isWell(bo)));
    await bo.page.getByText('Ada made you the host.').waitFor({ state: 'attached' });
    await until('Ada is there as a guest', async () => (await roomOf(ada)).host === 1 && (await isWell(ada)));
    await menu.getByRole('button', { name: 'Make Bo the host' }).waitFor({ state: 'hidden' });
    expect([...ada.faults, ...bo.faults]).toEqual([]);
    await Promise.all([ada.context.close(), bo.context.close()]);
  });

  it('[F5.1] a browser that blocks connections to friends is told so at once, and what to do', async () => {
    const { page, context, faults } = await openPage(browser, site.url);
    await page.addInitScript(() => {
      for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection'])
        Reflect.deleteProperty(window, name);
    });
    await page.reload();
    await page.getByRole('button', { name: 'Start a room' }).click();
    await page.getByText('This browser blocks connections to friends.').waitFor({ timeout: 10_000 });
    await page.getByText('extensions that guard your privacy').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});

/** [F5.1] A page whose site has gone says so; it calls itself offline only where it is. */
async function tellsWhatIsMissing({ page, context, faults }: RoomPlayerPage): Promise<void> {
  await page.getByRole('button', { name: 'Start a room' }).waitFor();
  await context.route('**/assets/rapier*', (route) => route.abort());
  await page.getByRole('button', { name: 'Start a room' }).click();
  await page.getByText('A part of this page didn’t load.').waitFor();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Start a room' }).click();
  await page.getByText('You are offline.').waitFor();
  expect(await page.getByLabel('Your friend’s code').inputValue()).toBe('');
  await page.getByLabel('Your friend’s code').pressSequentially('42');
  await page.getByText('That isn’t a room code.').waitFor();
  await context.setOffline(false);
  await context.unroute('**/assets/rapier*');
  // The browser tells of the files that it did not get; nothing else went wrong.
  expect(faults.splice(0).filter((fault) => !/Failed to load|ERR_/.test(fault))).toEqual([]);
  await page.goto(new URL(page.url()).origin);
}

/** The text of the element with the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}

async function voiceOf(player: RoomPlayerPage, slot: number): Promise<string | undefined> {
  return (await roomOf(player)).players.find((other) => other.slot === slot)?.voice;
}

/** The page has its host, and both players are there. */
async function isWell(player: RoomPlayerPage): Promise<boolean> {
  const { connection, players } = await roomOf(player);
  return connection === 'good' && players.filter(({ presence }) => presence === 'here').length === 2;
}
