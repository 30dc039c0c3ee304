import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT, RIGHT } from '../../core/base/ids.ts';
import { TICK_MS } from '../../core/base/constants.ts';
import type { ReadonlyPose } from '../../core/base/math.ts';
import { composePose, pose, setVector } from '../../core/base/math.ts';
import { copyFingers } from '../../core/hands/hand-gesture.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { DeskStart } from '../desk-player.ts';
import { LONGEST_STEP, OLDEST_SAMPLE } from '../desk-player.ts';
import { HandTrailKeeper } from '../hand-trail.ts';
import { JOINT_NUMBERS, moveJoints } from './fingers.ts';
import type { HeadsetButton } from './hand-controls.ts';
import { HEADSET_BUTTONS, pastDeadZone } from './hand-controls.ts';
import type { Comfort } from './comfort.ts';
import { STANDING } from './comfort.ts';
import type { HandDevice } from './hand-reader.ts';
import { HandReader, readPose } from './hand-reader.ts';
import type { FreeStick } from './locomotion.ts';
import { Locomotion } from './locomotion.ts';
import type { TeleportAim } from './teleport.ts';

/**
 * A hand's buttons in the last frame: the device that they were read from, which are down, and which have just been
 * pressed.
 */
type Presses = {
  of: HandDevice;
  readonly down: Record<HeadsetButton, boolean>;
  readonly fresh: Record<HeadsetButton, boolean>;
};

/** The surroundings of a player, as of the last tick. */
export type Around = {
  /** For each hand, whether there is a body that it would take. */
  readonly finds: readonly [boolean, boolean];
  /** The player sees its real room. */
  readonly seesRealFloor: boolean;
};

const NOTHING_AROUND: Around = { finds: [false, false], seesRealFloor: false };

/** One player in a headset: it gets WebXR frames and gives a PlayerInput. */
export class HeadsetPlayer {
  /** The device of each hand; 'none' if nothing is tracked. */
  readonly devices: readonly [HandDevice, HandDevice];
  /**
   * The joints of each hand in the world, for drawing: 25 column-major matrices in WebXR's order. Valid if
   * `devices` has 'hand'.
   */
  readonly joints = [new Float32Array(JOINT_NUMBERS), new Float32Array(JOINT_NUMBERS)] as const;
  readonly #devices: [HandDevice, HandDevice] = ['none', 'none'];
  readonly #locomotion: Locomotion;
  readonly #readers = [new HandReader(), new HandReader()] as const;
  readonly #sticks = [freeStick(this.#readers[LEFT].pose), freeStick(this.#readers[RIGHT].pose)] as const;
  readonly #presses = [presses(), presses()] as const;
  readonly #trails = [new HandTrailKeeper(), new HandTrailKeeper()] as const;
  /** In the reference space. */
  readonly #head = pose();
  readonly #input = playerInput();
  #frameAt = Number.NaN;
  /** Null once the head is there. */
  #start: Pick<DeskStart, 'position' | 'yaw'> | null;

