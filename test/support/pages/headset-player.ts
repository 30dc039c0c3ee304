import type { ReadonlyQuaternion } from '../../../src/core/base/math.ts';
import {
  conjugate,
  fromAxisAngle,
  lookAt,
  multiply,
  quaternion,
  vector,
} from '../../../src/core/base/math.ts';
import type { HandName } from '../../../src/input/scripted-hand.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { reachPlaceOf } from '../../../src/pages/headset/reach-place.ts';
import type { RoomPlayerPage } from './room-page.ts';

/** Metres, in the room. */
export type Point = readonly [x: number, y: number, z: number];

/** The moving parts of somebody in a headset. */
export type Part = 'head' | HandName;

type Player = Pick<RoomPlayerPage, 'page'>;

declare global {
  interface Window {
    /** The next poses of the emulated headset, by part: each is asked once in each frame of the headset. */
    headsetMotions?: Map<string, (nowMs: number) => void>;
  }
}

/** The wearer is the first in its room, with a pyramid, and stands where its rig was at its start. */
const { position: START, yaw: YAW } = reachPlaceOf(0, createLevel({ id: 'pyramid', seed: 1 }), null);

/** From the room to the headset's space. */
export function toRig([x, y, z]: Point): Point {
  const [dx, dz] = [x - START.x, z - START.z];
  return [dx * Math.cos(YAW) - dz * Math.sin(YAW), y, dx * Math.sin(YAW) + dz * Math.cos(YAW)];
}

/** From the headset's space to the room. */
export function inRig([x, y, z]: Point): Point {
  return [
    START.x + x * Math.cos(YAW) + z * Math.sin(YAW),
    y,
    START.z - x * Math.sin(YAW) + z * Math.cos(YAW),
  ];
}

/** Takes up the emulated headset, so that it moves by its own frames. To be called once, before all else. */
export async function takeUpHeadset({ page }: Player): Promise<void> {
  await page.waitForFunction(() => window.emulatedHeadset !== undefined);
  await page.evaluate(() => {
    const motions = (window.headsetMotions = new Map<string, (nowMs: number) => void>());
    let last = Number.NaN;
    // Both hands begin the same frame.
    const moveOnce = (now: number): void => {
      if (now !== last) for (const step of [...motions.values()]) step(now);
      last = now;
    };
    const { controllers, hands } = window.emulatedHeadset ?? {};
    for (const input of [controllers?.left, controllers?.right, hands?.left, hands?.right]) {
      if (input === undefined) throw new Error('the headset lacks a hand');
      const begin = input.onFrameStart.bind(input);
      // Where a hand is in a frame is where it is at that frame's time: a frame may come late.
      input.onFrameStart = (frame) => {
        moveOnce(frame.predictedDisplayTime);
        begin(frame);
      };
    }
  });
}

/** Puts the headset on, by the button on the page. */
export async function enter({ page }: Player, mode: 'VR' | 'AR'): Promise<void> {
  await page.getByRole('button', { name: `Enter ${mode}` }).click();
  await page.waitForFunction(() => window.emulatedHeadset?.activeSession !== undefined);
}

/** Takes the headset off. */
export async function leave({ page }: Player): Promise<void> {
  await page.evaluate(() => window.emulatedHeadset?.activeSession?.end());
}

/** From now on the player has controllers, or bare hands. */
export async function useInput({ page }: Player, mode: 'controller' | 'hand'): Promise<void> {
  await page.evaluate((mode) => {
    if (window.emulatedHeadset !== undefined) window.emulatedHeadset.primaryInputMode = mode;
  }, mode);
}

/** How a part moves. */
export type Manner = {
  /** At one speed from the first moment to the last; otherwise it starts and ends softly. */
  readonly steady?: boolean;
  /** The share of the way after which the hand of a steady motion opens, and goes on. */
  readonly opensAt?: number;
};

