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
import { fingerState, JOINT_COUNT, JOINT_NUMBERS, readFingers, readPalm } from './fingers.ts';
import type { HandControls } from './hand-controls.ts';
import { clearControls, handControls, readController } from './hand-controls.ts';
import { pulsePad } from './haptics.ts';

/** The device of a hand; 'hand' is a bare hand. */
export type HandDevice = 'none' | 'controller' | 'hand';

/**
 * Milliseconds for which an unseen hand keeps its state, so that a hand hidden by the other one drops
 * nothing.
 */
const HIDDEN_MS = 150;
/**
 * Milliseconds for which a position may be guessed by a device that can measure it: longer than an arm swings
 * back for a throw. A device that has only ever guessed can't do better, so its positions count.
 */
const GUESSED_MS = 2000;

/** From WebXR's hand module; its typings do not have it yet. */
type JointFrame = XRFrame & {
  readonly fillPoses?: (spaces: readonly XRSpace[], base: XRSpace, transforms: Float32Array) => boolean;
};

/** Reads one hand of a player from WebXR, frame by frame, in the reference space. */
export class HandReader {
  device: HandDevice = 'none';
  /** The hand's pose; it points along -z. It keeps the last seen pose. */
  readonly pose: Pose = pose();
  readonly controls: HandControls = handControls();
  /** The joints of a tracked hand, as last seen. */
  readonly joints = new Float32Array(JOINT_NUMBERS);
  readonly #filled = new Float32Array(JOINT_NUMBERS);
  readonly #fingers = fingerState();
  /** The rotation from the palm to the ray of a tracked hand, for frames without a ray. */
  readonly #aim: Quaternion = quaternion();
  #pad: Gamepad | undefined;
  #hand: XRHand | undefined;
  #spaces: readonly XRJointSpace[] = [];
  #source: XRInputSource | undefined;
  #measuredAt = Number.NaN;
  #seen = false;
  #seenAt = Number.NaN;

  /** Call it once per frame, before any `read`. */
  begin(): void {
    this.#seen = false;
  }

  /**
   * Reads a source of this hand; the first tracked one counts.
   * @param now in milliseconds.
   */
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

  /**
   * Call it once per frame, after all `read`s.
   * @param now in milliseconds.
   */
  end(now: number): void {
    if (this.#seen || now - this.#seenAt <= HIDDEN_MS) return;
    this.device = 'none';
    this.#pad = undefined;
    this.#fingers.pinched = false;
    this.#fingers.clenched = false;
    this.#fingers.tapped = false;
    clearControls(this.controls);
  }

  /**
   * Gives the hand a pulse.
   * @param strength 0 to 1.
   * @param ms duration in milliseconds.
   */
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

  /** Returns whether the position has only been guessed for a long time. */
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

  /**
   * The browser's ray is steadier than the palm. Without a ray, the palm's rotation goes on from the last
   * ray.
   */
  #turnToRay(ray: XRPose | undefined): void {
    const { rotation } = this.pose;
    if (ray && isFinitePose(ray.transform)) {
      conjugate(rotation, this.#aim);
      readRotation(ray.transform, rotation);
      multiply(this.#aim, rotation, this.#aim);
    } else normalize(multiply(rotation, this.#aim, rotation), rotation);
  }
}

/** Reads a pose from WebXR. Returns false if it is not a valid pose; `out` is unchanged then. */
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
