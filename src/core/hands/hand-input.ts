import type { Pose } from '../base/math.ts';
import { pose } from '../base/math.ts';
import type { HandGesture } from './hand-gesture.ts';
import { handGesture } from './hand-gesture.ts';

/** The most poses of a hand that one tick may get. */
export const TRAIL_LENGTH = 8;

/**
 * Where a device saw the hand since the last tick, oldest first; the last is that of the hand now, or of when it
 * opened. It tells how fast the hand is, and nothing else. Empty if the device has no times of its own.
 */
export type HandTrail = {
  count: number;
  /** Ticks before the moment that PlayerInput.age tells of; below 0 if it was later. */
  readonly before: Float64Array;
  readonly poses: readonly Pose[];
  /** Something other than an arm moved the hand just before the first of these: a teleport, or a turn by a stick. */
  broken: boolean;
};

/**
 * One hand in one tick, whatever made it: a controller, a tracked hand, a mouse, a finger, a script.
 * Nothing after this knows which.
 */
export type HandInput = HandGesture & {
  /** It works something that is not of the world, a panel: it selects and takes no body meanwhile. */
  busy: boolean;
  /** In the world: metres; the index finger points along -z of the rotation. */
  readonly pose: Pose;
  /** Thumbstick, -1 to 1: y moves a held body out and in, x turns it. */
  readonly stick: { x: number; y: number };
  /** While held, stick x turns about the other axis (a controller's second button, Shift on a keyboard). */
  tilt: boolean;
  readonly trail: HandTrail;
};

/** All that one player's body does in one tick. */
export type PlayerInput = {
  readonly head: Pose;
  readonly hands: readonly [HandInput, HandInput];
  /** [T1] Ticks from the moment of sampling to the physics tick that uses it, 0 to 15. */
  age: number;
  /** Loudness of the voice, 0 to 1. */
  voice: number;
};

export function handInput(): HandInput {
  return {
    ...handGesture(),
    busy: false,
    pose: pose(),
    stick: { x: 0, y: 0 },
    tilt: false,
    trail: {
      count: 0,
      before: new Float64Array(TRAIL_LENGTH),
      poses: Array.from({ length: TRAIL_LENGTH }, pose),
      broken: false,
    },
  };
}

export function playerInput(): PlayerInput {
  return { head: pose(), hands: [handInput(), handInput()], age: 0, voice: 0 };
}