/** Moves the device of head or hand straight to a place in the room, in so many milliseconds. */
export async function move(
  { page }: Player,
  part: Part,
  to: Point,
  ms: number,
  { steady = false, opensAt = 2 }: Manner = {},
): Promise<void> {
  await page.evaluate(
    ({ part, to: [x, y, z], ms, steady, opensAt }) =>
      new Promise<void>((resolve, reject) => {
        const device = window.emulatedHeadset;
        const { controllers, hands, primaryInputMode } = device ?? {};
        const hand =
          part === 'head' ? undefined : (primaryInputMode === 'hand' ? hands : controllers)?.[part];
        const position = (part === 'head' ? device : hand)?.position;
        if (position === undefined) throw new Error(`the headset has no ${part}`);
        const from = { x: position.x, y: position.y, z: position.z };
        let [began, last] = [Number.NaN, 0];
        const limit = setTimeout(() => reject(new Error(`the ${part} does not move`)), 30_000);
        window.headsetMotions?.set(part, (now) => {
          if (Number.isNaN(began)) began = now;
          const passed = (now - began) / ms;
          const share = Math.min(1, passed);
          // A hand that opens on its way is as fast in the frame in which it opens, however late that is.
          const way = opensAt <= 1 ? passed : steady ? share : share * share * (3 - 2 * share);
          position.set(from.x + (x - from.x) * way, from.y + (y - from.y) * way, from.z + (z - from.z) * way);
          if (share >= opensAt) {
            if (hand !== undefined && 'updatePinchValue' in hand) hand.updatePinchValue(0);
            else hand?.updateButtonValue('squeeze', 0);
          }
          if (share < 1) return;
          // In the next frame, so that this one is drawn by then.
          if (++last === 1) return;
          window.headsetMotions?.delete(part);
          clearTimeout(limit);
          resolve();
        });
      }),
    { part, to: toRig(to), ms, steady, opensAt },
  );
}

/** Closes a hand, 1, or opens it, 0: the grip of a controller, or the pinch of a bare hand. */
export async function squeeze({ page }: Player, side: HandName, value: 0 | 1): Promise<void> {
  await page.evaluate(
    ({ side, value }) => {
      const { controllers, hands, primaryInputMode } = window.emulatedHeadset ?? {};
      if (primaryInputMode === 'hand') hands?.[side]?.updatePinchValue(value);
      else controllers?.[side]?.updateButtonValue('squeeze', value);
    },
    { side, value },
  );
}

/** Pulls the trigger of a controller, 1, or lets it go, 0. */
export async function trigger({ page }: Player, side: HandName, value: 0 | 1): Promise<void> {
  await page.evaluate(
    ({ side, value }) => window.emulatedHeadset?.controllers[side]?.updateButtonValue('trigger', value),
    { side, value },
  );
}

/** Pushes the stick of a controller: -1 to 1 to the right, and forward. */
export async function stick({ page }: Player, side: HandName, right: number, forward: number): Promise<void> {
  await page.evaluate(
    // A gamepad's y is positive towards the player.
    ({ side, right, forward }) =>
      window.emulatedHeadset?.controllers[side]?.updateAxes('thumbstick', right, -forward),
    { side, right, forward },
  );
}

/** Loses sight of a hand, or finds it again. */
export async function track({ page }: Player, side: HandName, seen: boolean): Promise<void> {
  await page.evaluate(
    ({ side, seen }) => {
      const { controllers, hands, primaryInputMode } = window.emulatedHeadset ?? {};
      const hand = (primaryInputMode === 'hand' ? hands : controllers)?.[side];
      if (hand !== undefined) hand.connected = seen;
    },
    { side, seen },
  );
}

/** A bare hand is held loosely, or points. */
export async function gesture({ page }: Player, side: HandName, poseId: 'default' | 'point'): Promise<void> {
  await page.evaluate(
    ({ side, poseId }) => {
      const hand = window.emulatedHeadset?.hands[side];
      if (hand !== undefined) hand.poseId = poseId;
    },
    { side, poseId },
  );
}

/** Turns a hand so that it points at a place in the room. */
export async function point(player: Player, side: HandName, at: Point): Promise<void> {
  // It turns about where its ray begins, which is not where it is held.
  for (let i = 0; i < 2; i++) {
    const [x, y, z] = await handOf(player, side);
    const aim = lookAt(vector(x, y, z), vector(...at), quaternion());
    await turn(player, side, multiply(conjugate(RIG, quaternion()), aim, quaternion()));
  }
}

/** Turns head or hand as wanted in the headset's space. */
export async function turn({ page }: Player, part: Part, to: ReadonlyQuaternion): Promise<void> {
  await page.evaluate(
    ({ part, to: { x, y, z, w } }) => {
      const { controllers, hands, primaryInputMode } = window.emulatedHeadset ?? {};
      const hand = part === 'head' ? undefined : (primaryInputMode === 'hand' ? hands : controllers)?.[part];
      (part === 'head' ? window.emulatedHeadset : hand)?.quaternion.set(x, y, z, w);
    },
    { part, to },
  );
  await letFramesPass({ page }, 2);
}

