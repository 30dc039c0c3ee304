import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT } from '../../core/base/ids.ts';
import type { Pose, ReadonlyPose } from '../../core/base/math.ts';
import { composePose, fromAxisAngle, pose, rotate, setVector, vector } from '../../core/base/math.ts';
import type { DeskStart } from '../desk-player.ts';
import { EYE_ACROSS } from '../desk/desk-walk.ts';
import { pastDeadZone } from './hand-controls.ts';
import type { TeleportAim } from './teleport.ts';
import { aimAlong, teleportAim } from './teleport.ts';

/** The player's settings for moving and turning. */
export type Comfort = {
  /** The left stick walks; otherwise it teleports. */
  smoothWalking: boolean;
  /** Degrees of one turn by the stick. */
  snapDegrees: number;
};

/** One hand's stick in one frame. */
export type FreeStick = {
  /** Whether the stick moves the player: its hand is tracked, and holds no body. */
  free: boolean;
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

/**
 * The place of the real floor in the world. Only the player's own push on a stick moves it. Poses are in the
 * reference space, whose origin is on that floor.
 */
export class Locomotion {
  readonly comfort: Comfort = { smoothWalking: false, snapDegrees: 45 };
  /** From the reference space to the world; upright, on the floor. */
  readonly rig: Pose = pose();
  readonly aim: TeleportAim = teleportAim();
  /** How often the player was turned. */
  turned = 0;
  /** How often the player was moved within one frame: turned or teleported. */
  jumped = 0;
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

  /** Puts the middle of the real floor to a place in the world, with its -z in the direction of `yaw`. */
  goTo({ position, yaw }: Pick<DeskStart, 'position' | 'yaw'>): void {
    setVector(this.rig.position, position.x, 0, position.z);
    this.#yaw = yaw;
    fromAxisAngle(UP, yaw, this.rig.rotation);
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
    if (this.comfort.smoothWalking) this.#walk(seconds, sticks[LEFT]);
    for (const side of HAND_SIDES) this.#heed(side, sticks[side], head);
    if (this.aim.active) aimAlong(composePose(this.rig, sticks[this.aim.side].ray, this.#ray), this.aim);
  }

  #heed(side: HandSide, stick: Readonly<FreeStick>, head: ReadonlyPose): void {
    const { aim, comfort } = this;
    const push = Math.max(Math.abs(stick.right), Math.abs(stick.forward));
    const was = this.#pushed[side];
    const pushed = push > (was ? LET_GO : PUSHED);
    this.#pushed[side] = pushed;

    if (aim.active && aim.side === side) {
      if (pushed && stick.free && !comfort.smoothWalking) return;
      aim.active = false;
      if (stick.free && !comfort.smoothWalking && aim.valid) this.#go();
    }
    // A stick that was pushed for a held body, and still is, does nothing until it is released.
    if (!pushed || was || !stick.free) return;
    if (comfort.smoothWalking && side === LEFT) return;
    if (Math.abs(stick.right) > Math.abs(stick.forward)) this.#turn(stick.right, head);
    else if (stick.forward > 0 && !comfort.smoothWalking && !aim.active) {
      aim.active = true;
      aim.side = side;
    }
  }

  /** Moves the floor so that the head is above the target. */
  #go(): void {
    this.jumped++;
    this.#move(this.aim.target.x - this.#head.position.x, this.aim.target.z - this.#head.position.z);
  }

  /** Turns about the head; the head stays at its place. */
  #turn(right: number, head: ReadonlyPose): void {
    this.#yaw -= (Math.sign(right) * this.comfort.snapDegrees * Math.PI) / 180;
    this.turned++;
    this.jumped++;
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

const UP = vector(0, 1, 0);
const RIGHTWARD = vector(1, 0, 0);
