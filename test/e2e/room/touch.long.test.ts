import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { angleBetween, distance } from '../../../src/core/base/math.ts';
import type { AvatarView } from '../../../src/core/peer/shown/peer-view.ts';
import { Fingers } from '../../support/aiming/fingers.ts';
import type { Point } from '../../support/aiming/pointer.ts';
import { middleOf, onScreen } from '../../support/aiming/screen.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, roomOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';

/** A phone's screen, held upright and sideways. */
const UPRIGHT = { width: 390, height: 844 };
const SIDEWAYS = { width: 844, height: 390 };
/** Few pixels: software draws them. */
const PHONE = { viewport: UPRIGHT, hasTouch: true, isMobile: true, deviceScaleFactor: 0.5 };

/** The cube on top of a column of the grid that stands some metres ahead of the second player. */
const CUBE = 251;

describe('on a phone', () => {
  const stage = storyStage();

  it('one joins by link, holds, moves, turns and throws a cube, looks, walks and leaves', async () => {
    const host = await stage.open();
    const { link } = await startRoom(host, 'Ada', 'grid');
    const phone = await stage.open(link, { ...PHONE, storageState: handedOverBefore(stage.url) });
    const { page } = phone;
    await inRoom(phone);
    const fingers = await Fingers.on(phone);
    const hint = page.getByRole('region', { name: 'Hint' });
    const button = (name: string): Locator => page.getByRole('button', { name });
    expect(await hint.innerText()).toMatch('Drag a cube with one finger.');

    const at = await cubeOnScreen(phone, CUBE);
    await fingers.put(0, at);
    await until('the finger holds the cube', async () => (await holderOf(phone)) === 1);
    await until('the host sees it', async () => (await holderOf(host)) === 1);
    await hint.getByText('Flick a cube and let go: it flies.').waitFor();

    const reach = async (): Promise<number> =>
      distance((await seenAs(phone, 1)).head.position, await drawn(phone));
    const far = await reach();
    await press(fingers, button('Bring it nearer'), async () => (await reach()) < far - 1.5);
    const near = await reach();
    await press(fingers, button('Move it further'), async () => (await reach()) > near + 0.4);
    const before = await rotationOf(phone);
    await press(
      fingers,
      button('Turn left'),
      async () => angleBetween(before, await rotationOf(phone)) > 0.5,
    );
    expect(await holderOf(host), 'the first finger holds on').toBe(1);

    const to = { x: 200, y: 420 };
    await swipe(fingers, at, to);
    await until('the cube has followed the finger', async () => {
      const { x, y } = await cubeOnScreen(phone, CUBE);
      return Math.hypot(x - to.x, y - to.y) < 30;
    });
    // To the right nothing stands in its way.
    await swipe(fingers, to, { x: 385, y: 400 }, true);
    let released: { x: number; z: number } | undefined;
    await until('the cube flies on at the host', async () => {
      if ((await holderOf(host)) !== null) return false;
      const { x, z } = await drawn(host);
      released ??= { x, z };
      return Math.hypot(x - released.x, z - released.z) > 0.3;
    });
    await hint.getByText('Drag empty space with one finger to look around.').waitFor();

    await looksAndWalks(phone, host, fingers);

    await button('Menu (key M)').tap();
    await button('Leave the room').tap();
    await page.getByRole('button', { name: 'Leave', exact: true }).tap();
    await button('Start a room').waitFor();
    await until('the host is alone', async () => {
      return (await roomOf(host)).players.every(({ slot, presence }) => slot === 0 || presence === 'away');
    });
  });

  it('nothing lies over anything else, upright or sideways, alone or with the menu open', async () => {
    const phone = await stage.open(stage.url, PHONE);
    const { page } = phone;
    await startRoom(phone, 'Ada', 'pyramid');
    await page.getByText('Waiting for a friend').waitFor();
    const seen: Record<string, readonly string[]> = {};
    for (const [held, size] of Object.entries({ upright: UPRIGHT, sideways: SIDEWAYS })) {
      await page.setViewportSize(size);
      seen[`${held}, alone`] = await overlaps(phone);
      await page.getByRole('button', { name: 'Menu (key M)' }).tap();
      seen[`${held}, with the menu`] = await overlaps(phone);
      await page.getByRole('button', { name: 'Close the menu' }).tap();
      // The invitation lies over the cubes of a low picture.
      const close = page.getByRole('button', { name: 'Close this invitation' });
      if (await close.isVisible()) await close.tap();
      const fingers = await Fingers.on(phone);
      const tool = page.getByRole('button', { name: 'Turn left' });
      expect(await tool.isVisible(), 'no tools without a cube').toBe(false);
      await fingers.put(0, await cubeInPicture(phone, size));
      await tool.waitFor();
      seen[`${held}, holding`] = await overlaps(phone);
      await fingers.lift(0);
      await tool.waitFor({ state: 'hidden' });
    }
    const nothing = [
      'upright, alone',
      'upright, holding',
      'sideways, holding',
      'upright, with the menu',
      'sideways, alone',
      'sideways, with the menu',
    ];
    expect(seen).toEqual(Object.fromEntries(nothing.map((when) => [when, []])));
  });
});

