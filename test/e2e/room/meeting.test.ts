import { describe, expect, it } from 'vitest';
import { distance } from '../../../src/core/base/math.ts';
import type { AvatarView } from '../../../src/core/peer/shown/peer-view.ts';
import { isAmongCubes } from '../../../src/pages/start-places.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { followWithFingers, followWithMouse, handOver } from '../../support/aiming/hint-follower.ts';
import { inPicture } from '../../support/aiming/screen.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';

const DESKTOP = { viewport: { width: 960, height: 540 } };
const UPRIGHT = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

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
  const at = await seenAs(player, of)
    .then(({ head }) => inPicture(player, head.position))
    .catch(() => null);
  return at !== null && Math.abs(at.x) < 0.95 && Math.abs(at.y) < 0.9;
}

/** The actions that need no hints any more, as the browser keeps them. */
async function doneBy({ page }: RoomPlayerPage): Promise<string[]> {
  return page.evaluate(() => {
    return Object.keys(JSON.parse(localStorage.getItem('handover.hints') ?? '{}') as object);
  });
}

describe('friends who meet', () => {
  const stage = storyStage();

  it('see each other at once, wave, find each other again, and hand a cube over as their hints say', async () => {
    const host = await stage.open(stage.url, DESKTOP);
    const { link } = await startRoom(host, 'Ada', 'wall');
    const friend = await stage.open(link, UPRIGHT);
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
      if (isAmongCubes(position, createLevel({ id: 'grid', seed: 1 }))) return false;
      return (await sees(host, 1)) && (await sees(friend, 0));
    });

    // [A9.5] Each does what its hints say, and nothing else.
    const [ada, red] = [followWithMouse(host), await followWithFingers(friend)];
    await handOver(ada, red);
    expect(ada.read).toContain('Let go: Red takes it.');
    expect(red.read).toContain('Press and hold Ada’s cube to take it.');
    await handOver(red, ada);
    expect(red.read).toContain('Let go: Ada takes it.');
    expect(ada.read).toContain('Press and hold Red’s cube to take it.');
    await ada.rest();
    const gotIt = host.page.getByRole('button', { name: 'Got it' });
    await gotIt.waitFor();
    const learnt = await doneBy(host);
    expect(learnt).toEqual(expect.arrayContaining(['hold', 'give', 'take']));
    await gotIt.click();
    expect(await doneBy(host), 'a hint that is closed closes itself alone').toHaveLength(learnt.length + 1);
    await gotIt.waitFor();
  });
});
