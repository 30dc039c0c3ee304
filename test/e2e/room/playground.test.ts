import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOf } from '../../support/aiming/heads.ts';
import { onScreen } from '../../support/aiming/screen.ts';
import { moveHand, placeCube, dropHand } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';
import { createLevel } from '../../../src/levels/levels.ts';

/** Pictures are written into this folder; into none if it is not set. */
const PICTURES = process.env['PICTURES'];
const DESKTOP = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true };

const LEVEL = createLevel({ id: 'playground', seed: 1 });
const PER_PLAYER = LEVEL.spawning.perPlayer;
const [HOST, GUEST] = [0, 1];
/** Metres by which two pages may show a body at rest at different places. */
const SAME = 0.03;

type Spot = { readonly x: number; readonly z: number };

async function placeOn(player: RoomPlayerPage, body: number): Promise<Spot> {
  const [x, , z] = (await inspectOf(player)).bodies[body].position;
  return { x, z };
}

/** True if every body is at rest and under nobody on each page. */
async function allRest(players: readonly RoomPlayerPage[]): Promise<boolean> {
  for (const player of players) {
    const { bodies } = await inspectOf(player);
    if (!bodies.every(({ exists, resting, authority }) => !exists || (resting && authority === null)))
      return false;
  }
  return true;
}

async function exists(player: RoomPlayerPage, body: number): Promise<boolean> {
  return (await inspectOf(player)).bodies[body].exists;
}

/** [I1] Both pages have the same bodies, and show them at the same places. */
async function sameOnBoth(a: RoomPlayerPage, b: RoomPlayerPage): Promise<void> {
  const [ours, theirs] = [(await inspectOf(a)).bodies, (await inspectOf(b)).bodies];
  expect(ours.map((body) => body.exists)).toEqual(theirs.map((body) => body.exists));
  for (const [id, body] of ours.entries()) {
    const apart = Math.hypot(...body.position.map((n, i) => n - theirs[id].position[i]));
    if (body.exists) expect(apart, `body ${id}`).toBeLessThan(SAME);
  }
}

/** Points at a body with the mouse, and kicks it by a key. */
async function kicks(player: RoomPlayerPage, body: number): Promise<void> {
  const { page } = player;
  const from = await placeOn(player, body);
  await until('it was kicked', async () => {
    const [x, y, z] = (await inspectOf(player)).bodies[body].position;
    const point = await onScreen(player, { x, y, z });
    await page.mouse.move(point.x, point.y);
    await new Promise((resolve) => void setTimeout(resolve, 300));
    await page.keyboard.press('f');
    await new Promise((resolve) => void setTimeout(resolve, 700));
    const now = await placeOn(player, body);
    return Math.hypot(now.x - from.x, now.z - from.z) > 0.7;
  });
}

/** Adds a ball by the panel; returns its id, which is in the player's own page at once. */
async function addsByPanel(player: RoomPlayerPage, slot: number): Promise<number> {
  const { page } = player;
  const id = LEVEL.bodies.length + slot * PER_PLAYER;
  expect(await exists(player, id)).toBe(false);
  await page.getByRole('button', { name: /^Add something/ }).click();
  await page.getByRole('button', { name: 'Ball', exact: true }).click();
  expect(await exists(player, id)).toBe(true);
  await page.getByText('You have added 1 of 16.').waitFor();
  // Opened by the mouse, it is closed by Escape all the same, and the menu stays shut.
  await page.getByRole('button', { name: /^Add something/ }).focus();
  await page.keyboard.press('Escape');
  await page.getByText('You have added 1 of 16.').waitFor({ state: 'hidden' });
  expect(await page.getByRole('dialog', { name: 'Menu' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: /^Add something/ }).click();
  return id;
}

/** Puts the right hand into a body and closes it; returns where the hand is. */
async function grab(player: RoomPlayerPage, body: number): Promise<readonly [number, number, number]> {
  let hand: readonly [number, number, number] = [0, 0, 0];
  await until(`body ${body} is in the hand`, async () => {
    const [x, y, z] = (await inspectOf(player)).bodies[body].position;
    hand = [x, y + 0.02, z];
    await moveHand(player, 'right', [
      { to: [x, y + 0.8, z], ms: 30, grip: 0 },
      { to: hand, ms: 200, grip: 0 },
      { to: hand, ms: 400, grip: 1 },
    ]);
    return (await inspectOf(player)).bodies[body].holder !== null;
  });
  return hand;
}

/** Throws the body in the right hand, which is at `from`, towards a place. */
async function throwTowards(
  player: RoomPlayerPage,
  [x, y, z]: readonly [number, number, number],
  to: { readonly x: number; readonly z: number },
): Promise<void> {
  const far = Math.hypot(to.x - x, to.z - z);
  const [dx, dz] = [(to.x - x) / far, (to.z - z) / far];
  await moveHand(player, 'right', [
    { to: [x, y, z], ms: 20, grip: 1 },
    { to: [x, y + 0.9, z], ms: 500, grip: 1 },
    { to: [x + dx * 0.8, y + 1.1, z + dz * 0.8], ms: 200, grip: 1 },
    { to: [x + dx * 1.2, y + 1.2, z + dz * 1.2], ms: 100, grip: 0 },
  ]);
}

/** How far down the middle of the hint is, as a share of the window. */
async function hintAt({ page }: RoomPlayerPage): Promise<number> {
  const box = await page.getByRole('region', { name: 'Hint' }).boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) throw new Error('there is no hint');
  return (box.y + box.height / 2) / size.height;
}

