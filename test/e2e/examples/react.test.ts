import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { Room } from '../../../src/room/room.ts';
import { difference, pixelOf, placesOf } from '../../support/examples/example-page.ts';
import { exampleStage } from '../../support/examples/example-stage.ts';

/** Ten boxes, then three balls. */
const BODIES = 13;
const BALL = 11;

type Objects = {
  traverse(visit: (object: { readonly name: string; readonly matrixWorld: Matrix }) => void): void;
};
type Matrix = { readonly elements: readonly number[] };
type ReactGame = { readonly room: Pick<Room, 'view' | 'hosting'>; readonly scene: Objects };

describe('an example with React Three Fiber, in StrictMode', () => {
  const stage = exampleStage('react-three-fiber', true);

  it('one page kicks a ball, both have and draw the same, and each may leave and come back', async () => {
    const host = await stage.open();
    const guest = await stage.join(host);
    await expect.poll(() => difference(host, guest, BODIES)).toBeLessThan(1e-6);
    const before = await placesOf(host, BODIES);

    const { x, y } = await pixelOf(guest, ...placeIn(before, BALL));
    await guest.mouse.click(x, y);
    await expect.poll(async () => (await seenAt(host, BALL))[2]).toBeLessThan(placeIn(before, BALL)[2] - 0.5);
    await expect.poll(() => difference(host, guest, BODIES)).toBeLessThan(1e-6);
    const after = await placesOf(host, BODIES);
    expect(Math.max(...after.map((value, i) => Math.abs(value - before[i])))).toBeGreaterThan(0.5);
    for (const page of [host, guest]) {
      const drawn = await drawnBalls(page);
      expect(drawn).toHaveLength(3);
      drawn.flat().forEach((value, i) => expect(value).toBeCloseTo(after[10 * 3 + i], 5));
    }

    // The components are unmounted: the room goes on under the guest.
    await host.getByRole('button', { name: 'Leave' }).click();
    await guest.getByText('Send this page’s address to a friend.').waitFor();
    expect(await isHost(guest)).toBe(true);
    await host.getByRole('button', { name: 'Come back' }).click();
    for (const page of [host, guest]) await page.getByText('You play with 1.').waitFor();
    expect(await isHost(host)).toBe(false);
    await expect.poll(() => difference(host, guest, BODIES)).toBeLessThan(1e-6);
    expect(await placesOf(host, BODIES)).toEqual(after);
  });
});

function placeIn(places: readonly number[], body: number): [number, number, number] {
  return [places[body * 3], places[body * 3 + 1], places[body * 3 + 2]];
}

/** Where a page sees a body, moving or not. */
function seenAt(page: Page, body: number): Promise<number[]> {
  return page.evaluate(
    (at) => [...(globalThis as unknown as { game: ReactGame }).game.room.view().poses.subarray(at, at + 3)],
    body * POSE_STRIDE,
  );
}

/** The places of the balls in the page's scene. */
function drawnBalls(page: Page): Promise<number[][]> {
  return page.evaluate(() => {
    const found: number[][] = [];
    (globalThis as unknown as { game: ReactGame }).game.scene.traverse(({ name, matrixWorld }) => {
      if (name === 'ball') found.push([...matrixWorld.elements.slice(12, 15)]);
    });
    return found;
  });
}

function isHost(page: Page): Promise<boolean> {
  return page.evaluate(() => (globalThis as unknown as { game: ReactGame }).game.room.hosting !== null);
}