/** The storage of a browser whose player knows how to hand a cube over: its hints are about the rest. */
function handedOverBefore(url: string): { cookies: []; origins: { origin: string; localStorage: Item[] }[] } {
  const done = { name: 'handover.hints', value: JSON.stringify({ give: true, take: true }) };
  return { cookies: [], origins: [{ origin: new URL(url).origin, localStorage: [done] }] };
}

type Item = { name: string; value: string };

/** The parts on the screen of a room. */
const PARTS = [
  ...['.room-chip', '.voice', '.wave', '.opener', '.waiting', '.room .menu', '.hints', '.touch-stick'],
  ...['give', 'out', 'in', 'to-hand', 'turn-left', 'turn-right'].map((name) => `.touch-button.${name}`),
];

/** The visible elements that overlap, as pairs, and those that are not wholly on the screen. */
async function overlaps({ page }: RoomPlayerPage): Promise<string[]> {
  return page.evaluate((selectors) => {
    const seen = selectors
      .map((name) => ({ name, element: document.querySelector(name) }))
      .filter(({ element }) => element?.checkVisibility({ visibilityProperty: true }) === true)
      .map(({ name, element }) => ({ name, box: element?.getBoundingClientRect() ?? new DOMRect() }));
    const outside = seen.filter(({ box }) => {
      return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
    });
    const pairs = seen.flatMap((one, i) =>
      seen
        .slice(i + 1)
        .filter(({ box }) => {
          const apart = box.left >= one.box.right || box.right <= one.box.left;
          return !apart && box.top < one.box.bottom && box.bottom > one.box.top;
        })
        .map(({ name }) => `${one.name} and ${name}`),
    );
    return [...outside.map(({ name }) => `${name} is cut off`), ...pairs];
  }, PARTS);
}

/** Moves the first finger within a tenth of a second, however long the page takes to notice, and may lift it in motion. */
async function swipe(fingers: Fingers, from: Point, to: Point, lifts = false): Promise<void> {
  const steps = 6;
  const sent: Promise<void>[] = [];
  for (let step = 1; step <= steps; step++) {
    const share = step / steps;
    sent.push(fingers.put(0, { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }));
    await new Promise((resolve) => void setTimeout(resolve, 16));
  }
  if (lifts) sent.push(fingers.lift(0));
  await Promise.all(sent);
}

