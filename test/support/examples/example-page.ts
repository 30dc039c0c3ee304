import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { Room } from '../../../src/room/room.ts';
import { openPage as openRoomPage } from '../pages/room-page.ts';

/** The sizes in which the examples are looked at. */
export const DESK = { width: 1000, height: 700 };
export const PHONE = { width: 390, height: 844 };

type Matrix = { readonly elements: readonly number[] };
/** The part of an example's game that tests read. */
type Game = {
  readonly room: Pick<Room, 'view'>;
  readonly camera: { readonly projectionMatrix: Matrix; readonly matrixWorldInverse: Matrix };
};
declare const game: Game;

/** Opens a page whose errors fail the test. */
export async function openPage(browser: Browser, address: string, viewport: typeof DESK): Promise<Page> {
  const { page, faults } = await openRoomPage(browser, address, { viewport, deviceScaleFactor: 1 });
  expect(faults).toEqual([]);
  page.on('pageerror', (error) => {
    throw error;
  });
  return page;
}

/** A place in a page's picture, in pixels from its upper left corner. */
export type Pixel = { readonly x: number; readonly y: number };

/** Where a page draws a place of the world. */
export function pixelOf(page: Page, x: number, y: number, z: number): Promise<Pixel> {
  return page.evaluate(
    (place) => {
      const { projectionMatrix, matrixWorldInverse } = game.camera;
      const apply = ({ elements }: Matrix, point: readonly number[]): number[] =>
        [0, 1, 2, 3].map((row) => point.reduce((sum, n, i) => sum + n * elements[i * 4 + row], 0));
      const [right, up, , depth] = apply(projectionMatrix, apply(matrixWorldInverse, [...place, 1]));
      return { x: ((right / depth + 1) / 2) * innerWidth, y: ((1 - up / depth) / 2) * innerHeight };
    },
    [x, y, z],
  );
}

/** Moves the mouse from one place to another, in a line. */
export async function moveMouse(page: Page, from: Pixel, to: Pixel, steps: number): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    const share = step / steps;
    await page.mouse.move(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    await page.waitForTimeout(16);
  }
}

/** Metres: where a page draws the first bodies, three numbers for each, once all rest; nothing while something moves. */
export function placesOf(page: Page, bodies: number): Promise<number[]> {
  return page.evaluate(
    ([bodies, stride]) => {
      const { poses, resting } = game.room.view();
      if (resting.some((rests) => rests === 0)) return [];
      return Array.from({ length: bodies }, (_, i) => [...poses.subarray(i * stride, i * stride + 3)]).flat();
    },
    [bodies, POSE_STRIDE],
  );
}

/** Metres: how far apart two pages have a body, at most; endless while something moves. */
export async function difference(a: Page, b: Page, bodies: number): Promise<number> {
  const [here, there] = [await placesOf(a, bodies), await placesOf(b, bodies)];
  if (here.length === 0 || there.length === 0) return Infinity;
  return Math.max(...here.map((value, i) => Math.abs(value - there[i])));
}
