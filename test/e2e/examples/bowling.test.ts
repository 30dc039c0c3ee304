import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { difference, moveMouse, pixelOf, placesOf } from '../../support/examples/example-page.ts';
import { exampleStage } from '../../support/examples/example-stage.ts';

/** The ball and ten pins. */
const BODIES = 11;
/** Metres: the height of the ball's middle. */
const HEIGHT = 0.26;

describe('bowling', () => {
  const stage = exampleStage('bowling');

  it('one page throws, both have the same score and the same pins, and a new frame has all pins', async () => {
    const host = await stage.open();
    await expect.poll(() => placesOf(host, BODIES)).not.toEqual([]);
    const start = await placesOf(host, BODIES);
    const guest = await stage.join(host);

    for (let rolls = 1; rolls <= 2; rolls++) {
      await flick(guest);
      await expect.poll(() => rollsOf(host)).toHaveLength(rolls);
      const told = await rollsOf(host);
      await expect.poll(() => rollsOf(guest)).toEqual(told);
      await expect.poll(() => difference(host, guest, BODIES)).toBeLessThan(1e-6);
      // A strike is a whole frame.
      if (told[0] === 10) break;
    }
    expect((await rollsOf(host))[0]).toBeGreaterThan(0);
    // The pins that fell are up again, and the ball is back.
    const now = await placesOf(host, BODIES);
    expect(Math.max(...now.map((value, i) => Math.abs(value - start[i])))).toBeLessThan(0.01);
  });
});

/** Draws the ball towards the pins, by the mouse, and lets go. */
async function flick(page: Page): Promise<void> {
  const [from, to] = [await pixelOf(page, 0, HEIGHT, 1), await pixelOf(page, 0.03, HEIGHT, -6)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.waitForTimeout(500);
  await moveMouse(page, from, to, 10);
  await page.mouse.up();
}

/** The pins that fell in each roll, as a page has them. */
function rollsOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as { game: { rolls(): number[] } }).game.rolls());
}
