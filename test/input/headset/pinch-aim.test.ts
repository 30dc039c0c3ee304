import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HandSide } from '../../../src/core/base/ids.ts';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import { composePose, fromAxisAngle, pose, setVector, vector } from '../../../src/core/base/math.ts';
import { Locomotion } from '../../../src/input/headset/locomotion.ts';
import type { Wearer } from './wearer.ts';
import { putOn } from './wearer.ts';

const FRAME = 1 / 90;
/** Frames after which a pinch is meant. */
const MEANT = 30;

let player: Locomotion;
let sticks: [ReturnType<typeof hand>, ReturnType<typeof hand>];
const head = pose();

function hand() {
  return { free: true, pinch: 0, finds: false, right: 0, forward: 0, ray: pose() };
}

/** Points a hand so many degrees up. */
function point(side: HandSide, degrees: number): void {
  fromAxisAngle(vector(1, 0, 0), (degrees * Math.PI) / 180, sticks[side].ray.rotation);
}

function frames(count = 1): void {
  for (let i = 0; i < count; i++) player.update(FRAME, head, sticks);
}

function pinch(side: HandSide, firmly: number, count = 1): void {
  sticks[side].pinch = firmly;
  frames(count);
}

function place(): { x: number; z: number } {
  const { x, z } = composePose(player.rig, head, pose()).position;
  return { x, z };
}

beforeEach(() => {
  player = new Locomotion({ position: vector(2, 1.6, 3), yaw: 1 });
  setVector(head.position, 0.2, 1.6, -0.1);
  sticks = [hand(), hand()];
  for (const { ray } of sticks) setVector(ray.position, 0.3, 1.2, -0.4);
  point(LEFT, -30);
  point(RIGHT, -30);
  frames();
});

describe('a pinch at the floor', () => {
  test('aims after a moment, and leads to the target when it opens', () => {
    pinch(RIGHT, 1, 5);
    expect(player.aim.active).toBe(false);
    frames(MEANT);
    expect(player.aim).toMatchObject({ active: true, side: RIGHT, valid: true });
    expect(player.aimsByPinch(RIGHT)).toBe(true);
    expect(player.aimsByPinch(LEFT)).toBe(false);
    const { x, z } = player.aim.target;
    const before = player.jumped;
    pinch(RIGHT, 0);
    expect(player.aim.active).toBe(false);
    expect(player.jumped).toBe(before + 1);
    expect(place()).toEqual({ x: expect.closeTo(x, 9) as number, z: expect.closeTo(z, 9) as number });
    const there = place();
    frames(MEANT);
    expect(place()).toEqual(there);
  });

  test('keeps its aim while the fingers open, which turns the hand', () => {
    pinch(RIGHT, 1, MEANT);
    const target = { ...player.aim.target };
    sticks[RIGHT].pinch = 0.7;
    point(RIGHT, -10);
    frames();
    expect(player.aim.target).toEqual(target);
    pinch(RIGHT, 0);
    expect(place().x).toBeCloseTo(target.x, 9);
  });

  test.each([
    ['is short', () => pinch(RIGHT, 1, 10)],
    [
      'finds a cube',
      () => {
        sticks[RIGHT].finds = true;
        pinch(RIGHT, 1, 2);
        sticks[RIGHT].finds = false;
        frames(MEANT);
      },
    ],
    [
      'begins above the floor',
      () => {
        point(RIGHT, 5);
        pinch(RIGHT, 1, 5);
        point(RIGHT, -30);
        frames(MEANT);
      },
    ],
    [
      'holds a cube',
      () => {
        sticks[RIGHT].free = false;
        pinch(RIGHT, 1, MEANT);
      },
    ],
    ['is no more than a loose hand', () => pinch(RIGHT, 0.6, MEANT)],
  ])('does nothing if it %s', (_, act) => {
    const before = structuredClone(player.rig);
    act();
    expect(player.aim.active).toBe(false);
    sticks[RIGHT].free = true;
    pinch(RIGHT, 0, 3);
    expect(player.rig).toEqual(before);
  });

  test.each([
    ['is raised', () => point(RIGHT, 40)],
    ['is lost', () => (sticks[RIGHT].free = false)],
  ])('is given up when the hand %s', (_, act) => {
    pinch(RIGHT, 1, MEANT);
    expect(player.aim.active).toBe(true);
    const before = structuredClone(player.rig);
    act();
    frames(2);
    expect(player.aim.active).toBe(false);
    pinch(RIGHT, 0, 3);
    expect(player.rig).toEqual(before);
  });

  test('leads nowhere if it points at the own feet', () => {
    point(RIGHT, -88);
    pinch(RIGHT, 1, MEANT);
    expect(player.aim).toMatchObject({ active: true, valid: false });
    const before = structuredClone(player.rig);
    pinch(RIGHT, 0, 3);
    expect(player.rig).toEqual(before);
  });

  test('goes on over a cube that the ray meets on its way', () => {
    pinch(RIGHT, 1, MEANT);
    sticks[RIGHT].finds = true;
    frames(3);
    expect(player.aim.active).toBe(true);
  });

  test('is one at a time', () => {
    pinch(LEFT, 1, MEANT);
    pinch(RIGHT, 1, MEANT);
    expect(player.aim.side).toBe(LEFT);
    pinch(RIGHT, 0, 2);
    expect(player.aim).toMatchObject({ active: true, side: LEFT });
    // With a stick neither.
    sticks[RIGHT].forward = 1;
    frames();
    expect(player.aim.side).toBe(LEFT);
  });
});

