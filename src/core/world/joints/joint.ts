import type { Pose, ReadonlyPose, ReadonlyQuaternion, ReadonlyVector } from '../../base/math.ts';
import {
  length,
  multiply,
  normalize,
  pose,
  quaternion,
  relativePose,
  rotate,
  vector,
} from '../../base/math.ts';

/** A body, as far as joints need it: where the level begins. */
type Started = { readonly start: ReadonlyPose };

/** One of the two ends of a joint. */
export type JointEnd = {
  /** The id of a body, for a joint of the level its index there; null for the world, which never moves. */
  readonly body: number | null;
  /**
   * The joint's frame there, in the frame of the body or the world, in metres. The joint holds the origins of its two
   * frames together, as its kind says. The x axis is that of a hinge and of a slider.
   */
  readonly frame: ReadonlyPose;
};

/** The way that a hinge turns, or a slider slides: from `least` to `most`. 0 is where the two frames coincide. */
export type JointLimits = { readonly least: number; readonly most: number };

/** Drives a hinge in rad/s with a torque in newton-metres, or a slider in m/s with a force in newtons, at most. */
export type JointMotor = { readonly speed: number; readonly strength: number };

/** The freedom that is left along or about one axis. */
type Axis = {
  /** Radians or metres; null without limits. */
  readonly limits: JointLimits | null;
  readonly motor: JointMotor | null;
  /**
   * The greatest torque in newton-metres, or force in newtons, with which it resists; 0 for none. Engines may let a joint
   * creep that a lesser force pulls at: Rapier by 0.06 rad/s.
   */
  readonly friction: number;
};

/** The kind of a joint, and its measures. Lengths are between the origins of the two frames, in metres. */
export type JointKind =
  /** Both frames coincide. */
  | { readonly kind: 'fixed' }
  /** The bodies turn about the x axes of the frames. */
  | ({ readonly kind: 'hinge' } & Axis)
  /** The bodies slide along the x axes of the frames, and do not turn. */
  | ({ readonly kind: 'slider' } & Axis)
  /** The origins coincide, and the bodies turn as they like. */
  | { readonly kind: 'ball' }
  /** The origins are at most this far apart. */
  | { readonly kind: 'rope'; readonly length: number }
  /** Newtons for each metre beyond the length, and for each metre a second. */
  | {
      readonly kind: 'spring';
      readonly length: number;
      readonly stiffness: number;
      readonly damping: number;
    };

/** Ties two bodies, or a body and the world. */
export type Joint = JointKind & {
  readonly ends: readonly [JointEnd, JointEnd];
  /** True if the two bodies push each other. Parts that overlap must not. */
  readonly collides: boolean;
  /**
   * [J6] Newtons at which it breaks. Left out: it never does. It gives way like a stiff spring, by BREAKING_GAP at that
   * force. A spring gives as it is. A rope does not break.
   */
  readonly breaksAt?: number;
  /** [J4] True if players may remove it while playing, and mend it. Left out: they may not. */
  readonly removable?: boolean;
};

/** [J5] A kind of joint that players make: everything of a joint but its ends. Players may remove all of them. */
export type MadeKind = JointKind & Pick<Joint, 'collides' | 'breaksAt'>;

/** [J5] The limits of making joints while playing. */
export type Making = {
  /** Joints that each player may have made at once: so many numbers are set aside for each of `slots`. */
  readonly perPlayer: number;
  /** How many slots, from 0 on, have numbers: the players that may make joints. */
  readonly slots: number;
  readonly kinds: readonly MadeKind[];
};

/** [J6.1] Metres by which the ends of a joint are apart at the force at which it breaks. */
export const BREAKING_GAP = 0.02;

/** [J4.1] True if play can take a joint out of the world. */
export function canGo({ breaksAt, removable = false }: Joint): boolean {
  return removable || breaksAt !== undefined;
}

/** The pose of an end's frame in the world, where the level begins. */
export function frameAtStart(bodies: readonly Started[], { body, frame }: JointEnd): Pose {
  const at = pose();
  const start = body === null ? WORLD : bodies[body].start;
  rotate(start.rotation, frame.position, at.position);
  at.position.x += start.position.x;
  at.position.y += start.position.y;
  at.position.z += start.position.z;
  multiply(start.rotation, frame.rotation, at.rotation);
  return at;
}

/**
 * The end of a joint at a place of the world, as the bodies begin there: both ends of a joint that is made so fit.
 * @param point in the world, in metres.
 * @param axis of a hinge or a slider, in the world; of any length but 0.
 * @throws RangeError for a body that is not in the list, and for an axis of length 0.
 */
export function jointEnd(
  bodies: readonly Started[],
  body: number | null,
  point: ReadonlyVector,
  axis: ReadonlyVector = RIGHTWARD,
): JointEnd {
  if (body !== null && bodies[body] === undefined) throw new RangeError(`There is no body ${body}.`);
  if (!(length(axis) > 0)) throw new RangeError('The axis of a joint has a length.');
  const frame = pose();
  const start = body === null ? WORLD : bodies[body].start;
  relativePose(start, { position: point, rotation: fromXTo(axis) }, frame);
  return { body, frame };
}

/** The rotation that turns the x axis to a direction by the shortest way. */
function fromXTo(axis: ReadonlyVector): ReadonlyQuaternion {
  const long = length(axis);
  const [x, y, z] = [axis.x / long, axis.y / long, axis.z / long];
  if (x < -1 + 1e-9) return quaternion(0, 1, 0, 0);
  return normalize(quaternion(0, -z, y, 1 + x), quaternion());
}

const WORLD: ReadonlyPose = pose();
const RIGHTWARD: ReadonlyVector = vector(1, 0, 0);
