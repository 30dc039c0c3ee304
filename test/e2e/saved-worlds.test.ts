import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { headOf, turned } from '../support/aiming/heads.ts';
import type { Inspection } from '../../src/core/peer/diagnostics/inspect.ts';
import { inspect } from '../../src/core/peer/diagnostics/inspect.ts';
import { Playback } from '../../src/core/peer/recording/playback.ts';
import { readRecording } from '../../src/core/peer/recording/recording.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { readWorldFile } from '../../src/core/wire/files/saved-world.ts';
import { bytesOf, fileFrom, openInMenu, pressInMenu } from '../support/pages/files.ts';
import { dropHand, grabCube, placeCube } from '../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import {
  areAgreed,
  inRoom,
  inspectOf,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';
import { gameLevels } from '../../src/levels/levels.ts';

/** The uppermost cube of the tower. */
const TOP = 19;
/** Large enough for the menu, and for a look at it. */
const VIEWPORT = { viewport: { width: 900, height: 700 } };

describe('worlds that are kept, in files and in the browser', () => {
  let site: Site;
  let browser: Browser;
  let player: RoomPlayerPage;

  beforeAll(async () => {
    await loadPhysics();
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await player.context.close();
  });

  it('a tower is continued on another day, or from a file, to the bit; a damaged file changes nothing', async () => {
    player = await openPage(browser, site.url, VIEWPORT);
    await startRoom(player, 'Ada', 'tower');
    await moveTop(player);
    const built = await whereAllIs(player);

    const file = await fileFrom(player.page, 'Save the world');
    expect(typeof readWorldFile(file, gameLevels)).toBe('object');
    // At once, so that what is kept as a page goes is what counts.
    await player.page.close();

    const page = await player.context.newPage();
    player = { ...player, page };
    await page.goto(site.url);
    const goOn = page.getByRole('button', { name: /^Continue/ });
    expect(await goOn.textContent()).toMatch(/Continue ?in a new room: Tower, just now/);
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
    await page.getByText('This file is damaged. Nothing has changed.').waitFor();
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

  it('what a host and a guest have recorded replays to where both ended, to the bit, and can be scrubbed', async () => {
    player = await openPage(browser, site.url, VIEWPORT);
    const host = player;
    const { link } = await startRoom(host, 'Ada', 'tower');
    const guest = await openPage(browser, link, VIEWPORT);
    await inRoom(guest);
    await until('the tower stands', () => areAgreed([host, guest]));
    const before = await whereAllIs(host);
    const atStart = await headOf(host, 0);
    await host.page.keyboard.down('ArrowLeft');
    await until('Ada has turned away', async () => turned(atStart, await headOf(host, 0)) > 0.6);
    await host.page.keyboard.up('ArrowLeft');
    for (const { page } of [host, guest]) {
      await pressInMenu(page, 'Record');
      await page
        .getByRole('button', { name: 'Stop and save the recording' })
        .getByText(/0:\d[1-9]/)
        .waitFor();
      await page.keyboard.press('Escape');
    }
    expect(turned(atStart, await headOf(host, 0)), 'nobody turns as a recording begins').toBeGreaterThan(0.5);
    await moveTop(guest, [host, guest]);
    const built = await whereAllIs(host);
    expect(await whereAllIs(guest)).toEqual(built);
    const files: Buffer[] = [];
    for (const { page } of [host, guest]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.pill.recording').click(),
      ]);
      files.push(await bytesOf(download));
    }
    const [watched] = await Promise.all([
      host.context.waitForEvent('page'),
      host.page.getByRole('button', { name: 'Watch it now' }).click(),
    ]);
    await watched.getByLabel('Time').waitFor();
    expect((await roomOf(host)).players, 'the room goes on').toHaveLength(2);
    await watched.close();
    expect([...host.faults, ...guest.faults]).toEqual([]);
    await guest.context.close();
    // The engine is the same here as in the browser.
    const [ofHost, ofGuest] = files.map(placesIn);
    expect([ofHost.at(-1), ofGuest.at(-1)]).toEqual([built, built]);
    // The guest was in agreement before its first move, so some step of its recording shows that.
    const atBefore = ofGuest.findIndex((places) => isSame(places, before)) + 1;
    expect(atBefore).toBeGreaterThan(0);

    const { page } = host;
    await page.goto(site.url);
    await openRecording(page, files[1]);
    const slider = page.getByLabel('Time');
    await slider.fill(String(ofGuest.length));
    await until('it is at its end', async () => isSame(await whereAllIs(host), built));
    await slider.fill(String(atBefore));
    await until('it is before the first move', async () => isSame(await whereAllIs(host), before));
    const { tick } = await inspectOf(host);
    await page.getByRole('button', { name: 'One step on' }).click();
    await until('it is a step further', async () => (await inspectOf(host)).tick === tick + 1);
    await page.getByRole('button', { name: 'Play' }).click();
    await until('it plays', async () => (await inspectOf(host)).tick > tick + 30);
    expect(await page.getByText('differs').count()).toBe(0);
    await page.getByRole('button', { name: 'Close the recording' }).click();
    await openRecording(page, Buffer.from(files[0].subarray(0, 999)));
    await page.getByText('This file is damaged.').waitFor();
    expect(host.faults).toEqual([]);
  });
});

/** Puts the uppermost cube beside the tower, and waits until all is at rest. */
async function moveTop(player: RoomPlayerPage, all = [player]): Promise<void> {
  await until('the tower stands', () => areAgreed(all));
  await placeCube(player, 'right', await grabCube(player, 'right', TOP), [1.5, 0.25, 0.5]);
  await dropHand(player, 'right');
  await until('all is at rest', () => areAgreed(all));
}

/** Where each body is drawn and whether it rests, to the bit. */
async function whereAllIs(player: RoomPlayerPage): Promise<unknown> {
  return placesOf(await inspectOf(player));
}

function placesOf({ bodies }: Inspection): unknown {
  return bodies.map(({ position, rotation, resting }) => ({ position, rotation, resting }));
}

/** Where each body is after each step of a recording. */
function placesIn(file: Buffer): unknown[] {
  const recording = readRecording(file, gameLevels);
  if (typeof recording === 'string') throw new Error(recording);
  const playback = new Playback(recording, createRapierSimulation);
  const places: unknown[] = [];
  while (playback.step()) {
    const [played] = playback.played.values();
    places.push(placesOf(inspect(played.peer)));
  }
  expect(playback.partedAt).toBeNull();
  playback.dispose();
  return places;
}

function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

async function openRecording(page: Page, file: Buffer): Promise<void> {
  const button = page.getByRole('button', { name: 'Watch a recording' });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles({ name: 'play.handover-recording', mimeType: '', buffer: file });
}
