import type { HandSide } from '../../core/base/ids.ts';
import { RIGHT } from '../../core/base/ids.ts';
import { GRAVITY } from '../../core/base/constants.ts';
import type { ReadonlyPose, Vector } from '../../core/base/math.ts';
import { rotate, setVector, vector } from '../../core/base/math.ts';
import { EYE_ACROSS } from '../desk/desk-walk.ts';

/** Points of the drawn arc: enough to look round. */
const ARC_POINTS = 32;
/** Metres per second at the start of the arc: a level hand reaches 5 m, a raised one 11 m. */
const ARC_SPEED = 10;

/** The place to which a player is about to jump, for drawing. In the world, in metres. */
export type TeleportAim = {
  /** Whether there is an arc to draw. */
  active: boolean;
  /** The hand that aims. */
  side: HandSide;
  /** x, y, z of each point of the arc, from the hand to the floor. */
  readonly points: Float32Array;
  /** A point on the floor. */
  readonly target: Vector;
  /** Whether the player can jump there. */
  valid: boolean;
};

/** An aim that is not shown. */
export function teleportAim(): TeleportAim {
  return {
    active: false,
    side: RIGHT,
    points: new Float32Array(ARC_POINTS * 3),
    target: vector(),
    valid: false,
  };
}

/**
 * Aims along a hand's ray: the arc is the path of a body thrown from the hand to the floor, which is at
 * height 0.
 */
export function aimAlong(ray: ReadonlyPose, out: TeleportAim): void {
  const { x, y, z } = ray.position;
  const start = Math.max(0, y);
  rotate(ray.rotation, setVector(velocity, 0, 0, -ARC_SPEED), velocity);
  const flight = (velocity.y + Math.sqrt(velocity.y * velocity.y + 2 * GRAVITY * start)) / GRAVITY;
  for (let i = 0; i < ARC_POINTS; i++) {
    const t = (flight * i) / (ARC_POINTS - 1);
    out.points[i * 3] = x + velocity.x * t;
    out.points[i * 3 + 1] = Math.max(0, start + velocity.y * t - (GRAVITY / 2) * t * t);
    out.points[i * 3 + 2] = z + velocity.z * t;
  }
  setVector(out.target, x + velocity.x * flight, 0, z + velocity.z * flight);
  out.valid = Math.max(Math.abs(out.target.x), Math.abs(out.target.z)) <= EYE_ACROSS;
}

const velocity = vector();
