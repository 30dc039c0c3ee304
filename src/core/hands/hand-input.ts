import type { Pose } from '../base/math.ts';
import { pose } from '../base/math.ts';
import type { HandGesture } from './hand-gesture.ts';
import { handGesture } from './hand-gesture.ts';

/** The most poses in the trail of one tick. */
export const TRAIL_LENGTH = 8;

/**
 * The poses at which a device saw the hand since the last tick, oldest first. The last is the present one, or the one
 * at which the hand opened. They are used for the hand's velocity alone. Empty if the device has no time stamps.
 */
export type HandTrail = {
  count: number;
  /** For each pose, ticks before the moment of the sample (see PlayerInput.age); below 0 for a later pose. */
  readonly before: Float64Array;
  readonly poses: readonly Pose[];
  /**
   * True if no velocity comes of what was before the first pose: a teleport or a turn by stick moved the hand there,
   * or the poses are those of a throw that the device has worked out.
   */
  broken: boolean;
};

/**
 * One hand in one tick, from any device: a controller, a tracked hand, a mouse, a finger, a script. Nothing after this
 * knows which it was.
 */
export type HandInput = HandGesture & {
  /** True while the hand works a panel: it selects and grabs no body meanwhile. */
  busy: boolean;
  /** In the world, in metres; the index finger points along -z of the rotation. */
  readonly pose: Pose;
  /** Thumbstick, -1 to 1: y moves a held body out and in, x turns it. */
  readonly stick: { x: number; y: number };
  /** True while a controller's second button, or Shift on a keyboard, is down: stick x turns about the other axis. */
  tilt: boolean;
  readonly trail: HandTrail;
};

/** One player's head, hands and voice in one tick. */
export type PlayerInput = {
  readonly head: Pose;
  readonly hands: readonly [HandInput, HandInput];
  /** [T1] Ticks from the moment of sampling to the physics tick that uses it, 0 to 15. */
  age: number;
  /** Loudness of the voice, 0 to 1. */
  voice: number;
};

/** A new input of an open hand that is not tracked. */
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

/** A new input of a silent player without tracked hands. */
export function playerInput(): PlayerInput {
  return { head: pose(), hands: [handInput(), handInput()], age: 0, voice: 0 };
}
