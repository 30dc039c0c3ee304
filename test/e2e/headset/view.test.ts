import type { Browser, JSHandle, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../support/run/stories.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';
import type { HeadsetViewPage } from '../pages/headset-view.ts';

/** Two controllers, the lines, an arc and its ring, the labels, a panel; news, arrows, a dark edge, a signpost of two. */
const DRAW_CALLS = 12;
const LOADED = { interval: 100 };

let site: Site;
let browser: Browser;
let page: Page;
let view: JSHandle<HeadsetViewPage>;
const faults: string[] = [];

beforeAll(async () => {
  site = openSite();
  browser = await connectBrowser();
  page = await browser.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${site.url}test/e2e/pages/headset-view.html`);
  view = (await page.waitForFunction(() => window.headsetView)) as JSHandle<HeadsetViewPage>;
});
afterAll(async () => {
  await browser.close();
  expect(faults).toEqual([]);
});

const bothShown = (): Promise<readonly boolean[]> => view.evaluate(({ hands }) => [...hands.shown]);

describe('a headset', () => {
  it('offers both ways to see, and shows the world once it is entered', async () => {
    expect(await view.evaluate((v) => v.offers())).toEqual(['vr', 'ar']);
    expect(await view.evaluate((v) => v.enter('vr'))).toBe(true);
    await view.evaluate((v) => v.draw(3));
    expect(await view.evaluate(({ display }) => [display.mode, display.space !== null])).toEqual([
      'vr',
      true,
    ]);
    expect(await view.evaluate((v) => v.enter('ar'))).toBe(false);
    expect((await view.evaluate((v) => v.corner()))[3]).toBe(255);
  });

  it('shows the controllers that it has, whose buttons move', async () => {
    await expect.poll(bothShown, LOADED).toEqual([true, true]);
    await view.evaluate((v) => v.draw(2));
    const before = await view.evaluate((v) => v.joints());
    await view.evaluate(async (v) => {
      v.device.controllers.left?.updateButtonValue('trigger', 1);
      v.device.controllers.left?.updateAxes('thumbstick', 1, 0);
      await v.draw(3);
    });
    const after = await view.evaluate((v) => v.joints());
    expect(before).toHaveLength(2);
    expect(after[0]).not.toEqual(before[0]);
    expect(after[1]).toEqual(before[1]);
  });

  it.each(['meta-quest-touch-plus', 'meta-quest-touch-pro', 'oculus-touch-v3', 'oculus-touch-v2'])(
    'knows the buttons of %s',
    async (profile) => {
      const all = ['lower', 'squeeze', 'stick', 'trigger', 'upper'];
      for (const side of [0, 1] as const) {
        expect(await view.evaluate((v, [name, s]) => v.buttonsOf(name, s), [profile, side] as const)).toEqual(
          all,
        );
      }
    },
  );

  it(`shows hands, lines, arc, labels, news, arrows, a signpost and a panel in ${DRAW_CALLS} draw calls`, async () => {
    await view.evaluate(async (v) => {
      v.drawPanel();
      v.select(0, 8);
      v.device.controllers.right?.updateAxes('thumbstick', 0, -1);
      v.labels.showText(0, 'Bo has this cube now');
      v.labels.hints(1, [
        { button: 'trigger', text: 'Bring it here' },
        { button: 'squeeze', text: 'Pick it up' },
      ]);
      v.say('Red is here.');
      // Behind the player.
      v.friendAt(0, 1.6, 9);
      v.glide(true);
      await v.draw(6);
    });
    const calls = await view.evaluate((v) => v.calls());
    await view.evaluate(async (v) => {
      v.showParts(false);
      await v.draw(2);
    });
    const without = await view.evaluate((v) => v.calls());
    await view.evaluate((v) => {
      v.showParts(true);
      v.glide(false);
    });
    expect(calls - without).toBe(DRAW_CALLS);
  });

  it('shows three pieces of news at the most, and each for some seconds', async () => {
    const left = await view.evaluate((v) => {
      for (const news of ['One.', 'Two.', 'Three.', 'Four.']) v.say(news);
      return v.linesLeft();
    });
    expect(left).toEqual([4.5, 4.5, 4.5]);
    const after = (seconds: number): Promise<number> =>
      view.evaluate((v, seconds) => {
        v.passNews(seconds);
        return v.linesLeft().length;
      }, seconds);
    expect(await after(2)).toBe(3);
    expect(await after(3)).toBe(0);
  });

  it('has an arrow to a friend who is out of sight, and none to one in sight', async () => {
    await expect.poll(() => view.evaluate((v) => v.arrowOf(1)), LOADED).toBeGreaterThan(0.9);
    // The stick has turned the player to the right.
    await view.evaluate((v) => v.friendAt(3.5, 1.5, -0.5));
    await expect.poll(() => view.evaluate((v) => v.arrowOf(1)), LOADED).toBeLessThan(0.1);
    expect(await view.evaluate((v) => v.arrowOf(2))).toBe(0);
  });

  it('shows bare hands whose joints move', async () => {
    await view.evaluate(async (v) => {
      v.device.primaryInputMode = 'hand';
      await v.draw(2);
    });
    await expect.poll(bothShown, LOADED).toEqual([true, true]);
    await view.evaluate((v) => v.draw(2));
    const open = await view.evaluate((v) => v.joints());
    await view.evaluate(async (v) => {
      v.device.hands.right?.updatePinchValue(1);
      await v.draw(3);
    });
    const pinched = await view.evaluate((v) => v.joints());
    expect(open.map((joints) => joints.length)).toEqual([400, 400]);
    expect(pinched.flat().every(Number.isFinite)).toBe(true);
    const changed = open.map((joints, hand) => joints.some((value, i) => value !== pinched[hand][i]));
    expect(changed.filter((yes) => yes)).toHaveLength(1);
  });

  it('gives the canvas back when it is left, in the size that it should have by then', async () => {
    await view.evaluate((v) => v.resize(640, 480));
    await view.evaluate(({ display }) => display.leave());
    await expect.poll(() => view.evaluate(({ display }) => display.mode), LOADED).toBe(null);
    expect(await view.evaluate((v) => v.isPresenting())).toBe(false);
    expect(await view.evaluate((v) => v.canvasSize())).toEqual([640, 480]);
  });

  it('shows the bodies alone where the room is seen', async () => {
    expect(await view.evaluate((v) => v.enter('ar'))).toBe(true);
    await view.evaluate((v) => v.draw(3));
    expect(await view.evaluate((v) => v.corner())).toEqual([0, 0, 0, 0]);
  });

  it('leaves nothing with the GPU', async () => {
    expect(await view.evaluate((v) => v.dispose())).toBe(0);
  });
});
