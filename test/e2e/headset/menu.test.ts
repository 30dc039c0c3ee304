import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector, Vector } from '../../../src/core/base/math.ts';
import {
  angleBetween,
  conjugate,
  lookAt,
  multiply,
  quaternion,
  rotate,
  vector,
} from '../../../src/core/base/math.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { buttonAt } from '../../../src/pages/headset/panel/panel-boxes.ts';
import { reachPlaceOf } from '../../../src/pages/headset/reach-place.ts';
import { wristBoxes } from '../../../src/pages/headset/panel/wrist-boxes.ts';
import type { Tab, WristState } from '../../../src/pages/headset/panel/wrist-layout.ts';
import { WRIST_UNITS } from '../../../src/pages/headset/panel/wrist-layout.ts';
import { ABOVE_HAND, WRIST_SIZE } from '../../../src/pages/headset/panel/wrist-menu.ts';
import { USUAL_COMFORT } from '../../../src/input/headset/comfort.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, openPage, roomOf, startRoom, until } from '../../support/pages/room-page.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectWholeBrowser, openSite } from '../../support/run/stories.ts';

const HOST = 0 as Slot;
/** Milliseconds between two drawings of a panel, at the most. */
const DRAWN_WITHIN_MS = 100;

describe('the menu in an emulated Quest 3', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = openSite();
    browser = await connectWholeBrowser();
  });
  afterAll(() => browser.close());

  it('mutes a friend, changes the scene, turns as far as is liked, waves, goes back to the cubes, takes a new name, and leaves the headset but not the room', async () => {
    const host = await openPage(browser, `${site.url}?emulate=quest3`);
    const { link } = await startRoom(host, 'Ada', 'pyramid');
    const friend = await openPage(browser, link, { permissions: ['microphone'] });
    await inRoom(friend);
    await friend.page.getByRole('button', { name: 'Turn my voice on' }).first().click();
    await until('the friend has a voice', async () => (await roomOf(host)).players[1]?.voice === 'on');

    await host.page.getByRole('button', { name: 'Enter VR' }).click();
    await until('the headset is worn', () =>
      host.page.evaluate(() => window.handover?.avatar(0, 0)?.hands[0].tracked === true),
    );
    await host.page.evaluate(() => {
      const { left, right } = window.emulatedHeadset?.controllers ?? {};
      left?.position.set(-0.15, 1.05, -0.35);
      right?.position.set(0.3, 1.15, -0.1);
    });
    await pressButton(host.page, 'left', 'y-button');
    const called = (await roomOf(host)).players[1].name || 'Red';

    await press(host, `Mute ${called} for me`, 'Players', 'trigger');
    await until('the friend is muted', async () => (await roomOf(host)).players[1].mutedHere);
    // The grip does as well, and takes no cube behind the menu meanwhile.
    await press(host, `Hear ${called} again`, 'Players', 'squeeze');
    await until('the friend is heard again', async () => !(await roomOf(host)).players[1].mutedHere);
    expect((await inspectOf(host)).bodies.filter(({ holder }) => holder !== null)).toEqual([]);

    await press(host, 'Room', 'Players', 'trigger');
    await press(host, 'Tower', 'Room', 'trigger');
    expect((await roomOf(host)).scene).toBe('pyramid');
    await press(host, 'Start', 'Room', 'trigger', { kind: 'scene', scene: 'tower' });
    await until('the friend sees the tower', async () => (await roomOf(friend)).scene === 'tower');

    await press(host, 'Comfort', 'Room', 'trigger');
    await press(host, '90°', 'Comfort', 'trigger');
    await turnByRightAngle(host.page);
    expect(await host.page.evaluate(() => localStorage.getItem('handover.comfort'))).toContain('90');

    const away = (await posesOf(host.page)).head.position;
    await press(host, 'Wave', 'Comfort', 'trigger');
    await friend.page.getByText('Ada waves.').waitFor();
    await until('the hand is down again', async () => {
      return (await posesOf(host.page)).hands[0].pose.position.y < 1.2;
    });
    await press(host, 'Back to the start', 'Comfort', 'trigger');
    const cubes = reachPlaceOf(0, createLevel({ id: 'tower', seed: 1 }), null);
    await until('the wearer is at the cubes, and looks at them', async () => {
      const { position, rotation } = (await posesOf(host.page)).head;
      const looks = rotate(rotation, vector(0, 0, -1), vector());
      const isThere = Math.hypot(position.x - cubes.position.x, position.z - cubes.position.z) < 0.05;
      return isThere && looks.x * -Math.sin(cubes.yaw) + looks.z * -Math.cos(cubes.yaw) > 0.99;
    });
    expect(away.y).toBeCloseTo((await posesOf(host.page)).head.position.y, 1);

    await press(host, 'Players', 'Comfort', 'trigger');
    await press(host, 'Rename', 'Players', 'trigger');
    await press(host, 'Delete', 'Players', 'trigger', null, 'Ada');
    await press(host, 'Save', 'Players', 'trigger', null, 'Ad');
    await until('the friend reads the new name', async () => (await roomOf(friend)).players[0].name === 'Ad');

    await press(host, 'Leave the headset', 'Players', 'trigger');
    await until('the headset is left', () =>
      host.page.evaluate(() => window.emulatedHeadset?.activeSession === undefined),
    );
    expect((await roomOf(host)).players.map(({ presence }) => presence)).toEqual(['here', 'here']);
    for (const { faults, context } of [host, friend]) {
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});

/** The stick is pushed to the right, and the player turns by 90°. */
async function turnByRightAngle(page: Page): Promise<void> {
  const before = (await posesOf(page)).head.rotation;
  await page.evaluate(() => window.emulatedHeadset?.controllers.right?.updateAxes('thumbstick', 1, 0));
  await until('a push of the stick turns by a right angle', async () => {
    const turned = angleBetween(before, (await posesOf(page)).head.rotation);
    return Math.abs(turned - Math.PI / 2) < 0.01;
  });
  await page.evaluate(() => window.emulatedHeadset?.controllers.right?.updateAxes('thumbstick', 0, 0));
}

type Poses = { readonly head: ReadonlyPose; readonly hands: readonly { readonly pose: ReadonlyPose }[] };

async function posesOf(page: Page): Promise<Poses> {
  const avatar = await page.evaluate((slot) => window.handover?.avatar(slot, slot), HOST);
  if (avatar === undefined) throw new Error('the host has no avatar');
  return avatar;
}

/** Points at a button of the menu over the left hand, and closes the right one on it. */
async function press(
  host: RoomPlayerPage,
  label: string,
  tab: Tab,
  by: 'trigger' | 'squeeze',
  asked: WristState['asked'] = null,
  writing: WristState['writing'] = null,
): Promise<void> {
  const comfort = USUAL_COMFORT;
  const state = { tab, asked, writing, comfort, microphoneGranted: false, bareHands: false };
  const boxes = wristBoxes(await roomOf(host), state);
  const box = boxes.find((each) => each.kind === 'button' && each.label === label);
  if (box === undefined) throw new Error(`the menu has no button “${label}”`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  expect(boxes[buttonAt(boxes, x, y)]).toBe(box);
  // The hand turns about where its ray begins, which is not where it is held.
  for (let i = 0; i < 2; i++) await pointAt(host.page, x, y);
  await pressButton(host.page, 'right', by);
}

async function pointAt(page: Page, x: number, y: number): Promise<void> {
  const { head, hands } = await posesOf(page);
  const target = placeOnMenu(head.position, hands[0].pose.position, x, y);
  const aim = lookAt(hands[1].pose.position, target, quaternion());
  // The head of the emulated headset looks along its space's -z.
  const { x: qx, y: qy, z: qz, w } = multiply(conjugate(head.rotation, quaternion()), aim, quaternion());
  await page.evaluate(
    ([qx, qy, qz, w]) => window.emulatedHeadset?.controllers.right?.quaternion.set(qx, qy, qz, w),
    [qx, qy, qz, w] as const,
  );
  await framesOf(page, 2);
}

/** Where a point of the menu is in the world: the menu floats over the hand, turned to the head. */
function placeOnMenu(head: ReadonlyVector, hand: ReadonlyVector, x: number, y: number): Vector {
  const middle = vector(hand.x, hand.y + ABOVE_HAND, hand.z);
  const [fx, fy, fz] = [head.x - middle.x, head.y - middle.y, head.z - middle.z];
  const [far, level] = [Math.hypot(fx, fy, fz), Math.hypot(fx, fz)];
  const right = [fz / level, 0, -fx / level];
  const up = [(-fx * fy) / (far * level), level / far, (-fz * fy) / (far * level)];
  const across = (x / WRIST_UNITS.width - 0.5) * WRIST_SIZE.width;
  const above = (0.5 - y / WRIST_UNITS.height) * WRIST_SIZE.height;
  return vector(
    middle.x + right[0] * across + up[0] * above,
    middle.y + up[1] * above,
    middle.z + right[2] * across + up[2] * above,
  );
}

/** Presses a button of a controller, and lets it go; then what it has changed is drawn. */
async function pressButton(page: Page, side: 'left' | 'right', button: string): Promise<void> {
  for (const value of [1, 0]) {
    await page.evaluate(
      ({ side, button, value }) =>
        window.emulatedHeadset?.controllers[side]?.updateButtonValue(button, value),
      { side, button, value },
    );
    await framesOf(page, 2);
  }
  await page.waitForTimeout(DRAWN_WITHIN_MS);
  await framesOf(page, 2);
}

/** Lets so many frames go by: the emulated headset has the window's. */
async function framesOf(page: Page, count: number): Promise<void> {
  await page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => void requestAnimationFrame(resolve));
  }, count);
}
