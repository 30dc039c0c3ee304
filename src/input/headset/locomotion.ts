import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT } from '../../core/base/ids.ts';
import type { Pose, ReadonlyPose, ReadonlyVector } from '../../core/base/math.ts';
import { composePose, fromAxisAngle, pose, rotate, setVector, vector } from '../../core/base/math.ts';
import type { DeskStart } from '../desk-player.ts';
import { EYE_ACROSS } from '../desk/desk-walk.ts';
import type { Comfort } from './comfort.ts';
import { STANDING, USUAL_COMFORT } from './comfort.ts';
import { pastDeadZone } from './hand-controls.ts';
import type { TeleportAim } from './teleport.ts';
import type { PinchingHand } from './pinch-aim.ts';
import { PinchAim } from './pinch-aim.ts';
import { aimAlong, teleportAim } from './teleport.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A controller's stick or a bare hand's pinch in one frame: it may move the player. */
export type FreeStick = Writable<PinchingHand> & {
  /** -1 to 1: to the right, and forward. */
  right: number;
  forward: number;
  /** The hand's pose in the reference space; it points along -z. */
  readonly ray: ReadonlyPose;
};

/** A stick counts as pushed above the first number, and as released below the second. */
const PUSHED = 0.7;
const LET_GO = 0.35;
/** Metres per second. */
const WALK_SPEED = 2;
/** Degrees per second. */
const TURN_SPEED = 110;
/** Metres: the eyes of a player who sits are raised by at most this. */
const MOST_RAISED = 0.9;
/** Metres along the floor: a pinch leads no shorter way. */
const SHORTEST = 0.5;

/**
 * The place of the real floor in the world. It moves by the player's stick or pinch at the floor, and by `goTo`.
 * Poses are in the reference space. Its origin is on the real floor.
 */
export class Locomotion {
  comfort: Comfort = USUAL_COMFORT;
  /** From the reference space to the world; upright, on the floor, or above it for a player who sits. */
  readonly rig: Pose = pose();
  readonly aim: TeleportAim = teleportAim();
  /** How often the player was turned. */
  turned = 0;
  /** How often the player was moved within one frame: turned or teleported. */
  jumped = 0;
  /** Whether a stick walked or turned the player smoothly in the last frame. */
  glides = false;
  readonly #pinches = [new PinchAim(), new PinchAim()] as const;
  #aimsByPinch = false;
  #isRaised = false;
  readonly #pushed: [boolean, boolean] = [false, false];
  readonly #head = pose();
  readonly #ray = pose();
  readonly #step = vector();
  #yaw: number;

  constructor(start: Pick<DeskStart, 'position' | 'yaw'>) {
    this.#yaw = start.yaw;
    this.goTo(start);
    this.jumped = 0;
  }

