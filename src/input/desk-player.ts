import { RIGHT } from '../core/base/ids.ts';
import { TICK_MS, TICK_SECONDS } from '../core/base/constants.ts';
import type { Pose, ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import {
  addScaled,
  copyPose,
  copyVector,
  fromAxisAngle,
  length,
  lerpPose,
  lookAt,
  multiply,
  pose,
  quaternion,
  rotate,
  setVector,
  vector,
} from '../core/base/math.ts';
import type { HandInput, PlayerInput } from '../core/hands/hand-input.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import { HandTrailKeeper } from './hand-trail.ts';

/** The keys of a player. `shift` makes walking faster, and makes the turn keys tilt. */
export type DeskKey =
  'forward' | 'back' | 'left' | 'right' | 'up' | 'down' | 'turnLeft' | 'turnRight' | 'trigger' | 'shift';

/** Where a player stands at first: metres, and radians to the left and upwards from -z. */
export type DeskStart = { readonly position: ReadonlyVector; readonly yaw: number; readonly pitch: number };

/** Metres from the eye to the hand: within reach, and far enough not to cover the view. */
export const HAND_DISTANCE = 0.5;
/** Metres that a held body moves for one notch of the wheel. */
export const METRES_PER_NOTCH = 0.25;
/**
 * How far a captured pointer moves the hand, in units of half a pane: beyond the edge of 1, so that throws do
 * not stop there.
 */
const POINTER_REACH = 1.25;

/** Metres per second. */
const WALK_SPEED = 2.5;
const RUN_SPEED = 6;
/** Seconds in which walking reaches 63 % of a new speed, so that the view starts and stops softly. */
const WALK_EASE = 0.06;
/** Seconds: a longer gap between frames is a stall, and must not become one long step. */
export const LONGEST_STEP = 0.1;
/** Metres: the area in which the eye stays. */
export const EYE_ACROSS = 40;
const EYE_LOW = 0.3;
const EYE_HIGH = 20;
/** Radians: the pointer's ray is at most this steep, because a vertical hand has no defined "up". */
const STEEPEST_RAY = (88 * Math.PI) / 180;

/** Metres per tick that a fully pushed stick moves a held body: 4 m/s. */
const STICK_STEP = 4 * TICK_SECONDS;
/** Most metres of wheel movement that may wait: a held body stops soon after the finger. */
const WHEEL_BACKLOG = 3;
/** The fraction of the waiting movement that one tick uses, and the metres that it uses at least. */
const WHEEL_SHARE = 0.3;
const WHEEL_LEAST = 0.02;
/** Metres: a smaller remainder is used at once, so that a tick never leaves less than the dead zone. */
const WHEEL_WHOLE = 0.03;
/** Metres: a smaller movement would be lost in a thumbstick's dead zone, so it waits. */
const WHEEL_DEAD = 0.01;
/** The largest value of PlayerInput.age, in ticks. */
export const OLDEST_SAMPLE = 15;

const eyeThen = pose();
const handThen = pose();
const UP = vector(0, 1, 0);
const SIDE = vector(1, 0, 0);

/**
 * Places of the pointer that are kept between two frames, the newest ones: enough for a throw on a slow
 * machine.
 */
const PLACES = 16;

/** `tapped` reports a button for one tick even if it was pressed and released between two ticks. */
type Button = { down: boolean; tapped: boolean };

/**
 * One player at a desk, independent of the DOM: it gets plain events and gives a PlayerInput. The right hand
 * is on the pointer's ray, half a metre from the eye, and points along it, so it takes exactly the body under
 * the pointer. The left hand is absent.
 */
export class DeskPlayer {
  /** The result of the last `sample`. */
  readonly input: PlayerInput = playerInput();
  readonly #camera: Pose = pose();
  readonly #hand: HandInput = this.input.hands[RIGHT];
  readonly #drawn: PlayerInput = playerInput();
  readonly #handPose: Pose = pose();
  readonly #trail = new HandTrailKeeper();
  /** The pointer's places since the last frame: milliseconds, and pane coordinates. */
  readonly #places = Array.from({ length: PLACES }, () => ({ time: 0, x: 0, y: 0 }));
  #placeCount = 0;
  /** The hand has opened since the last tick: its later movement does not belong to the throw. */
  #opened = false;
  readonly #cameraBefore: Pose = pose();
  readonly #keys = new Set<DeskKey>();
  readonly #grip: Button = { down: false, tapped: false };
  readonly #trigger: Button = { down: false, tapped: false };
  readonly #velocity = vector();
  readonly #wish = vector();
  readonly #yawTurn = quaternion();
  readonly #pitchTurn = quaternion();
  #yaw: number;
  #pitch: number;
  #tangent = Math.tan(Math.PI / 6);
  #aspect = 1;
  #pointerX = 0;
  #pointerY = 0;
  #pointer: 'absent' | 'here' | 'leaving' = 'absent';
  #wheel = 0;
  #stickRight = 0;
  #stickForward = 0;
  #frameAt = Number.NaN;

  constructor(start: DeskStart) {
    this.#yaw = start.yaw;
    this.#pitch = start.pitch;
    this.goTo(start);
  }

  /** Stands at a place from now on; a body in the hand comes along. */
  goTo({ position, yaw, pitch }: DeskStart): void {
    copyVector(position, this.#camera.position);
    setVector(this.#velocity, 0, 0, 0);
    this.#trail.cut();
    this.#yaw = yaw;
    this.#pitch = pitch;
    this.#place();
  }

  /** The eye: the pane's camera, and the head that other players see. */
  get camera(): ReadonlyPose {
    return this.#camera;
  }

  /**
   * Sets the camera's lens.
   * @param fieldOfView vertical, in radians.
   * @param aspect width divided by height.
   */
  setLens(fieldOfView: number, aspect: number): void {
    this.#tangent = Math.tan(fieldOfView / 2);
    this.#aspect = aspect;
  }

  /**
   * Moves the pointer to (x, y) of the pane, from -1 at its lower left corner to 1 at its upper right one.
   * @param timeMs the moment of the movement, on the clock of `beginFrame`; by default the next frame.
   */
  point(x: number, y: number, timeMs = Number.NaN): void {
    this.#pointerX = clamp(x, -POINTER_REACH, POINTER_REACH);
    this.#pointerY = clamp(y, -POINTER_REACH, POINTER_REACH);
    this.#pointer = 'here';
    if (this.#opened || Number.isNaN(timeMs)) return;
    const place = this.#places[this.#placeCount % PLACES];
    place.time = timeMs;
    place.x = this.#pointerX;
    place.y = this.#pointerY;
    this.#placeCount++;
  }

  grip(down: boolean): void {
    press(this.#grip, down);
    this.#opened = !down;
  }

  key(key: DeskKey, down: boolean): void {
    if (down) this.#keys.add(key);
    else this.#keys.delete(key);
    if (key === 'trigger') press(this.#trigger, down);
  }

  /**
   * Walks by a stick, in addition to the keys. Half a push gives half the speed. It holds until the next
   * call.
   * @param right -1 to 1.
   * @param forward -1 to 1.
   */
  walk(right: number, forward: number): void {
    this.#stickRight = clamp(right, -1, 1);
    this.#stickForward = clamp(forward, -1, 1);
  }

  /** Moves the wheel by notches away from the player. */
  wheel(notches: number): void {
    this.#wheel = clamp(this.#wheel + notches * METRES_PER_NOTCH, -WHEEL_BACKLOG, WHEEL_BACKLOG);
  }

  /** Turns the head by radians to the left and upwards. */
  look(left: number, up: number): void {
    this.#yaw = wrap(this.#yaw + left);
    this.#pitch += up;
  }

  /**
   * The pointer has left the pane: the hand opens while it still moves, and is absent from the next tick on.
   */
  leave(): void {
    this.grip(false);
    if (this.#pointer === 'here') this.#pointer = 'leaving';
  }

  /** Releases all keys: they act in another pane now. */
  releaseKeys(): void {
    this.#keys.clear();
    press(this.#trigger, false);
  }

  /** The device is lost: the hand drops its body, all keys are up, and the player stands. */
  letGo(): void {
    this.releaseKeys();
    this.walk(0, 0);
    this.drop();
  }

  /** The pointer is lost: the hand is absent at once, so it drops its body and does not throw it. */
  drop(): void {
    this.#pointer = 'absent';
    this.#wheel = 0;
    for (const button of [this.#grip, this.#trigger]) {
      button.down = false;
      button.tapped = false;
    }
  }

  /**
   * [T1] Walks, and reads the poses of head and hand for this frame.
   * @param now in milliseconds on any clock.
   */
  beginFrame(now: number): void {
    const before = this.#frameAt;
    const seconds = Number.isNaN(before) ? 0 : clamp((now - before) / 1000, 0, LONGEST_STEP);
    this.#frameAt = now;
    copyPose(this.#camera, this.#cameraBefore);
    this.#walk(seconds);
    this.#place();
    this.#trace(before, now);
  }

  /**
   * Returns the input for the physics tick that is due at `tickTime`, on the clock of `beginFrame`. Call it
   * once per tick, because it uses up the wheel's movement and the taps. The result is overwritten by the
   * next call.
   */
  sample(tickTime: number): PlayerInput {
    const hand = this.#hand;
    copyPose(this.#camera, this.input.head);
    copyPose(this.#handPose, hand.pose);
    hand.grip = take(this.#grip);
    hand.trigger = take(this.#trigger);
    hand.stick.x = Number(this.#keys.has('turnRight')) - Number(this.#keys.has('turnLeft'));
    hand.stick.y = this.#takeWheel();
    hand.tilt = this.#keys.has('shift');
    hand.tracked = this.#pointer !== 'absent';
    hand.pointing = hand.tracked && hand.grip === 0;
    if (this.#pointer === 'leaving' && hand.grip === 0) this.#pointer = 'absent';
    const age = (tickTime - this.#frameAt) / TICK_MS;
    this.input.age = age > 0 ? Math.min(age, OLDEST_SAMPLE) : 0;
    this.#trail.write(tickTime, this.input.age, hand.trail);
    if (hand.grip === 0) this.#opened = false;
    return this.input;
  }

  /**
   * [T5] Returns head and hand of this frame, for drawing; uses up nothing. The result is overwritten by the
   * next call.
   */
  drawn(): PlayerInput {
    const hand = this.#drawn.hands[RIGHT];
    copyPose(this.#camera, this.#drawn.head);
    copyPose(this.#handPose, hand.pose);
    hand.tracked = this.#pointer !== 'absent';
    hand.grip = this.#grip.down ? 1 : 0;
    hand.trigger = this.#trigger.down ? 1 : 0;
    hand.pointing = hand.tracked && hand.grip === 0;
    return this.#drawn;
  }

  #walk(seconds: number): void {
    const along = Number(this.#keys.has('back')) - Number(this.#keys.has('forward')) - this.#stickForward;
    const across = Number(this.#keys.has('right')) - Number(this.#keys.has('left')) + this.#stickRight;
    const rise = Number(this.#keys.has('up')) - Number(this.#keys.has('down'));
    const wish = setVector(this.#wish, across, rise, along);
    const size = Math.max(1, length(wish));
    const speed = this.#keys.has('shift') ? RUN_SPEED : WALK_SPEED;
    rotate(fromAxisAngle(UP, this.#yaw, this.#yawTurn), wish, wish);

    const eased = 1 - Math.exp(-seconds / WALK_EASE);
    addScaled(this.#velocity, this.#velocity, -eased, this.#velocity);
    addScaled(this.#velocity, wish, (eased * speed) / size, this.#velocity);

    const eye = this.#camera.position;
    addScaled(eye, this.#velocity, seconds, eye);
    eye.x = clamp(eye.x, -EYE_ACROSS, EYE_ACROSS);
    eye.y = clamp(eye.y, EYE_LOW, EYE_HIGH);
    eye.z = clamp(eye.z, -EYE_ACROSS, EYE_ACROSS);
  }

  #place(): void {
    const steepest = STEEPEST_RAY - Math.atan(this.#tangent * POINTER_REACH);
    this.#pitch = clamp(this.#pitch, -steepest, steepest);
    fromAxisAngle(UP, this.#yaw, this.#yawTurn);
    fromAxisAngle(SIDE, this.#pitch, this.#pitchTurn);
    multiply(this.#yawTurn, this.#pitchTurn, this.#camera.rotation);

    this.#reach(this.#camera, this.#pointerX, this.#pointerY, this.#handPose);
  }

  /** Writes the hand's pose for this eye and this place of the pointer. */
  #reach(eye: ReadonlyPose, pointerX: number, pointerY: number, hand: Pose): Pose {
    const x = pointerX * this.#tangent * this.#aspect;
    const y = pointerY * this.#tangent;
    const ray = rotate(eye.rotation, setVector(hand.position, x, y, -1), hand.position);
    addScaled(eye.position, ray, HAND_DISTANCE / length(ray), hand.position);
    lookAt(eye.position, hand.position, hand.rotation);
    return hand;
  }

  /**
   * Adds the hand's poses since the last frame to its trail, with the eye moving evenly, and its present
   * pose. An open hand gets none.
   */
  #trace(before: number, now: number): void {
    for (let i = Math.max(0, this.#placeCount - PLACES); i < this.#placeCount; i++) {
      const { time, x, y } = this.#places[i % PLACES];
      if (!(time > before && now > before)) continue;
      // An event may arrive while a frame begins.
      const then = Math.min(time, now);
      lerpPose(this.#cameraBefore, this.#camera, (then - before) / (now - before), eyeThen);
      this.#trail.add(then, this.#reach(eyeThen, x, y, handThen));
    }
    this.#placeCount = 0;
    if (!this.#opened) this.#trail.add(now, this.#handPose);
  }

  /**
   * Returns the stick's push for a tick. It is strong at first and then weaker, until the body has moved as
   * far as the wheel.
   */
  #takeWheel(): number {
    const waiting = Math.abs(this.#wheel);
    if (waiting < WHEEL_DEAD) return 0;
    const share = waiting > WHEEL_WHOLE ? Math.max(waiting * WHEEL_SHARE, WHEEL_LEAST) : waiting;
    const moved = Math.sign(this.#wheel) * Math.min(share, STICK_STEP);
    this.#wheel -= moved;
    return moved / STICK_STEP;
  }
}

function press(button: Button, down: boolean): void {
  button.down = down;
  if (down) button.tapped = true;
}

function take(button: Button): 0 | 1 {
  const heard = button.down || button.tapped;
  button.tapped = false;
  return heard ? 1 : 0;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Returns the same direction between -pi and pi. */
function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
