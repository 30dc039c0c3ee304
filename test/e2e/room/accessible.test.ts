import type { Browser, FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOST } from '../../../src/pages/room/sentences.ts';
import { violationsOn } from '../../support/pages/axe.ts';
import { bytesOf } from '../../support/pages/files.ts';
import { openMenu } from '../../support/pages/room-faults.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, openPage, roomOf, startRoom } from '../../support/pages/room-page.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectWholeBrowser, openSite } from '../../support/run/stories.ts';

declare global {
  interface Window {
    /** The texts that the log of news has had. */
    heardNews?: string[];
  }
}

const DESKTOP = { viewport: { width: 1000, height: 640 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Milliseconds for which a host stands still: its guest sees that long before, and axe needs a second. */
const STILL_MS = 7000;

let site: Site;
let browser: Browser;
const players: RoomPlayerPage[] = [];

beforeAll(async () => {
  site = openSite();
  browser = await connectWholeBrowser();
});
afterAll(() => browser.close());

async function open(query: string, options: Parameters<Browser['newContext']>[0]): Promise<RoomPlayerPage> {
  const player = await openPage(browser, `${site.url}${query}`, options);
  players.push(player);
  await player.page.evaluate(noteNews);
  return player;
}

async function finds(page: Page, state: string): Promise<void> {
  expect(await violationsOn(page), state).toEqual([]);
}

/** News are in the log that a screen reader reads out, for some seconds each: all are noted. */
async function says({ page }: RoomPlayerPage, sentence: string): Promise<void> {
  await page.waitForFunction((news) => window.heardNews?.some((text) => text.includes(news)), sentence);
}

/** Runs in a page: notes what comes into the log of news. */
function noteNews(): void {
  window.heardNews = [];
  const look = (): void => {
    const text = document.querySelector('[role="log"][aria-label="News"]')?.textContent ?? '';
    if (text !== '' && window.heardNews?.at(-1) !== text) window.heardNews?.push(text);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** Presses the button for a recording until the page asks for a file. A page that is slow to answer may not ask at once. */
async function openChooser(page: Page): Promise<FileChooser> {
  const chosen: FileChooser[] = [];
  page.on('filechooser', (chooser) => chosen.push(chooser));
  await expect
    .poll(
      async () => {
        if (chosen.length === 0) await page.getByRole('button', { name: 'Open a recording' }).click();
        return chosen.length;
      },
      { interval: 2000 },
    )
    .toBeGreaterThan(0);
  return chosen[0];
}

it('axe finds nothing in a room, whatever is open, and a screen reader hears all news', async () => {
  const host = await open('', DESKTOP);
  await finds(host.page, 'the lobby');
  const { link } = await startRoom(host, 'Ada', 'tower');
  await host.page.getByText('Waiting for a friend…').waitFor();
  await finds(host.page, 'a room with its invitation');
  await host.page.getByRole('button', { name: 'Turn my voice on' }).click();
  await says(host, 'Microphone blocked. Allow it in the address bar.');
  const menu = await openMenu(host);
  for (const details of ['Network', 'Help'])
    await menu.locator('summary').filter({ hasText: details }).click();
  await finds(host.page, 'the menu of a host, with a voice that failed');

  // Such news stay for some seconds only.
  const arrival = says(host, 'Red is here.');
  const guest = await open(link.slice(site.url.length), PHONE);
  await arrival;
  await inRoom(guest);
  await says(guest, 'You are Red.');
  await finds(guest.page, 'a guest’s room, with news, on a phone');
  await openMenu(guest);
  await finds(guest.page, 'the menu of a guest');
  await guest.page.keyboard.press('Escape');

  await menu.getByRole('button', { name: 'Reset', exact: true }).click();
  await menu.getByRole('group', { name: 'Reset the scene for everybody?' }).waitFor();
  await finds(host.page, 'a question');
  const wave = guest.page.getByRole('button', { name: 'Wave to your friends' });
  await menu.getByRole('group').getByRole('button', { name: 'Reset' }).click();
  await Promise.all([says(host, 'You reset the scene.'), says(guest, 'Ada reset the scene.')]);
  await Promise.all([says(host, 'Red waves.'), wave.tap()]);

  const still = host.page.evaluate((ms) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  }, STILL_MS);
  await guest.page.getByRole('alert').filter({ hasText: LOST }).waitFor();
  await finds(guest.page, 'a lost connection');
  await still;
  await guest.page.getByText(LOST).waitFor({ state: 'hidden' });

  await menu.getByRole('button', { name: 'Record' }).click();
  await host.page.getByRole('button', { name: 'Stop and save the recording' }).waitFor();
  await expect.poll(async () => (await roomOf(host)).recording.seconds).toBeGreaterThan(0.2);
  const [download] = await Promise.all([
    host.page.waitForEvent('download'),
    host.page.locator('.pill.recording').click(),
  ]);
  await says(host, 'Saved.');
  const recording = await bytesOf(download);
  await Promise.all([says(host, 'Red is away.'), guest.context.close()]);

  const { page } = host;
  await page.goto(`${site.url}?view=loopback&panel=open`);
  await page.waitForFunction(() => document.body.dataset.state === 'ready');
  const chooser = await openChooser(page);
  await chooser.setFiles({ name: 'play.handover-recording', mimeType: '', buffer: recording });
  await page.getByLabel('Time').waitFor();
  await finds(page, 'a replay');
  for (const player of players) expect(player.faults.filter((fault) => !fault.includes('axe'))).toEqual([]);
});

it('axe finds nothing on the pages around the rooms', async () => {
  for (const [state, query, options] of [
    ['the lobby on a phone', '', PHONE],
    ['a lobby that says what is wrong', '?room=BILOS', DESKTOP],
    ['the loopback page', '?view=loopback&panel=open&help=on', DESKTOP],
    ['the loopback page on a phone, its panel closed', '?view=loopback&panel=closed', PHONE],
    ['the lab, with a notice', '?view=lab&models=server&scene=nonsense', DESKTOP],
  ] as const) {
    const { page, context } = await open(query, options);
    await page.waitForFunction(() => document.body.dataset.state === 'ready');
    await finds(page, state);
    await context.close();
  }
});