describe('on the playground', () => {
  const stage = storyStage();

  async function photograph(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const [i, { page }] of stage.players.entries()) {
      await page.evaluate(() => void (window.fillsPixels = true));
      await new Promise((resolve) => void setTimeout(resolve, 1500));
      await page.screenshot({ path: join(PICTURES, `${name}-${i}.png`) });
      await page.evaluate(() => void (window.fillsPixels = false));
    }
  }

  it('two players meet, kick, carry, add, throw and remove, and see the same', async () => {
    const host = await stage.open(stage.url, PHONE);
    const { link } = await startRoom(host, 'Ada', 'playground');
    const guest = await stage.open(link, DESKTOP);
    await inRoom(guest);
    const both = [host, guest];
    await until('the level is at rest on both pages', () => allRest(both));
    await photograph('1-met');
    expect(await hintAt(host), 'on a phone in the sky, over nothing that lies there').toBeLessThan(0.2);
    expect(await hintAt(guest), 'at a desk on the floor, not over a face').toBeGreaterThan(0.8);

    const added = await addsByPanel(guest, GUEST);
    await photograph('2-added');
    await until('the host has it, and it lies', async () => (await exists(host, added)) && allRest(both));
    await kicks(guest, added);
    await until('what was kicked is at rest', () => allRest(both));
    await sameOnBoth(host, guest);
    await photograph('3-kicked');

    const [, , planks] = LEVEL.spawning.templates;
    const plank = LEVEL.bodies.findLastIndex(({ template }) => template === planks);
    const from = await grab(guest, plank);
    await placeCube(guest, 'right', from, [2.5, 0.1, 3.8], [0, 0.02, 0]);
    await dropHand(guest, 'right');

    const lies = await grab(guest, added);
    const friend = (await headOf(guest, HOST)).position;
    const far = ({ x, z }: Spot): number => Math.hypot(x - friend.x, z - friend.z);
    const before = far({ x: lies[0], z: lies[2] });
    await throwTowards(guest, lies, friend);
    await dropHand(guest, 'right');
    await until('it flies towards the friend', async () => far(await placeOn(host, added)) < before - 0.8);
    await until('all is at rest', () => allRest(both));
    await sameOnBoth(host, guest);
    expect((await placeOn(host, plank)).z, 'the plank was carried').toBeGreaterThan(0);
    await photograph('4-thrown');

    await guest.page.getByRole('button', { name: 'Remove all' }).click();
    await guest.page.getByRole('button', { name: 'Close the panel' }).click();
    await guest.page.getByRole('button', { name: 'Remove all' }).waitFor({ state: 'hidden' });
    await until(
      'it is gone on both pages',
      async () => !(await exists(host, added)) && !(await exists(guest, added)),
    );
    await photograph('5-removed');
  });
});