describe('a bare hand of a player in a headset', () => {
  afterEach(() => vi.unstubAllGlobals());

  async function wear(): Promise<Wearer> {
    const worn = await putOn();
    worn.headset.device.primaryInputMode = 'hand';
    const { position, quaternion } = worn.headset.rightHand;
    position.set(0.2, 1.2, -0.3);
    // It points down at the floor before the player.
    quaternion.set(Math.sin(-0.3), 0, 0, Math.cos(-0.3));
    worn.frames(3);
    return worn;
  }

  const at = (worn: Wearer) => {
    const { x, z } = worn.player.drawn().head.position;
    return { x, z };
  };

  test('goes to the floor by a pinch, which grips nothing meanwhile', async () => {
    const worn = await wear();
    const before = at(worn);
    worn.headset.rightHand.updatePinchValue(1);
    worn.frames(MEANT);
    expect(worn.player.teleport).toMatchObject({ active: true, side: RIGHT, valid: true });
    expect(worn.hand(RIGHT)).toMatchObject({ busy: true, grip: 0 });
    expect(at(worn)).toEqual(before);
    const { x, z } = worn.player.teleport.target;
    worn.headset.rightHand.updatePinchValue(0);
    worn.frames(3);
    expect(worn.player.teleport.active).toBe(false);
    expect(at(worn)).toEqual({ x: expect.closeTo(x, 1) as number, z: expect.closeTo(z, 1) as number });
    expect(worn.hand(RIGHT).busy).toBe(false);
  });

  test('takes a cube by a pinch that finds one, and stays where it is', async () => {
    const worn = await wear();
    const before = at(worn);
    const around = { finds: [false, true] as const, seesRealFloor: false };
    const frames = (count: number): void => {
      for (let i = 0; i < count; i++) {
        worn.now += 11;
        worn.headset.frame((frame) =>
          worn.player.beginFrame(
            worn.now,
            frame,
            worn.headset.space,
            worn.headset.sources(),
            worn.held,
            around,
          ),
        );
      }
    };
    worn.headset.rightHand.updatePinchValue(1);
    frames(MEANT);
    expect(worn.hand(RIGHT)).toMatchObject({ busy: false, grip: 1 });
    worn.headset.rightHand.updatePinchValue(0);
    frames(3);
    expect(at(worn)).toEqual(before);
  });
});
