import { metaQuestTouchPlus } from 'iwer';
import { expect } from 'vitest';
import type { HandSide } from '../../../src/core/base/ids.ts';
import type { Pose, ReadonlyPose } from '../../../src/core/base/math.ts';
import {
  angleBetween,
  composePose,
  distance,
  fromAxisAngle,
  multiply,
  pose,
  quaternion,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import type { HandInput } from '../../../src/core/hands/hand-input.ts';
import { HeadsetPlayer } from '../../../src/input/headset/headset-player.ts';
import type { Headset } from './emulator.ts';
import { openHeadset } from './emulator.ts';

/** Milliseconds between two frames of a Quest. */
const FRAME_MS = 1000 / 90;
/** Largest error of float32 matrices, in metres and radians. */
export const CLOSE = 1e-5;
export const TURNED = 2e-3;
/** Not in the middle of the world, and turned. */
export const START = { position: vector(3, 1.6, -2), yaw: 2 };

type Seen = (frame: XRFrame) => XRFrame;

/** A headset and its player. */
export class Wearer {
  readonly headset: Headset;
  player = new HeadsetPlayer(START);
  readonly held: [boolean, boolean] = [false, false];
  /** Milliseconds. */
  now = 5000;

  constructor(headset: Headset) {
    this.headset = headset;
  }

  /** Draws frames at the display's rate; by default unchanged frames with the session's own sources. */
  frames(count = 1, sources = this.headset.sources, seen: Seen = (frame) => frame): void {
    for (let i = 0; i < count; i++) this.draw(FRAME_MS, sources, seen);
  }

  /** Draws one frame, `ms` after the last. */
  draw(ms: number, sources = this.headset.sources, seen: Seen = (frame) => frame): void {
    this.now += ms;
    this.headset.frame((frame) =>
      this.player.beginFrame(this.now, seen(frame), this.headset.space, sources(), this.held),
    );
  }

  hand(side: HandSide): HandInput {
    return this.player.drawn().hands[side];
  }

  /** Returns a pose of the reference space in world coordinates. */
  inWorld(local: ReadonlyPose): Pose {
    return composePose(this.player.rig, local, pose());
  }

  /** Pushes a stick to the right and forward, -1 to 1 each. */
  stick(side: 'left' | 'right', right: number, forward: number): void {
    this.headset[side].updateAxes('thumbstick', right, -forward);
  }

  turnOnce(): void {
    this.stick('left', 1, 0);
    this.frames();
    this.stick('left', 0, 0);
    this.frames();
  }

  teleportOnce(): void {
    this.stick('right', 0, 1);
    this.frames();
    this.stick('right', 0, 0);
    this.frames();
  }
}

export async function putOn(): Promise<Wearer> {
  return new Wearer(await openHeadset());
}

export function expectPose(actual: ReadonlyPose, expected: ReadonlyPose): void {
  expect(distance(actual.position, expected.position)).toBeLessThan(CLOSE);
  expect(angleBetween(actual.rotation, expected.rotation)).toBeLessThan(TURNED);
}

/** The poses of an object that a player moves around. */
export function somewhere(i: number): Pose {
  const at = pose();
  setVector(at.position, 0.3 * Math.sin(i / 7), 1.2 + 0.3 * Math.sin(i / 5), -0.5 + 0.2 * Math.cos(i / 3));
  fromAxisAngle(vector(1, 0, 0), Math.sin(i / 11), at.rotation);
  multiply(fromAxisAngle(vector(0, 1, 0), Math.cos(i / 13), quaternion()), at.rotation, at.rotation);
  return at;
}

/** Returns the grip pose of a controller with this ray: iwer's grip is relative to the ray. */
export function gripOf(side: 'left' | 'right', ray: ReadonlyPose): Pose {
  const offset = metaQuestTouchPlus.layout[side]?.gripOffsetMatrix ?? [];
  const local = pose();
  setVector(local.position, offset[12], offset[13], offset[14]);
  return composePose(ray, local, pose());
}
