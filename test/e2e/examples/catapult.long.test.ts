import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { Room } from '../../../src/room/room.ts';
import { difference, moveMouse, pixelOf } from '../../support/examples/example-page.ts';
import { exampleStage } from '../../support/examples/example-stage.ts';

/** The arm, three balls and ten boxes. */
const BODIES = 14;
const ARM = 0;

type Place = readonly [x: number, y: number];

describe('the catapult', () => {
  const stage = exampleStage('catapult');

  it('one page loads, the other fires, and both count the same boxes; then they stand again', async () => {
    const host = await stage.open();
    const guest = await stage.join(host);

    // A busy machine may lose a ball on its way: there are three.
    for (const x of [-1.6, -1.9, -2.2]) {
      await pull(guest);
      await expect.poll(() => heightOf(host, ARM)).toBeLessThan(0.9);
      await load(host, x);
      await guest.mouse.up();
      await expect.poll(() => heightOf(host, ARM)).toBeGreaterThan(1.2);
      await host.waitForTimeout(8000);
      if ((await downOf(host)) > 0) break;
    }
    expect(await downOf(host)).toBeGreaterThan(0);
    await expect.poll(() => difference(host, guest, BODIES)).toBeLessThan(1e-6);
    await expect.poll(async () => (await downOf(guest)) - (await downOf(host))).toBe(0);
    await guest.getByRole('button', { name: 'Build up again' }).click();
    for (const page of [host, guest]) await expect.poll(() => downOf(page)).toBe(0);
  });
});

/** Pulls the arm down by its knob, and holds it. */
async function pull(page: Page): Promise<void> {
  await press(page, [-0.7, 1.73]);
  await drag(page, [-0.7, 1.73], [-1.15, 0.4]);
}

/** Lifts the ball that lies at x into the bowl of the arm, and waits until it rests there. */
async function load(page: Page, x: number): Promise<void> {
  await press(page, [x, 0.12]);
  await drag(page, [x, 0.12], [x, 1.4]);
  await drag(page, [x, 1.4], [-0.9, 1.4]);
  await drag(page, [-0.9, 1.4], [-0.9, 0.97]);
  await page.mouse.up();
  await page.waitForTimeout(2500);
}

/** Metres: how high a page draws a body. */
function heightOf(page: Page, body: number): Promise<number> {
  return page.evaluate(
    (at) => (globalThis as unknown as { game: { room: Room } }).game.room.view().poses[at],
    body * POSE_STRIDE + 1,
  );
}

/** Presses the mouse at a place of the game. */
async function press(page: Page, place: Place): Promise<void> {
  const { x, y } = await pixelOf(page, ...place, 0);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForTimeout(500);
}

async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await moveMouse(page, await pixelOf(page, ...from, 0), await pixelOf(page, ...to, 0), 20);
  await page.waitForTimeout(1000);
}

/** The boxes that are down, as a page has them. */
function downOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { game: { down(): number } }).game.down());
}
