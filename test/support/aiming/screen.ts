import type { Locator } from 'playwright-core';
import { PerspectiveCamera, Vector3 } from 'three';
import { fieldOfView } from '../../../src/view/lens.ts';
import type { RoomPlayerPage } from '../pages/room-page.ts';
import { inspectOf } from '../pages/room-page.ts';
import type { Place } from './heads.ts';
import { headOf } from './heads.ts';
import type { Point } from './pointer.ts';

/** Where a place of the world is in a player's picture, -1 to 1 across and up; null if it is behind the player. */
export async function inPicture(player: RoomPlayerPage, { x, y, z }: Place): Promise<Vector3 | null> {
  const { slot } = await inspectOf(player);
  const { position, rotation } = await headOf(player, slot);
  const { width, height } = sizeOf(player);
  const camera = new PerspectiveCamera(fieldOfView(width / height), width / height, 0.05, 100);
  camera.position.copy(position);
  camera.quaternion.copy(rotation);
  camera.updateMatrixWorld();
  const at = new Vector3(x, y, z);
  return at.clone().applyMatrix4(camera.matrixWorldInverse).z < 0 ? at.project(camera) : null;
}

/** Where a place of the world is on a player's screen. @throws Error if it is behind the player. */
export async function onScreen(player: RoomPlayerPage, place: Place): Promise<Point> {
  const at = await inPicture(player, place);
  if (at === null) throw new Error('the place is behind the player');
  const { width, height } = sizeOf(player);
  return { x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height };
}

/** The size of a player's screen, in CSS pixels. */
export function sizeOf({ page }: RoomPlayerPage): { width: number; height: number } {
  const size = page.viewportSize();
  if (size === null) throw new Error('the page has no size');
  return size;
}

/** Whether a point of the screen belongs to the world: nothing of the page lies over it. */
export async function isFree({ page }: RoomPlayerPage, { x, y }: Point): Promise<boolean> {
  return page.evaluate(({ x, y }) => document.elementFromPoint(x, y) instanceof HTMLCanvasElement, { x, y });
}

/** The middle of an element that is seen. */
export async function middleOf(locator: Locator): Promise<Point> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${String(locator)} is not seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