  /** @param start the head's place in the world and its direction, from the first frame that has the head's pose. */
  constructor(start: Pick<DeskStart, 'position' | 'yaw'>) {
    this.#start = start;
    this.devices = this.#devices;
    this.#locomotion = new Locomotion(start);
    // Until the headset has given a pose.
    setVector(this.#head.position, 0, STANDING, 0);
    composePose(this.rig, this.#head, this.#input.head);
  }

  /** Brings the head to a place in the world, at its own height, so that it looks in the direction of `yaw`. */
  goTo(start: Pick<DeskStart, 'position' | 'yaw'>): void {
    this.#locomotion.goTo(start, this.#head);
    for (const trail of this.#trails) trail.cut();
  }

  /** From the reference space to the world: upright, with its origin on the floor. */
  get rig(): ReadonlyPose {
    return this.#locomotion.rig;
  }

  /** The place to which the player is about to jump. */
  get teleport(): Readonly<TeleportAim> {
    return this.#locomotion.aim;
  }

  /** How often a stick has turned the player. */
  get turned(): number {
    return this.#locomotion.turned;
  }

  /** Whether the picture's edge should be dark in this frame: a stick walks or turns the player smoothly. */
  get darkens(): boolean {
    return this.#locomotion.glides && this.#locomotion.comfort.vignette;
  }

  /** May be set at any time. */
  get comfort(): Comfort {
    return this.#locomotion.comfort;
  }

  set comfort(comfort: Comfort) {
    this.#locomotion.comfort = comfort;
  }

  /**
   * [T1] Reads a frame; call it once per frame, before its ticks.
   * @param nowMs the frame's time in milliseconds, on the clock of `sample`.
   * @param space the reference space; its origin is on the real floor.
   * @param sources a source without handedness counts as the right hand.
   * @param held whether the left and the right hand hold a body; the stick of such a hand moves the body.
   * @param around what else the player's moves depend on.
   */
  beginFrame(
    nowMs: number,
    frame: XRFrame,
    space: XRReferenceSpace,
    sources: Iterable<XRInputSource>,
    held: readonly [boolean, boolean],
    around: Around = NOTHING_AROUND,
  ): void {
    const seconds = (nowMs - this.#frameAt) / 1000;
    this.#frameAt = nowMs;
    const viewer = frame.getViewerPose(space);
    if (viewer && readPose(viewer.transform, this.#head)) this.#find(around);
    for (const reader of this.#readers) reader.begin();
    for (const source of sources) {
      this.#readers[source.handedness === 'left' ? LEFT : RIGHT].read(nowMs, frame, space, source);
    }
    for (const side of HAND_SIDES) {
      this.#readers[side].end(nowMs);
      this.#press(side, held[side], around.finds[side]);
    }
    const { jumped } = this.#locomotion;
    this.#locomotion.update(seconds > 0 ? Math.min(seconds, LONGEST_STEP) : 0, this.#head, this.#sticks);
    if (this.#locomotion.jumped !== jumped) for (const trail of this.#trails) trail.cut();
    composePose(this.rig, this.#head, this.#input.head);
    for (const side of HAND_SIDES) this.#place(side, held[side]);
  }

  /**
   * Returns the input for the physics tick that is due at `tickTimeMs`, on the clock of `beginFrame`. Call it
   * once per tick, because the hands' trails contain the frames since the last tick. The result is
   * overwritten by the next call.
   */
  sample(tickTimeMs: number): PlayerInput {
    const age = (tickTimeMs - this.#frameAt) / TICK_MS;
    this.#input.age = age > 0 ? Math.min(age, OLDEST_SAMPLE) : 0;
    for (const side of HAND_SIDES) {
      this.#trails[side].write(tickTimeMs, this.#input.age, this.#input.hands[side].trail);
    }
    return this.#input;
  }

  /** [T5] Returns head and hands of this frame, for drawing. Valid until the next frame. */
  drawn(): PlayerInput {
    return this.#input;
  }

  /**
   * Returns whether a button of a hand was pressed in this frame. 'lower' is A or X, or a bare hand's thumb on its middle
   * finger; it is not reported while the hand holds a body, because it tilts that body. 'upper' is B or Y.
   */
  pressed(side: HandSide, button: HeadsetButton): boolean {
    return this.#presses[side].fresh[button];
  }

  /**
   * Gives a hand a pulse, if its device can.
   * @param strength 0 to 1.
   * @param ms duration in milliseconds.
   */
  pulse(side: HandSide, strength: number, ms: number): void {
    this.#readers[side].pulse(strength, ms);
  }

  /** The head's place is known. */
  #find({ seesRealFloor }: Around): void {
    // Nobody stands just in the middle of the real floor when the headset is put on.
    if (this.#start !== null) this.#locomotion.goTo(this.#start, this.#head);
    this.#start = null;
    this.#locomotion.sit(this.#head, !seesRealFloor);
  }

  #press(side: HandSide, held: boolean, finds: boolean): void {
    const { device, controls } = this.#readers[side];
    const buttons = this.#presses[side];
    for (const button of HEADSET_BUTTONS) {
      const isDown = controls.down[button];
      // If a controller is picked up with a button down, that is not a press.
      const counts = device !== 'none' && buttons.of === device && !(held && button === 'lower');
      buttons.fresh[button] = counts && isDown && !buttons.down[button];
      buttons.down[button] = isDown;
    }
    buttons.of = device;
    const stick = this.#sticks[side];
    stick.free = device !== 'none' && !held;
    stick.pinch = controls.pinch;
    // `busy` is from the last frame: a panel has used the hand.
    stick.finds = finds || this.#input.hands[side].busy;
    stick.right = controls.right;
    stick.forward = controls.forward;
  }

  #place(side: HandSide, held: boolean): void {
    const { device, controls, joints, pose: local } = this.#readers[side];
    this.#devices[side] = device;
    const hand = this.#input.hands[side];
    hand.tracked = device !== 'none';
    hand.busy = false;
    composePose(this.rig, local, hand.pose);
    if (hand.tracked) this.#trails[side].add(this.#frameAt, hand.pose);
    copyFingers(controls, hand);
    if (this.#locomotion.aimsByPinch(side)) {
      hand.busy = true;
      hand.grip = hand.trigger = 0;
    }
    hand.stick.x = held ? pastDeadZone(controls.right) : 0;
    hand.stick.y = held ? pastDeadZone(controls.forward) : 0;
    hand.tilt = held && controls.down.lower;
    if (device === 'hand') moveJoints(this.rig, joints, this.joints[side]);
  }
}

function presses(): Presses {
  return {
    of: 'none',
    down: { lower: false, upper: false, stick: false },
    fresh: { lower: false, upper: false, stick: false },
  };
}

function freeStick(ray: ReadonlyPose): FreeStick {
  return { free: false, pinch: 0, finds: false, right: 0, forward: 0, ray };
}
