import type { Page } from 'playwright-core';
import type { Slot } from '../../src/core/base/ids.ts';
import type { HandName } from '../../src/input/scripted-hand.ts';
import { startOf } from '../../src/pages/starts.ts';

/** Metres. */
export type Point = readonly [x: number, y: number, z: number];

const HOST = 0 as Slot;

/** From the room to the headset's space, where the host's rig stands at its start. */
export function toRig([x, y, z]: Point): Point {
  const { position, yaw } = startOf(HOST);
  const [dx, dz] = [x - position.x, z - position.z];
  return [dx * Math.cos(yaw) - dz * Math.sin(yaw), y, dx * Math.sin(yaw) + dz * Math.cos(yaw)];
}

/** From the headset's space to the room. */
export function inRig([x, y, z]: Point): Point {
  const { position, yaw } = startOf(HOST);
  return [
    position.x + x * Math.cos(yaw) + z * Math.sin(yaw),
    y,
    position.z - x * Math.sin(yaw) + z * Math.cos(yaw),
  ];
}

/** Moves a controller to a place in the headset's space over 0.4 s; then its grip opens (0) or closes (1). */
export async function moveController(page: Page, side: HandName, to: Point, squeeze: 0 | 1): Promise<void> {
  await page.evaluate(
    async ({ side, to, squeeze }) => {
      const controller = window.emulatedHeadset?.controllers[side];
      if (controller === undefined) throw new Error(`the headset has no ${side} controller`);
      const { x, y, z } = controller.position;
      for (let step = 1; step <= 24; step++) {
        const share = step / 24;
        controller.position.set(x + (to[0] - x) * share, y + (to[1] - y) * share, z + (to[2] - z) * share);
        await new Promise((resolve) => void setTimeout(resolve, 16));
      }
      controller.updateButtonValue('squeeze', squeeze);
      await new Promise((resolve) => void setTimeout(resolve, 250));
    },
    { side, to, squeeze },
  );
}