/** One finger on the sky turns the head, two and the stick walk; each has the next hint come. */
async function looksAndWalks(phone: RoomPlayerPage, host: RoomPlayerPage, fingers: Fingers): Promise<void> {
  const { page } = phone;
  const hint = page.getByRole('region', { name: 'Hint' });
  const { head: first } = await seenAs(host, 1);
  // Below the card that tells the player its colour.
  const sky = { x: 120, y: 150 };
  await fingers.put(0, sky);
  // A tick and a picture have to tell that nothing is there to hold.
  await new Promise((resolve) => void setTimeout(resolve, 500));
  for (const x of [48, 96, 144, 192, 240]) await fingers.put(0, { x: sky.x + x, y: sky.y });
  await until('the host sees the head turned', async () => {
    return angleBetween(first.rotation, (await seenAs(host, 1)).head.rotation) > 0.3;
  });
  await fingers.lift(0);
  expect(
    distance(first.position, (await seenAs(host, 1)).head.position),
    'looking walks nowhere',
  ).toBeLessThan(0.05);
  await hint.getByText('Walk with the stick on the left, or with two fingers.').waitFor();

  const stick = await middleOf(page.getByRole('img', { name: 'Stick to walk with' }));
  await fingers.put(0, stick);
  await fingers.put(0, { x: stick.x, y: stick.y - 40 });
  await until('the host sees the phone’s player walk', async () => {
    return distance(first.position, (await seenAs(host, 1)).head.position) > 1;
  });
  await fingers.lift(0);
  await hint.waitFor({ state: 'hidden' });

  const { head: stood } = await seenAs(host, 1);
  await fingers.put(0, { x: 120, y: 140 });
  await fingers.put(1, { x: 260, y: 140 });
  await fingers.put(0, { x: 120, y: 240 });
  await fingers.put(1, { x: 260, y: 240 });
  await until('two fingers have walked back', async () => {
    return distance(stood.position, (await seenAs(host, 1)).head.position) > 1;
  });
  await fingers.lift(1);
  await fingers.lift(0);
}

/** Holds a second finger on a button until it has done what it should. */
async function press(fingers: Fingers, button: Locator, isDone: () => Promise<boolean>): Promise<void> {
  await fingers.put(1, await middleOf(button));
  await until(`the button has done it: ${String(button)}`, isDone);
  await fingers.lift(1);
}

/** The slot whose hand has the cube, as a page believes. */
async function holderOf(player: RoomPlayerPage): Promise<number | null> {
  return (await inspectOf(player)).bodies[CUBE].holder?.slot ?? null;
}

async function rotationOf(player: RoomPlayerPage): Promise<{ x: number; y: number; z: number; w: number }> {
  const [x, y, z, w] = (await inspectOf(player)).bodies[CUBE].rotation;
  return { x, y, z, w };
}

/** Where a page has drawn the cube. */
async function drawn({ page }: RoomPlayerPage): Promise<{ x: number; y: number; z: number }> {
  return page.evaluate((body) => {
    const { handover } = window;
    const at = handover?.drawn(handover.inspect()[0].slot, body);
    if (at === undefined) throw new Error('the page draws no such cube');
    return at;
  }, CUBE);
}

/** A player as a page sees it. */
async function seenAs({ page }: RoomPlayerPage, of: number): Promise<AvatarView> {
  return page.evaluate((of) => {
    const { handover } = window;
    const avatar = handover?.avatar(handover.inspect()[0].slot, of);
    if (avatar === undefined) throw new Error('the page sees no such player');
    return avatar;
  }, of);
}

/** Where a cube is on the screen that a finger can reach; nothing stands before any cube of a pyramid. */
async function cubeInPicture(phone: RoomPlayerPage, { width, height }: typeof UPRIGHT): Promise<Point> {
  for (const body of (await inspectOf(phone)).bodies.keys()) {
    const at = await cubeOnScreen(phone, body);
    const isInside = at.x > 0.2 * width && at.x < 0.95 * width && at.y > 0.3 * height && at.y < 0.65 * height;
    if (isInside) return at;
  }
  throw new Error('no cube is in reach of a finger');
}

/** Where a cube is on a page's screen. */
async function cubeOnScreen(player: RoomPlayerPage, body: number): Promise<Point> {
  const [x, y, z] = (await inspectOf(player)).bodies[body].position;
  return onScreen(player, { x, y, z });
}
