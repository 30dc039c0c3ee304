import type { Browser } from 'playwright-core';
import { PerspectiveCamera, Vector3 } from 'three';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { distance } from '../../../src/core/base/math.ts';
import type { AvatarView } from '../../../src/core/peer/shown/peer-view.ts';
import { isAmongCubes } from '../../../src/pages/start-places.ts';
import { createScene } from '../../../src/core/world/scene.ts';
import { fieldOfView } from '../../../src/view/lens.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, openPage, startRoom, until } from '../../support/pages/room-page.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

const DESKTOP = { viewport: { width: 960, height: 540 } };
const UPRIGHT = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Where a friend's head is in a player's picture, -1 to 1 across and up; null if it is behind. */
async function headInPicture(player: RoomPlayerPage, of: number): Promise<Vector3 | null> {
  const own = await seenAs(player, (await inspectOf(player)).slot);
  const friend = await seenAs(player, of);
  const { width, height } = player.page.viewportSize() ?? DESKTOP.viewport;
  const camera = new PerspectiveCamera(fieldOfView(width / height), width / height, 0.05, 100);
  camera.position.copy(own.head.position);
  camera.quaternion.copy(own.head.rotation);
  camera.updateMatrixWorld();
  const at = new Vector3().copy(friend.head.position);
  return at.clone().applyMatrix4(camera.matrixWorldInverse).z < 0 ? at.project(camera) : null;
}

/** A player as a page has drawn it. */
async function seenAs({ page }: RoomPlayerPage, of: number): Promise<AvatarView> {
  return page.evaluate((of) => {
    const { handover } = window;
    const avatar = handover?.avatar(handover.inspect()[0].slot, of);
    if (avatar === undefined) throw new Error(`the page sees no player ${of}`);
    return avatar;
  }, of);
}

async function sees(player: RoomPlayerPage, of: number): Promise<boolean> {
  const at = await headInPicture(player, of).catch(() => null);
  return at !== null && Math.abs(at.x) < 0.95 && Math.abs(at.y) < 0.9;
}

describe('friends who meet', () => {
  let site: Site;
  let browser: Browser;
  let players: RoomPlayerPage[] = [];

  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite(), connectBrowser()]);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    for (const { faults, context } of players) {
      await context.close();
      expect(faults).toEqual([]);
    }
    players = [];
  });

  it('see each other at once, wave, find each other again, and are at the cubes again by one key', async () => {
    const host = await openPage(browser, site.url, DESKTOP);
    players.push(host);
    const { link } = await startRoom(host, 'Ada', 'wall');
    const friend = await openPage(browser, link, UPRIGHT);
    players.push(friend);
    await inRoom(friend);
    await until('each has the other in its picture', async () => {
      return (await sees(host, 1)) && (await sees(friend, 0));
    });
    const metres = distance((await seenAs(host, 0)).head.position, (await seenAs(host, 1)).head.position);
    expect(metres).toBeGreaterThan(3);
    expect(metres).toBeLessThan(4);
    const arrow = host.page.locator('.friend-arrow[data-slot="1"]');
    expect(await arrow.isVisible()).toBe(false);

    await friend.page.getByRole('button', { name: 'Wave to your friends' }).tap();
    await host.page.getByText('Red waves.').waitFor();
    await until('the hand is down again', async () => !(await seenAs(host, 1)).hands[0].tracked);
    await host.page.keyboard.press('v');
    await friend.page.getByText('Ada waves.').waitFor();

    const start = (await seenAs(host, 0)).head;
    await host.page.mouse.move(480, 300);
    await host.page.mouse.down({ button: 'right' });
    await host.page.mouse.move(900, 300, { steps: 6 });
    await host.page.mouse.up({ button: 'right' });
    await arrow.waitFor({ state: 'visible' });
    expect(await sees(host, 1)).toBe(false);
    await host.page.keyboard.down('s');
    await until('Ada has walked away', async () => {
      return distance((await seenAs(host, 0)).head.position, start.position) > 2;
    });
    await host.page.keyboard.up('s');
    await host.page.keyboard.press('b');
    await until('Ada is back', async () => {
      return distance((await seenAs(host, 0)).head.position, start.position) < 0.01;
    });
    await arrow.waitFor({ state: 'hidden' });
    expect(await sees(host, 1)).toBe(true);

    await host.page.getByRole('button', { name: 'Menu (key M)' }).click();
    await host.page.getByRole('combobox', { name: 'Scene' }).selectOption('grid');
    await host.page.getByRole('button', { name: 'Start grid' }).click();
    await host.page.getByRole('button', { name: 'Start', exact: true }).click();
    await until('both stand before the new cubes, and see each other', async () => {
      if ((await inspectOf(friend)).bodies.length !== 256) return false;
      const { position } = (await seenAs(friend, 1)).head;
      if (isAmongCubes(position, createScene({ name: 'grid', seed: 1 }))) return false;
      return (await sees(host, 1)) && (await sees(friend, 0));
    });
  }, 90_000);
});