  /**
   * Puts a head to a place in the world, at its own height, so that it looks in the direction of `yaw`.
   * @param head in the reference space; without one it is the middle of the real floor, looking along -z.
   */
  goTo({ position, yaw }: Pick<DeskStart, 'position' | 'yaw'>, head: ReadonlyPose = MIDDLE): void {
    const ahead = rotate(head.rotation, FORWARD, this.#step);
    const isSteep = Math.hypot(ahead.x, ahead.z) < 0.2;
    this.#yaw = yaw - (isSteep ? 0 : Math.atan2(-ahead.x, -ahead.z));
    fromAxisAngle(UP, this.#yaw, this.rig.rotation);
    const { x, z } = rotate(this.rig.rotation, head.position, this.#step);
    setVector(this.rig.position, position.x - x, this.rig.position.y, position.z - z);
    this.aim.active = false;
    this.jumped++;
  }

  /**
   * Applies the sticks of one frame.
   * @param seconds since the last frame.
   */
  update(
    seconds: number,
    head: ReadonlyPose,
    sticks: readonly [Readonly<FreeStick>, Readonly<FreeStick>],
  ): void {
    composePose(this.rig, head, this.#head);
    this.glides = false;
    if (this.comfort.smoothWalking) this.#walk(seconds, sticks[LEFT]);
    for (const side of HAND_SIDES) {
      this.#heed(side, sticks[side], head, seconds);
      this.#heedPinch(side, sticks[side], seconds);
    }
    const { aim } = this;
    if (!aim.active || (this.#aimsByPinch && !this.#pinches[aim.side].isSteady)) return;
    aimAlong(composePose(this.rig, sticks[aim.side].ray, this.#ray), aim);
    if (this.#aimsByPinch) aim.valid &&= this.#wayTo(aim.target) > SHORTEST;
  }

  /**
   * Raises a player who sits, or puts it down again, if its setting has changed.
   * @param head as the headset measures it.
   * @param isRaisable false for a player that sees its real room: its floor stays where it is.
   */
  sit({ position }: ReadonlyPose, isRaisable: boolean): void {
    const wanted = isRaisable && this.comfort.seated;
    if (wanted === this.#isRaised) return;
    this.#isRaised = wanted;
    const raise = Math.min(MOST_RAISED, Math.max(0, STANDING - position.y));
    this.rig.position.y = wanted ? raise : 0;
    this.jumped++;
  }

  /** Whether this hand's pinch aims at the floor now, so that it does nothing else. */
  aimsByPinch(side: HandSide): boolean {
    return this.aim.active && this.#aimsByPinch && this.aim.side === side;
  }

  #heedPinch(side: HandSide, hand: Readonly<FreeStick>, seconds: number): void {
    const { aim } = this;
    const ray = composePose(this.rig, hand.ray, this.#ray);
    const state = this.#pinches[side].update(seconds, hand, ray);
    if (this.aimsByPinch(side)) {
      aim.active = state === 'aims';
      if (state === 'goes' && aim.valid) this.#go();
    } else if (state === 'aims' && !aim.active) {
      aim.active = this.#aimsByPinch = true;
      aim.side = side;
    }
  }

  /** Metres along the floor from the head. */
  #wayTo({ x, z }: ReadonlyVector): number {
    return Math.hypot(x - this.#head.position.x, z - this.#head.position.z);
  }

  #heed(side: HandSide, stick: Readonly<FreeStick>, head: ReadonlyPose, seconds: number): void {
    const { aim, comfort } = this;
    const push = Math.max(Math.abs(stick.right), Math.abs(stick.forward));
    const was = this.#pushed[side];
    const pushed = push > (was ? LET_GO : PUSHED);
    this.#pushed[side] = pushed;

    if (aim.active && aim.side === side && !this.#aimsByPinch) {
      if (pushed && stick.free && !comfort.smoothWalking) return;
      aim.active = false;
      if (stick.free && !comfort.smoothWalking && aim.valid) this.#go();
    }
    if (comfort.smoothTurn && this.#turnsSmoothly(side, stick, head, seconds)) return;
    // A stick that was pushed for a held body, and still is, does nothing until it is released.
    if (!pushed || was || !stick.free) return;
    if (comfort.smoothWalking && side === LEFT) return;
    if (Math.abs(stick.right) > Math.abs(stick.forward)) this.#turnOnce(stick.right, head);
    else if (stick.forward > 0 && !comfort.smoothWalking && !aim.active) {
      aim.active = true;
      this.#aimsByPinch = false;
      aim.side = side;
    }
  }

  /** @returns true if the stick is pushed to a side. */
  #turnsSmoothly(
    side: HandSide,
    { free, right, forward }: Readonly<FreeStick>,
    head: ReadonlyPose,
    seconds: number,
  ): boolean {
    const isAside = free && Math.abs(right) > Math.abs(forward);
    if (!isAside || (this.comfort.smoothWalking && side === LEFT)) return false;
    const push = pastDeadZone(right);
    if (push === 0) return false;
    this.glides = true;
    this.turned++;
    this.#turn(push * TURN_SPEED * seconds, head);
    return true;
  }

  /** Moves the floor so that the head is above the target. */
  #go(): void {
    this.jumped++;
    this.#move(this.aim.target.x - this.#head.position.x, this.aim.target.z - this.#head.position.z);
  }

  #turnOnce(right: number, head: ReadonlyPose): void {
    this.turned++;
    this.jumped++;
    this.#turn(Math.sign(right) * this.comfort.snapDegrees, head);
  }

  /** Turns by degrees to the right, about the head; the head stays at its place. */
  #turn(degrees: number, head: ReadonlyPose): void {
    this.#yaw -= (degrees * Math.PI) / 180;
    const { x, z } = this.#head.position;
    fromAxisAngle(UP, this.#yaw, this.rig.rotation);
    composePose(this.rig, head, this.#head);
    this.#move(x - this.#head.position.x, z - this.#head.position.z);
  }

  #walk(seconds: number, stick: Readonly<FreeStick>): void {
    if (!stick.free) return;
    const right = pastDeadZone(stick.right);
    const forward = pastDeadZone(stick.forward);
    if (right === 0 && forward === 0) return;
    this.glides = true;
    const { position, rotation } = this.#head;
    // Uses the head's right axis, which is nearly level even if the player looks down.
    const across = rotate(rotation, RIGHTWARD, this.#step);
    const level = Math.hypot(across.x, across.z);
    if (level < 1e-3) return;
    const way = (WALK_SPEED * seconds) / (level * Math.max(1, Math.hypot(right, forward)));
    const x = (across.x * right + across.z * forward) * way;
    const z = (across.z * right - across.x * forward) * way;
    this.#move(allowed(position.x, x), allowed(position.z, z));
  }

  #move(x: number, z: number): void {
    this.rig.position.x += x;
    this.rig.position.z += z;
    this.#head.position.x += x;
    this.#head.position.z += z;
  }
}

/**
 * Returns the part of a step that stays in the area for players; outside of it, the part that leads no
 * farther out.
 */
function allowed(from: number, step: number): number {
  const most = Math.max(EYE_ACROSS, Math.abs(from));
  return Math.min(most, Math.max(-most, from + step)) - from;
}

const MIDDLE: ReadonlyPose = pose();
const FORWARD = vector(0, 0, -1);
const UP = vector(0, 1, 0);
const RIGHTWARD = vector(1, 0, 0);
