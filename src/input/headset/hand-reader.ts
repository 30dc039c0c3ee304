import type { Pose, Quaternion } from '../../core/base/math.ts';
import {
  conjugate,
  multiply,
  normalize,
  pose,
  quaternion,
  setQuaternion,
  setVector,
} from '../../core/base/math.ts';
import type { FingerState } from './fingers.ts';
import { JOINT_COUNT, JOINT_NUMBERS, readFingers, readPalm } from './fingers.ts';
import type { HandControls } from './hand-controls.ts';
import { clearControls, handControls, readController } from './hand-controls.ts';
import { pulsePad } from './haptics.ts';

/** What a player has in a hand, or as one. */
export type HandDevice = 'none' | 'controller' | 'hand';

/** Milliseconds for which a hand that is not seen stays as it was: one hidden by the other drops nothing. */
const HIDDEN_MS = 150;
/**
 * Milliseconds for which a position may be guessed, by a device that can measure it: longer than an arm swings
 * back for a throw. One that has only ever guessed can't do better, and counts.
 */
const GUESSED_MS = 2000;

/** Of WebXR's hand module, and not in its typings yet. */
type JointFrame = XRFrame & {
  readonly fillPoses?: (spaces: readonly XRSpace[], base: XRSpace, transforms: Float32Array) => boolean;
};

/** One hand of a player: what WebXR says of it, frame by frame, in the reference space. */
export class HandReader {
  device: HandDevice = 'none';
  /** Where the hand is, and points along -z; as last seen. */
  readonly pose: Pose = pose();
  readonly controls: HandControls = handControls();
  /** The joints of a tracked hand, as last seen. */
  readonly joints = new Float32Array(JOINT_NUMBERS);
  readonly #filled = new Float32Array(JOINT_NUMBERS);
  readonly #fingers: FingerState = { pinched: false, clenched: false };
  /** From the palm to the ray of a tracked hand, for when its ray is lost. */
  readonly #aim: Quaternion = quaternion();
  #pad: Gamepad | undefined;
  #hand: XRHand | undefined;
  #spaces: readonly XRJointSpace[] = [];
  #source: XRInputSource | undefined;
  #measuredAt = Number.NaN;
  #seen = false;
  #seenAt = Number.NaN;

  /** To be called once for each frame, before any `read`. */
  begin(): void {
    this.#seen = false;
  }

  /** Reads a source that is this hand; the first one that is tracked counts. `now` in milliseconds. */
  read(now: number, frame: XRFrame, space: XRSpace, source: XRInputSource): void {
    if (this.#seen || source.targetRayMode !== 'tracked-pointer') return;
    const device = source.hand ? 'hand' : 'controller';
    const read = source.hand
      ? this.#readHand(frame, space, source, source.hand)
      : this.#readController(now, frame, space, source);
    if (!read) return;
    this.device = device;
    this.#pad = source.gamepad;
    this.#seen = true;
    this.#seenAt = now;
  }

  /** To be called once for each frame, after all `read`s. */
  end(now: number): void {
    if (this.#seen || now - this.#seenAt <= HIDDEN_MS) return;
    this.device = 'none';
    this.#pad = undefined;
    this.#fingers.pinched = false;
    this.#fingers.clenched = false;
    clearControls(this.controls);
  }

  /** `strength` 0 to 1, `ms` in milliseconds. */
  pulse(strength: number, ms: number): void {
    if (this.#pad !== undefined) pulsePad(this.#pad, strength, ms);
  }

  #readController(now: number, frame: XRFrame, space: XRSpace, source: XRInputSource): boolean {
    const ray = frame.getPose(source.targetRaySpace, space);
    const grip = source.gripSpace ? frame.getPose(source.gripSpace, space) : ray;
    if (!ray || !grip || this.#isLost(now, source, grip.emulatedPosition)) return false;
    if (!isFinitePose(ray.transform) || !isFinitePose(grip.transform)) return false;
    const { x, y, z } = grip.transform.position;
    setVector(this.pose.position, x, y, z);
    readRotation(ray.transform, this.pose.rotation);
    if (source.gamepad) readController(source.gamepad, this.controls);
    else clearControls(this.controls);
    return true;
  }

  /** Whether a position is no better than a guess, and has been for long. */
  #isLost(now: number, source: XRInputSource, guessed: boolean): boolean {
    if (source !== this.#source) this.#measuredAt = Number.NaN;
    this.#source = source;
    if (!guessed) this.#measuredAt = now;
    return now - this.#measuredAt > GUESSED_MS;
  }

  #readHand(frame: JointFrame, space: XRSpace, source: XRInputSource, hand: XRHand): boolean {
    if (hand !== this.#hand) {
      this.#hand = hand;
      this.#spaces = [...hand.values()];
    }
    if (this.#spaces.length !== JOINT_COUNT || frame.fillPoses === undefined) return false;
    if (!frame.fillPoses(this.#spaces, space, this.#filled) || !areFinite(this.#filled)) return false;
    this.joints.set(this.#filled);
    readFingers(this.joints, this.#fingers, this.controls);
    readPalm(this.joints, this.pose);
    this.#turnToRay(frame.getPose(source.targetRaySpace, space));
    return true;
  }

  /** The browser's ray is steadier than the palm. When it is lost, the palm turns it on from where it was. */
  #turnToRay(ray: XRPose | undefined): void {
    const { rotation } = this.pose;
    if (ray && isFinitePose(ray.transform)) {
      conjugate(rotation, this.#aim);
      readRotation(ray.transform, rotation);
      multiply(this.#aim, rotation, this.#aim);
    } else normalize(multiply(rotation, this.#aim, rotation), rotation);
  }
}

/** Reads a pose as WebXR gives it; false, and `out` as it was, where it is no pose. */
export function readPose(transform: XRRigidTransform, out: Pose): boolean {
  if (!isFinitePose(transform)) return false;
  const { x, y, z } = transform.position;
  setVector(out.position, x, y, z);
  readRotation(transform, out.rotation);
  return true;
}

function readRotation({ orientation }: XRRigidTransform, out: Quaternion): void {
  normalize(setQuaternion(out, orientation.x, orientation.y, orientation.z, orientation.w), out);
}

function isFinitePose({ position, orientation }: XRRigidTransform): boolean {
  const sum = position.x + position.y + position.z;
  return Number.isFinite(sum + orientation.x + orientation.y + orientation.z + orientation.w);
}

function areFinite(numbers: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i];
  return Number.isFinite(sum);
}
