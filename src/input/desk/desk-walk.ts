import type { Vector } from '../../core/base/math.ts';
import {
  addScaled,
  fromAxisAngle,
  length,
  quaternion,
  rotate,
  setVector,
  vector,
  wrapAngle,
} from '../../core/base/math.ts';

/** Metres per second. */
const WALK_SPEED = 2.5;
const RUN_SPEED = 6;
/** Seconds in which walking and turning reach 63 % of a new speed, so that the view starts and stops softly. */
const EASE = 0.06;
/** Radians per second that the arrow keys turn the head. */
const TURN_SPEED = 1.7;
/** Seconds in which a turn to a goal covers 63 % of its way. */
const GOAL_EASE = 0.12;
/** Radians: a goal that is nearer is reached. */
const GOAL_REACHED = 0.002;
/** Metres: the area in which the eye stays. */
export const EYE_ACROSS = 40;
const EYE_LOW = 0.3;
const EYE_HIGH = 20;

/**
 * The keys that act while they are down. `shift` makes walking faster, and makes the turn keys tilt. `further` and
 * `nearer` move a held body; `throw` throws it when it comes up, the further the longer it was down.
 */
export type DeskKey =
  | 'forward'
  | 'back'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'lookLeft'
  | 'lookRight'
  | 'lookUp'
  | 'lookDown'
  | 'turnLeft'
  | 'turnRight'
  | 'further'
  | 'nearer'
  | 'trigger'
  | 'throw'
  | 'shift';

/** Moves a player's eye and turns its head by keys and a stick, softly. */
export class DeskWalk {
  /** Radians to the left and upwards from -z. */
  yaw: number;
  pitch: number;
  readonly #velocity = vector();
  readonly #wish = vector();
  readonly #turn = quaternion();
  #turning = 0;
  #rising = 0;
  #right = 0;
  #forward = 0;
  #goal: { readonly yaw: number; readonly pitch: number } | null = null;

  constructor(yaw: number, pitch: number) {
    this.yaw = yaw;
    this.pitch = pitch;
  }

  /** Stands still and looks there. @param yaw radians to the left from -z. @param pitch radians upwards. */
  stand(yaw: number, pitch: number): void {
    this.yaw = yaw;
    this.pitch = pitch;
    this.#goal = null;
    this.#turning = this.#rising = 0;
    setVector(this.#velocity, 0, 0, 0);
  }

  /** Pushes the stick, in addition to the keys; both -1 to 1. */
  push(right: number, forward: number): void {
    this.#right = clamp(right, -1, 1);
    this.#forward = clamp(forward, -1, 1);
  }

  /** Turns by radians to the left and upwards at once. */
  look(left: number, up: number): void {
    this.#goal = null;
    this.yaw = wrapAngle(this.yaw + left);
    this.pitch += up;
  }

  /** Turns the head to this direction, in a moment. */
  lookTo(yaw: number, pitch: number): void {
    this.#goal = { yaw, pitch };
  }

  /** Moves the eye, and turns the head, by what `seconds` make. */
  step(keys: ReadonlySet<DeskKey>, seconds: number, eye: Vector): void {
    const eased = 1 - Math.exp(-seconds / EASE);
    const [left, up] = [axis(keys, 'lookLeft', 'lookRight'), axis(keys, 'lookUp', 'lookDown')];
    this.#turning += (left * TURN_SPEED - this.#turning) * eased;
    this.#rising += (up * TURN_SPEED - this.#rising) * eased;
    if (left !== 0 || up !== 0) this.#goal = null;
    this.yaw = wrapAngle(this.yaw + this.#turning * seconds);
    this.pitch += this.#rising * seconds;
    if (this.#goal !== null) this.#turnToGoal(this.#goal, seconds);

    const across = axis(keys, 'right', 'left') + this.#right;
    const along = axis(keys, 'back', 'forward') - this.#forward;
    const wish = setVector(this.#wish, across, axis(keys, 'up', 'down'), along);
    const size = Math.max(1, length(wish));
    const speed = keys.has('shift') ? RUN_SPEED : WALK_SPEED;
    rotate(fromAxisAngle(UP, this.yaw, this.#turn), wish, wish);
    addScaled(this.#velocity, this.#velocity, -eased, this.#velocity);
    addScaled(this.#velocity, wish, (eased * speed) / size, this.#velocity);
    addScaled(eye, this.#velocity, seconds, eye);
    eye.x = clamp(eye.x, -EYE_ACROSS, EYE_ACROSS);
    eye.y = clamp(eye.y, EYE_LOW, EYE_HIGH);
    eye.z = clamp(eye.z, -EYE_ACROSS, EYE_ACROSS);
  }

  #turnToGoal(goal: { readonly yaw: number; readonly pitch: number }, seconds: number): void {
    const share = 1 - Math.exp(-seconds / GOAL_EASE);
    const [left, up] = [wrapAngle(goal.yaw - this.yaw), goal.pitch - this.pitch];
    this.yaw = wrapAngle(this.yaw + left * share);
    this.pitch += up * share;
    if (Math.abs(left) + Math.abs(up) < GOAL_REACHED) this.#goal = null;
  }
}

/** Returns 1, -1 or 0, by which of two keys is down. */
export function axis(keys: ReadonlySet<DeskKey>, more: DeskKey, less: DeskKey): number {
  return Number(keys.has(more)) - Number(keys.has(less));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

const UP: Readonly<Vector> = { x: 0, y: 1, z: 0 };