/** Lets the headset draw. */
export async function letFramesPass({ page }: Player, count: number): Promise<void> {
  await page.evaluate(
    (count) =>
      new Promise<void>((resolve) => {
        let left = count;
        window.headsetMotions?.set('waits', () => {
          if (left-- > 0) return;
          window.headsetMotions?.delete('waits');
          resolve();
        });
      }),
    count,
  );
}

/**
 * Follows a cube that another has, and closes the hand on it once it flies.
 * @returns metres over the floor at which the hand had it.
 */
export async function catchCube({ page }: Player, side: HandName, cube: number): Promise<number> {
  const { x, z, yaw } = { x: START.x, z: START.z, yaw: YAW };
  return page.evaluate(
    ({ side, cube, x, z, yaw }) =>
      new Promise<number>((resolve, reject) => {
        let isClosed = false;
        const controller = window.emulatedHeadset?.controllers[side];
        const limit = setTimeout(() => {
          window.headsetMotions?.delete(side);
          reject(new Error('nothing was caught'));
        }, 30_000);
        window.headsetMotions?.set(side, () => {
          const inspection = window.handover?.inspect()[0];
          if (inspection === undefined) return;
          const { holder, position } = inspection.bodies[cube];
          if (holder?.slot === inspection.slot) {
            window.headsetMotions?.delete(side);
            clearTimeout(limit);
            resolve(position[1]);
          } else if (holder === null) {
            // As of the last tick, not as drawn: a frame may be many ticks old, and the next tick is this frame's.
            const [dx, dz] = [position[0] - x, position[2] - z];
            controller?.position.set(
              dx * Math.cos(yaw) - dz * Math.sin(yaw),
              position[1],
              dx * Math.sin(yaw) + dz * Math.cos(yaw),
            );
            // A hand that has closed beside it opens, and closes again.
            isClosed = !isClosed;
            controller?.updateButtonValue('squeeze', isClosed ? 1 : 0);
          }
        });
      }),
    { side, cube, x, z, yaw },
  );
}

/** The share of what the headset draws through which the room around is not seen, 0 to 1. */
export async function opaqueShare({ page }: Player): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const device = window.emulatedHeadset;
        const small = new OffscreenCanvas(64, 48).getContext('2d');
        if (device?.activeSession === undefined || small === null) throw new Error('no headset is worn');
        // The surface to draw into comes with the session's first frames.
        let patience = 60;
        window.fillsPixels = true;
        // After the page has drawn the frame, and before the browser has taken it.
        device.activeSession.requestAnimationFrame(function look() {
          const canvas = device.appCanvas;
          if (canvas === undefined) {
            if (patience-- > 0) device.activeSession?.requestAnimationFrame(look);
            else {
              window.fillsPixels = false;
              reject(new Error('the headset has no picture'));
            }
            return;
          }
          small.drawImage(canvas, 0, 0, 64, 48);
          const { data } = small.getImageData(0, 0, 64, 48);
          let opaque = 0;
          for (let i = 3; i < data.length; i += 4) if (data[i] > 0) opaque++;
          window.fillsPixels = false;
          resolve(opaque / (64 * 48));
        });
      }),
  );
}

/** Where a hand's device is in the room: a controller is held some centimetres behind where its ray begins. */
export async function deviceOf({ page }: Player, side: HandName): Promise<Point> {
  const place = await page.evaluate((side) => {
    const { controllers, hands, primaryInputMode } = window.emulatedHeadset ?? {};
    const position = (primaryInputMode === 'hand' ? hands : controllers)?.[side]?.position;
    if (position === undefined) throw new Error(`the headset has no ${side} hand`);
    return [position.x, position.y, position.z] as const;
  }, side);
  return inRig(place);
}

/** Where a hand is in the room, as the page of its player draws it. */
export async function handOf({ page }: Player, side: HandName): Promise<Point> {
  return page.evaluate(
    (index) => {
      const slot = window.handover?.inspect()[0].slot ?? 0;
      const hand = window.handover?.avatar(slot, slot)?.hands[index];
      if (hand === undefined) throw new Error('the player has no hands');
      const { x, y, z } = hand.pose.position;
      return [x, y, z] as const;
    },
    side === 'left' ? 0 : 1,
  );
}

const RIG = fromAxisAngle(vector(0, 1, 0), YAW, quaternion());
