import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { Vector } from '../../../src/core/base/math.ts';
import {
  angleBetween,
  composePose,
  distance,
  pose,
  quaternion,
  vector,
} from '../../../src/core/base/math.ts';
import { HeadsetPlayer } from '../../../src/input/headset/headset-player.ts';
import { frameWith, put } from './emulator.ts';
import type { Wearer } from './wearer.ts';
import { CLOSE, putOn, somewhere, START, TURNED } from './wearer.ts';

let worn: Wearer;

beforeEach(async () => {
  worn = await putOn();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a lost hand', () => {
  const lost = (frame: XRFrame): XRFrame => frameWith(frame, () => 'lost');
  const measured = (frame: XRFrame): XRFrame => frameWith(frame, () => 'measured');
  const guessed = (frame: XRFrame): XRFrame => frameWith(frame, () => 'guessed');

  beforeEach(() => {
    worn.frames();
    worn.headset.right.updateButtonValue('squeeze', 1);
    worn.frames();
  });

  test.each([
    ['has no pose', () => worn.headset.sources(), lost],
    ['is no longer there', () => [], measured],
  ])('since it %s, stays for a moment as it was, and then lets go', (_, sources, seen) => {
    const before = structuredClone(worn.hand(RIGHT));
    worn.frames(12, sources, seen);
    expect(worn.hand(RIGHT)).toEqual(before);
    worn.frames(4, sources, seen);
    expect(worn.hand(RIGHT)).toMatchObject({ tracked: false, grip: 0 });
    expect(worn.player.devices).toEqual(['none', 'none']);
    worn.frames();
    expect(worn.hand(RIGHT)).toMatchObject({ tracked: true, grip: 1 });
  });

  test('to guessed positions keeps its body for the two seconds of a swing, then lets go', () => {
    worn.frames(5, worn.headset.sources, measured);
    worn.frames(170, worn.headset.sources, guessed);
    expect(worn.hand(RIGHT)).toMatchObject({ tracked: true, grip: 1 });
    worn.frames(40, worn.headset.sources, guessed);
    expect(worn.hand(RIGHT).tracked).toBe(false);
    worn.frames(1, worn.headset.sources, measured);
    expect(worn.hand(RIGHT).tracked).toBe(true);
  });

  test('to guessed positions does not count if the device has only ever guessed', () => {
    worn.frames(400, worn.headset.sources, guessed);
    expect(worn.hand(RIGHT)).toMatchObject({ tracked: true, grip: 1 });
  });

  test('to guessed positions does not count if another device takes over that has only ever guessed', () => {
    worn.frames(5, worn.headset.sources, measured);
    const other = Object.create(worn.headset.sources()[1]) as XRInputSource;
    worn.frames(400, () => [other], guessed);
    expect(worn.hand(RIGHT)).toMatchObject({ tracked: true, grip: 1 });
  });

  test('ends its aim', () => {
    worn.stick('right', 0, 1);
    worn.frames(2);
    expect(worn.player.teleport.active).toBe(true);
    const rig = structuredClone(worn.player.rig);
    worn.frames(30, worn.headset.sources, lost);
    expect(worn.player.teleport.active).toBe(false);
    expect(worn.player.rig).toEqual(rig);
  });

  test('that comes back with a button down does not count as a press', () => {
    worn.frames(30, worn.headset.sources, lost);
    worn.headset.right.updateButtonValue('b-button', 1);
    worn.frames();
    expect(worn.player.pressed(RIGHT, 'upper')).toBe(false);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('to %d is lost', (nonsense) => {
    const broken = (frame: XRFrame): XRFrame =>
      Object.assign(
        frameWith(frame, () => 'measured'),
        {
          getPose: () => ({
            transform: { position: vector(0, nonsense, 0), orientation: quaternion() },
            emulatedPosition: false,
          }),
        },
      );
    worn.frames(30, worn.headset.sources, broken);
    expect(worn.hand(RIGHT).tracked).toBe(false);
    expect(Number.isFinite(worn.hand(RIGHT).pose.position.y)).toBe(true);
  });
});

describe('a tracked hand', () => {
  const tip = (side: 0 | 1, joint: number): Vector => {
    const joints = worn.player.joints[side];
    return vector(joints[joint * 16 + 12], joints[joint * 16 + 13], joints[joint * 16 + 14]);
  };
  const middle = (side: 0 | 1): Vector => {
    const [a, b] = [tip(side, 4), tip(side, 9)];
    return vector((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2);
  };

  beforeEach(() => {
    worn.headset.device.primaryInputMode = 'hand';
    worn.frames();
  });

  test('is open, at iwer’s pose', () => {
    expect(worn.player.devices).toEqual(['hand', 'hand']);
    expect(worn.hand(LEFT)).toMatchObject({ tracked: true, grip: 0, trigger: 0, stick: { x: 0, y: 0 } });
    for (let i = 0; i < 20; i++) {
      const ray = somewhere(i);
      put(worn.headset.leftHand, ray);
      worn.frames();
      const { position, rotation } = worn.hand(LEFT).pose;
      expect(angleBetween(rotation, worn.inWorld(ray).rotation)).toBeLessThan(TURNED);
      expect(distance(position, middle(LEFT))).toBeLessThan(CLOSE);
      expect(distance(position, worn.inWorld(ray).position)).toBeLessThan(0.15);
    }
  });

  test('has more grip the more it is closed', () => {
    const grips = Array.from({ length: 21 }, (_, i) => {
      worn.headset.rightHand.updatePinchValue(i / 20);
      worn.frames();
      return worn.hand(RIGHT).grip;
    });
    expect(grips[0]).toBe(0);
    expect(grips[20]).toBe(1);
    grips.slice(1).forEach((grip, i) => expect(grip).toBeGreaterThanOrEqual(grips[i]));
    expect(worn.hand(LEFT).grip).toBe(0);
    worn.headset.rightHand.updatePinchValue(0);
    worn.frames();
    expect(worn.hand(RIGHT).grip).toBe(0);
  });

  test('points in iwer’s direction', () => {
    worn.headset.rightHand.poseId = 'point';
    worn.frames();
    expect(worn.hand(RIGHT)).toMatchObject({ pointing: true, grip: 0 });
  });

  test('has its joints in the world, and they move with the rig', () => {
    const before = tip(RIGHT, 0);
    const rig = structuredClone(worn.player.rig);
    worn.headset.device.primaryInputMode = 'controller';
    worn.frames();
    worn.teleportOnce();
    worn.headset.device.primaryInputMode = 'hand';
    worn.frames();
    const { position } = worn.player.rig;
    const after = tip(RIGHT, 0);
    expect(distance(rig.position, position)).toBeGreaterThan(1);
    expect(after.x - before.x).toBeCloseTo(position.x - rig.position.x, 5);
    expect(after.z - before.z).toBeCloseTo(position.z - rig.position.z, 5);
    expect(worn.player.joints[RIGHT][15]).toBe(1);
  });

  test('without its ray goes on from the last ray, with the palm’s rotation', () => {
    const rays = new Set(worn.headset.sources().map(({ targetRaySpace }) => targetRaySpace));
    const rayless = (frame: XRFrame): XRFrame =>
      frameWith(frame, (space) => (rays.has(space) ? 'lost' : 'measured'));
    for (let i = 0; i < 30; i++) {
      const ray = somewhere(i);
      put(worn.headset.rightHand, ray);
      worn.frames(1, worn.headset.sources, i < 5 ? undefined : rayless);
      expect(worn.hand(RIGHT).tracked).toBe(true);
      expect(angleBetween(worn.hand(RIGHT).pose.rotation, worn.inWorld(ray).rotation)).toBeLessThan(0.01);
    }
  });

  test('that never had a ray points roughly along the palm', () => {
    const joints = new Set(worn.headset.sources().flatMap(({ hand }) => [...(hand?.values() ?? [])]));
    worn.player = new HeadsetPlayer(START);
    worn.frames(1, worn.headset.sources, (frame) =>
      frameWith(frame, (space) => ((joints as Set<XRSpace>).has(space) ? 'measured' : 'lost')),
    );
    const { pose: seen } = worn.hand(RIGHT);
    const [wrist, knuckle] = [tip(RIGHT, 0), tip(RIGHT, 6)];
    const way = vector(knuckle.x - wrist.x, knuckle.y - wrist.y, knuckle.z - wrist.z);
    const ahead = composePose(seen, { position: vector(0, 0, -1), rotation: quaternion() }, pose()).position;
    const along =
      (ahead.x - seen.position.x) * way.x +
      (ahead.y - seen.position.y) * way.y +
      (ahead.z - seen.position.z) * way.z;
    expect(along / Math.hypot(way.x, way.y, way.z)).toBeGreaterThan(0.85);
  });

  test('works beside a controller in the other hand', () => {
    worn.headset.device.primaryInputMode = 'controller';
    worn.frames();
    worn.headset.leftHand.updateTargetRaySpace();
    const mixed = (): XRInputSource[] => [
      worn.headset.leftHand.inputSource as unknown as XRInputSource,
      ...worn.headset.sources().filter(({ handedness }) => handedness === 'right'),
    ];
    worn.headset.right.updateButtonValue('squeeze', 1);
    worn.frames(1, mixed);
    expect(worn.player.devices).toEqual(['hand', 'controller']);
    expect(worn.hand(RIGHT).grip).toBe(1);
    expect(worn.hand(LEFT)).toMatchObject({ tracked: true, grip: 0 });
    expect(distance(worn.hand(LEFT).pose.position, middle(LEFT))).toBeLessThan(CLOSE);
  });

  test('with two sources is the first of them', () => {
    const both = [
      worn.headset.right.inputSource as unknown as XRInputSource,
      worn.headset.rightHand.inputSource as unknown as XRInputSource,
    ];
    worn.frames(1, () => both);
    expect(worn.player.devices[RIGHT]).toBe('controller');
    worn.frames(1, () => both.toReversed());
    expect(worn.player.devices[RIGHT]).toBe('hand');
  });

  test('with an untracked joint is lost', () => {
    const torn = (frame: XRFrame): XRFrame =>
      Object.assign(
        frameWith(frame, () => 'measured'),
        { fillPoses: (_: unknown, __: unknown, out: Float32Array) => out.fill(Number.NaN, 100).length > 0 },
      );
    worn.frames(30, worn.headset.sources, torn);
    expect(worn.hand(RIGHT).tracked).toBe(false);
    expect(Number.isFinite(worn.hand(RIGHT).pose.position.x)).toBe(true);
  });

  test('is replaced by a controller from one frame to the next', () => {
    worn.headset.device.primaryInputMode = 'controller';
    worn.frames();
    expect(worn.player.devices).toEqual(['controller', 'controller']);
    expect(worn.hand(RIGHT).tracked).toBe(true);
  });

  test('has no buttons', () => {
    worn.headset.rightHand.updatePinchValue(1);
    worn.frames();
    for (const button of ['lower', 'upper', 'stick'] as const)
      expect(worn.player.pressed(RIGHT, button)).toBe(false);
  });
});
