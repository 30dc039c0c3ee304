import type { Slot } from '../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../core/base/ids.ts';
import { TICK_MS } from '../core/base/constants.ts';
import type { Pose, ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import {
  copyPose,
  copyVector,
  fromAxisAngle,
  multiply,
  pose,
  quaternion,
  vector,
} from '../core/base/math.ts';
import type { HandInput, PlayerInput } from '../core/hands/hand-input.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';
import type { Choice } from './desk/choose-body.ts';
import { chooseBody, holdingOut, nearestFriend } from './desk/choose-body.ts';
import { DeskPointer, POINTER_REACH } from './desk/desk-pointer.ts';
import { DeskThrow } from './desk/desk-throw.ts';
import type { DeskKey } from './desk/desk-walk.ts';
import { axis, DeskWalk } from './desk/desk-walk.ts';
import type { Place } from './desk/flick.ts';
import { HandButton } from './desk/hand-button.ts';
import { HandTrailKeeper } from './hand-trail.ts';
import { ReachWheel } from './desk/reach-wheel.ts';

/** Where a player stands at first: metres, and radians to the left and upwards from -z. */
export type DeskStart = { readonly position: ReadonlyVector; readonly yaw: number; readonly pitch: number };

/** Seconds: a longer gap between frames is a stall, and must not become one long step. */
export const LONGEST_STEP = 0.1;
/** Radians: the pointer's ray is at most this steep, because a vertical hand has no defined "up". */
const STEEPEST_RAY = (88 * Math.PI) / 180;
/** The push of the stick by the keys that move a held body: 2 m/s. */
const KEY_REACH = 0.5;
/** The largest value of PlayerInput.age, in ticks. */
export const OLDEST_SAMPLE = 15;

const UP = vector(0, 1, 0);
const SIDE = vector(1, 0, 0);

/**
 * One player at a desk, independent of the DOM: it gets plain events and gives a PlayerInput. The right hand
 * is on the pointer's ray, half a metre from the eye, and points along it, so it takes exactly the body under
 * the pointer. The left hand is absent. While only keys are used, the hand is at the centre of the view, or on
 * the body that a key has chosen.
 */
export class DeskPlayer {
  /** The result of the last `sample`. */
  readonly input: PlayerInput = playerInput();
  readonly #camera: Pose = pose();
  readonly #hand: HandInput = this.input.hands[RIGHT];
  readonly #drawn: PlayerInput = playerInput();
  readonly #handPose: Pose = pose();
  readonly #trail = new HandTrailKeeper();
  readonly #throw = new DeskThrow();
  readonly #wheel = new ReachWheel();
  readonly #walk: DeskWalk;
  readonly #pointed = new DeskPointer();
  /** The hand has opened since the last tick: its later movement does not belong to the throw. */
  #opened = false;
  readonly #cameraBefore: Pose = pose();
  readonly #keys = new Set<DeskKey>();
  readonly #grip = new HandButton();
  readonly #trigger = new HandButton();
  /** The state of the grip. A closed hand is known to be full or empty only after a tick and a picture. */
  #grasp: 'open' | 'closing' | 'closed' | 'full' | 'empty' = 'open';
  readonly #yawTurn = quaternion();
  readonly #pitchTurn = quaternion();
  #pointer: 'absent' | 'here' | 'leaving' = 'absent';
  #keysLead = false;
  #misses = 0;
  #threw = false;
  #frameAt = Number.NaN;

  constructor(start: DeskStart) {
    this.#walk = new DeskWalk(start.yaw, start.pitch);
    this.goTo(start);
  }

  /** Stands at a place from now on; a body in the hand comes along. */
  goTo({ position, yaw, pitch }: DeskStart): void {
    copyVector(position, this.#camera.position);
    this.#walk.stand(yaw, pitch);
    this.#trail.cut();
    this.#place();
  }

  /** The eye: the pane's camera, and the head that other players see. */
  get camera(): ReadonlyPose {
    return this.#camera;
  }

  /** True while keys move the hand, and no pointer does. */
  get keysLead(): boolean {
    return this.#keysLead;
  }

  /** True while the hand is closed and has taken nothing: a pointer that is dragged looks around. */
  get isEmptyHanded(): boolean {
    return this.#grasp === 'empty';
  }

  /** How often a key has closed the hand on nothing. */
  get misses(): number {
    return this.#misses;
  }

  /** True if the hand opened with a throw when it opened last. */
  get threw(): boolean {
    return this.#threw;
  }

  /** Where the hand points in the pane. */
  get pointer(): Place {
    return this.#pointed.at;
  }

  /** True if the hand held a body in the last picture. */
  get holds(): boolean {
    return this.#throw.holds;
  }

  /**
   * Sets the camera's lens.
   * @param fieldOfView vertical, in radians.
   * @param aspect width divided by height.
   */
  setLens(fieldOfView: number, aspect: number): void {
    this.#pointed.lens.tangent = Math.tan(fieldOfView / 2);
    this.#pointed.lens.aspect = aspect;
  }

  /**
   * Tells what the player saw in this frame: by it the hand knows what it holds, and whom a throw may be for.
   * @param view kept until the next call; null for a viewer that is no player.
   */
  see(view: PeerView | null): void {
    this.#throw.see(view);
    const hand = view === null || view.self < 0 ? null : view.avatars[view.self].hands[RIGHT];
    if (this.#grasp === 'open' || (this.#grasp === 'closing' && hand !== null)) return;
    if (hand !== null && (hand.held !== NO_BODY || hand.reach !== NO_BODY)) this.#grasp = 'full';
    else if (this.#grasp !== 'full') this.#grasp = 'empty';
    if (this.#grasp !== 'empty' || !this.#keysLead) return;
    this.#misses++;
    this.grip(false);
  }

  /**
   * Moves the pointer to (x, y) of the pane, from -1 at its lower left corner to 1 at its upper right one.
   * @param timeMs the moment of the movement, on the clock of `beginFrame`; by default the next frame.
   */
  point(x: number, y: number, timeMs = Number.NaN): void {
    this.#keysLead = false;
    this.#pointed.move(x, y);
    this.#pointer = 'here';
    if (this.#opened || Number.isNaN(timeMs)) return;
    // A flick may well end beyond the edge.
    this.#throw.path.add(timeMs, x, y);
    this.#pointed.keep(timeMs);
  }

  /** Closes or opens the hand. If it opens while the pointer moves fast, it throws: see DeskThrow. */
  grip(down: boolean): void {
    if (down) this.#throw.begin();
    else if (this.#grip.down) this.#throw.release(this.#pointed.lens.aspect);
    this.#grip.press(down);
    this.#opened = !down;
    this.#grasp = down ? 'closing' : 'open';
  }

  key(key: DeskKey, down: boolean): void {
    if (down) this.#keys.add(key);
    else this.#keys.delete(key);
    if (key === 'trigger') this.#trigger.press(down);
    if (down && key.startsWith('look') && this.#pointer === 'absent') this.#leadByKeys();
    if (key !== 'throw') return;
    if (down) this.#throw.charge(this.#frameAt);
    else if (this.#throw.isCharging)
      this.#open(() => this.#throw.throwCharged(this.#frameAt, this.#pointed.at));
  }

  /** The key that takes the body before the hand, or puts the held one down. */
  toggleGrip(): void {
    if (this.#grip.down) this.#open(() => this.#throw.forget());
    else {
      this.#leadByKeys();
      this.grip(true);
    }
  }

  /**
   * Moves the hand to the next body in view. Does nothing while the hand is closed.
   * @param step 1 to the right, -1 to the left.
   * @returns that body, or null.
   */
  choose(step: 1 | -1): Choice | null {
    const { view } = this.#throw;
    if (view === null || this.#grip.down) return null;
    const { lens, at } = this.#pointed;
    const choice = chooseBody(view, this.#camera, lens, at, step);
    this.#leadByKeys();
    if (choice !== null) this.#pointed.move(choice.x, choice.y);
    return choice;
  }

  /**
   * Turns to the nearest friend, and holds the held body out to it. A pointer stays on the body.
   * @returns the friend; null if nobody is there or nothing is held.
   */
  holdOut(): Slot | null {
    const { view } = this.#throw;
    const friend = view === null || !this.holds ? null : nearestFriend(view, this.#camera);
    if (friend === null) return null;
    if (this.#pointer !== 'here') this.#leadByKeys();
    else if (this.#keysLead) this.#pointed.move(0, 0);
    const { yaw, pitch, reach } = holdingOut(friend, this.#camera.position, this.#pointed);
    this.#walk.lookTo(yaw, pitch);
    this.#wheel.move(reach - this.#throw.reach);
    return friend.slot;
  }

  /**
   * Walks by a stick, in addition to the keys. Half a push gives half the speed. It holds until the next
   * call.
   * @param right -1 to 1.
   * @param forward -1 to 1.
   */
  walk(right: number, forward: number): void {
    this.#walk.push(right, forward);
  }

  /** Moves the wheel by notches away from the player: a held body moves along the hand's ray. */
  wheel(notches: number): void {
    this.#wheel.turn(notches, this.holds ? this.#throw.reach : Number.NaN);
  }

  /** Turns the head to where this start looks, in a moment; a player that turns by itself ends it. */
  turnTo({ yaw, pitch }: DeskStart): void {
    this.#walk.lookTo(yaw, pitch);
  }

  /** Turns the head by radians to the left and upwards. */
  look(left: number, up: number): void {
    this.#walk.look(left, up);
  }

  /** Turns the head as if what is seen at one place of the pane was dragged to another one. */
  dragWorld(from: Place, to: Place): void {
    const { left, up } = this.#pointed.turnBetween(from, to, this.#walk.pitch);
    this.look(left, up);
  }

  /** The same as `look`, by dragging empty space: the hand opens. */
  dragView(left: number, up: number): void {
    this.#grip.press(false);
    this.look(left, up);
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
    this.#trigger.press(false);
    this.#throw.forget();
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
    this.#grasp = 'open';
    this.#wheel.stop();
    this.#throw.forget();
    this.#grip.drop();
    this.#trigger.drop();
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
    this.#walk.step(this.#keys, seconds, this.#camera.position);
    this.#place();
    this.#pointed.trace(before, now, this.#cameraBefore, this.#camera, this.#trail);
    if (!this.#opened) this.#trail.add(now, this.#handPose);
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
    const wasClosed = hand.grip === 1;
    hand.grip = this.#grip.take();
    hand.trigger = this.#trigger.take();
    hand.stick.x = axis(this.#keys, 'turnRight', 'turnLeft');
    const byKey = axis(this.#keys, 'further', 'nearer');
    hand.stick.y = byKey === 0 ? this.#wheel.take() : byKey * KEY_REACH;
    hand.tilt = this.#keys.has('shift');
    hand.tracked = this.#pointer !== 'absent';
    hand.pointing = hand.tracked && hand.grip === 0;
    if (this.#pointer === 'leaving' && hand.grip === 0) this.#pointer = 'absent';
    if (this.#grasp === 'closing' && hand.grip === 1) this.#grasp = 'closed';
    const age = (tickTime - this.#frameAt) / TICK_MS;
    this.input.age = age > 0 ? Math.min(age, OLDEST_SAMPLE) : 0;
    this.#trail.write(tickTime, this.input.age, hand.trail);
    if (hand.grip === 0) {
      const aim = { eye: this.#camera.position, hand: hand.pose, rayTo: this.#rayTo };
      const threw = this.#throw.writeTrail(aim, hand.trail);
      if (wasClosed) this.#threw = threw;
      this.#opened = false;
    }
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

  /**
   * Fills `points` (x, y, z of each, in the world) with the way of the held body if the hand opened in this frame.
   * @returns false if it would not be thrown; `points` mean nothing then.
   */
  traceThrow(points: Float32Array): boolean {
    const { lens, at } = this.#pointed;
    const eye = this.#camera.position;
    const aim = { eye, hand: this.#handPose, rayTo: this.#rayTo };
    return this.#grip.down && this.#throw.trace(this.#frameAt, lens.aspect, at, aim, points);
  }

  #leadByKeys(): void {
    if (this.#pointer !== 'here') this.#pointed.move(0, 0);
    this.#pointer = 'here';
    this.#keysLead = true;
  }

  /** Opens the hand by a key; `decide` says whether that is a throw. */
  #open(decide: () => void): void {
    this.grip(false);
    decide();
  }

  #place(): void {
    const steepest = STEEPEST_RAY - Math.atan(this.#pointed.lens.tangent * POINTER_REACH);
    this.#walk.pitch = clamp(this.#walk.pitch, -steepest, steepest);
    fromAxisAngle(UP, this.#walk.yaw, this.#yawTurn);
    fromAxisAngle(SIDE, this.#walk.pitch, this.#pitchTurn);
    multiply(this.#yawTurn, this.#pitchTurn, this.#camera.rotation);
    this.#pointed.reach(this.#camera, this.#pointed.at, this.#handPose);
  }

  /** Returns where the hand would be for a place of the pointer; valid until the next call. */
  readonly #rayTo = (place: Place): ReadonlyVector =>
    this.#pointed.reach(this.#camera, place, handThen).position;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

const handThen = pose();
