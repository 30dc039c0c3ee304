import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, PLAIN_ADDRESSES } from '../support/browser.ts';
import { inRig, moveController, toRig } from '../support/headset-page.ts';
import { positionOf } from '../support/room-moves.ts';
import { areAgreed, inRoom, inspectOf, openPage, startRoom, until } from '../support/room-page.ts';
import type { PageServer } from '../support/server.ts';
import { startBuiltServer } from '../support/server.ts';

describe('an emulated Quest 3', () => {
  let server: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startBuiltServer();
    browser = await launchBrowser({ keepAwake: true, args: PLAIN_ADDRESSES });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('[G1] [G2] [T5] grabs, carries and lets go in a room, seen by a friend at a desk, and leaves without losing the room', async () => {
    const host = await openPage(browser, `${server.url}?emulate=quest3`);
    const { link } = await startRoom(host, 'Ada', 'pyramid');
    const friend = await openPage(browser, link);
    await inRoom(friend);
    await until('both have the pyramid at rest', () => areAgreed([host, friend]), 30);

    await host.page.getByRole('button', { name: 'Enter VR' }).click();
    await until('the friend sees a head where the headset is', async () => {
      const avatar = await friend.page.evaluate(() => window.handover?.avatar(1, 0));
      const head = inRig([0, 1.6, 0]);
      const seen = avatar?.head.position;
      return seen !== undefined && Math.hypot(seen.x - head[0], seen.y - head[1], seen.z - head[2]) < 0.1;
    });

    const top = 35;
    const [x, y, z] = await positionOf(host, top);
    await moveController(host.page, 'right', toRig([x, y + 0.27, z]), 0);
    await moveController(host.page, 'right', toRig([x, y + 0.27, z]), 1);
    await until('the friend sees the cube in the right hand', async () => {
      const { holder } = (await inspectOf(friend)).bodies[top];
      return holder?.slot === 0 && holder.hand === 'right';
    });
    await moveController(host.page, 'right', toRig([x + 1.5, y, z + 1.5]), 1);
    await until('the friend sees where it is carried', async () => {
      const at = await positionOf(friend, top);
      return Math.hypot(at[0] - x - 1.5, at[2] - z - 1.5) < 0.15;
    });
    await moveController(host.page, 'right', toRig([x + 1.5, y, z + 1.5]), 0);
    await until('it is let go', async () => (await inspectOf(friend)).bodies[top].holder === null);

    await host.page.evaluate(() => window.emulatedHeadset?.activeSession?.end());
    await until('the host is back at the desk, in its room', async () => {
      const avatar = await friend.page.evaluate(() => window.handover?.avatar(1, 0));
      return avatar?.hands[1].tracked === false;
    });
    await until('both agree', () => areAgreed([host, friend]), 30);
    for (const { faults, context } of [host, friend]) {
      expect(faults).toEqual([]);
      await context.close();
    }
  }, 120_000);
});
