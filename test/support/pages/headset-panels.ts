import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { lobbyBoxes, LOBBY_UNITS } from '../../../src/pages/headset/panel/lobby-boxes.ts';
import { SIZE as LOBBY_SIZE } from '../../../src/pages/headset/panel/lobby-panel.ts';
import { STANDING as LOBBY_STANDING } from '../../../src/pages/headset/lobby-world.ts';
import type { Box } from '../../../src/pages/headset/panel/panel-boxes.ts';
import type { PanelPlacement } from '../../../src/pages/headset/panel/panel-place.ts';
import type { LobbyState } from '../../../src/pages/lobby/lobby-view.ts';
import {
  SIZE as VISITOR_SIZE,
  STANDING as VISITOR_STANDING,
  UNITS as VISITOR_UNITS,
  visitorBoxes,
} from '../../../src/pages/loopback/visitor-panel.ts';

/** Metres for each unit of the two panels. */
const LOBBY_UNIT = LOBBY_SIZE.width / LOBBY_UNITS.width;
const VISITOR_UNIT = VISITOR_SIZE.width / VISITOR_UNITS.width;
/** Metres before a panel from which the hand points at it. */
const BEFORE = 0.5;

/** Presses a button on the panel of the idle lobby, on which these letters are written already. */
export async function pressInLobby(page: Page, label: string, written = ''): Promise<void> {
  // Some world of the page has a clock. A lobby in which a headset was just put on has none for a while.
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  const state: LobbyState = { kind: 'idle' };
  const model = {
    profile: { name: 'Ada', colour: 0 as Slot },
    code: '',
    state,
    lastWorld: null,
    leftRoom: null,
  };
  const boxes = lobbyBoxes(model, { scene: 'pile', code: written });
  return press(page, boxes, label, LOBBY_UNIT, LOBBY_UNITS, LOBBY_STANDING);
}

/** Presses a button on the panel in one of the two worlds. */
export function pressInWorld(page: Page, pane: 0 | 1, label: string): Promise<void> {
  return press(page, visitorBoxes(pane), label, VISITOR_UNIT, VISITOR_UNITS, VISITOR_STANDING);
}

/** Points with the right hand at a button of a panel that stands before the player, and pulls the trigger. */
async function press(
  page: Page,
  boxes: readonly Box<unknown>[],
  label: string,
  unit: number,
  units: { readonly width: number; readonly height: number },
  { away, height, left }: PanelPlacement,
): Promise<void> {
  const box = boxes.find((each) => each.kind === 'button' && each.label === label);
  if (box === undefined) throw new Error(`the panel has no button “${label}”`);
  const right = (box.x + box.width / 2 - units.width / 2) * unit;
  const up = (units.height / 2 - box.y - box.height / 2) * unit;
  const ahead = away - BEFORE;
  await pull(page, {
    x: -Math.sin(left) * ahead + Math.cos(left) * right,
    y: height + up,
    z: -Math.cos(left) * ahead - Math.sin(left) * right,
    yaw: left,
  });
}

/** Puts the right controller somewhere, and pulls its trigger for a moment. */
async function pull(
  page: Page,
  at: { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number },
): Promise<void> {
  await page.evaluate(async ({ x, y, z, yaw }) => {
    const frames = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await new Promise((resolve) => void requestAnimationFrame(resolve));
    };
    const controller = window.emulatedHeadset?.controllers.right;
    if (controller === undefined) throw new Error('the headset has no right controller');
    controller.quaternion.set(0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2));
    controller.position.set(x, y, z);
    await frames(4);
    controller.updateButtonValue('trigger', 1);
    await frames(4);
    controller.updateButtonValue('trigger', 0);
    // A panel is drawn ten times a second.
    await new Promise((resolve) => void setTimeout(resolve, 120));
    await frames(4);
  }, at);
}
