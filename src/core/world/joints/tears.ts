import type { BodyId } from '../../base/ids.ts';
import type { Pose, ReadonlyPose } from '../../base/math.ts';
import { composePose, pose, rotate, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { STRIDE } from '../../base/state.ts';
import type { Islands } from './islands.ts';
import type { Joint, JointEnd } from './joint.ts';
import { BREAKING_GAP } from './joint.ts';

/**
 * Metres by which the two ends of a joint may be farther apart than its kind allows. Engines give way under force: in
 * play by 0.3 m at the most.
 */
export const MOST_TEAR = 1;
/** Metres by which a spring may be longer than it is at rest. */
const MOST_STRETCH = 5;

/** Metres by which the ends of a joint that is mended may be apart, and the cosine of the angle: 15 degrees. */
const MOST_GAP = 0.1;
const LEAST_COSINE = 0.966;

/** [J2.8] Says how far joints are torn. */
export class Tears {
  /** Work space for callers: STRIDE numbers for each body. */
  readonly motion: Float32Array;
  readonly #islands: Islands;

  /** @param islands of the world: joints that are gone are not torn. */
  constructor(islands: Islands) {
    this.#islands = islands;
    this.motion = new Float32Array(islands.parts.length * STRIDE);
  }

  /**
   * Metres by which the ends of a body's worst joint are farther apart than its kind allows; 0 without joints.
   * @param motion poses of the body and of those that its joints tie it to, as `poseIn` reads them.
   */
  tearOf(body: BodyId, motion: Float32Array): number {
    let most = 0;
    const { joints, jointsOf } = this.#islands;
    for (const i of jointsOf[body]) most = Math.max(most, tearOfJoint(joints[i], motion));
    return most;
  }
}

/**
 * [J6.1] The force on a joint, as a share of the one at which it breaks; for joints that break.
 * @param motion as for `tearOf`.
 */
export function loadOf(joint: Joint, motion: Float32Array): number {
  const tear = tearOfJoint(joint, motion);
  if (joint.kind !== 'spring') return tear / BREAKING_GAP;
  return ((tear + MOST_STRETCH) * joint.stiffness) / (joint.breaksAt ?? Infinity);
}

/** Metres by which the ends of a joint are farther apart than its kind allows. @param motion as for `tearOf`. */
function tearOfJoint(joint: Joint, motion: Float32Array): number {
  frameIn(joint.ends[0], motion, one);
  frameIn(joint.ends[1], motion, other);
  const x = other.position.x - one.position.x;
  const y = other.position.y - one.position.y;
  const z = other.position.z - one.position.z;
  const squared = x * x + y * y + z * z;
  switch (joint.kind) {
    case 'rope':
      return Math.sqrt(squared) - joint.length;
    case 'spring':
      return Math.sqrt(squared) - joint.length - MOST_STRETCH;
    case 'slider': {
      rotate(one.rotation, AXIS, axis);
      const along = x * axis.x + y * axis.y + z * axis.z;
      const { least, most } = joint.limits ?? NO_LIMITS;
      const beyond = along - Math.max(least, Math.min(most, along));
      return Math.sqrt(Math.max(0, squared - along * along) + beyond * beyond);
    }
    default:
      return Math.sqrt(squared);
  }
}

/**
 * [J4.4] True if the ends of a joint are about where it holds them.
 * @param motion as for `tearOf`.
 * @param gap metres by which they may be apart. @param least cosine of the angle by which they may be turned.
 */
export function isAsMade(joint: Joint, motion: Float32Array, gap = MOST_GAP, least = LEAST_COSINE): boolean {
  if (tearOfJoint(joint, motion) > gap) return false;
  if (joint.kind === 'rope' || joint.kind === 'spring' || joint.kind === 'ball') return true;
  // A hinge may have turned about its x axis; the others hold all of the rotation.
  rotate(one.rotation, AXIS, axis);
  rotate(other.rotation, AXIS, otherAxis);
  const cosine = axis.x * otherAxis.x + axis.y * otherAxis.y + axis.z * otherAxis.z;
  if (joint.kind === 'hinge') return cosine > least;
  const { rotation: a } = one;
  const { rotation: b } = other;
  const dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  return 2 * dot * dot - 1 > least;
}

/** The pose in the world of an end's frame. */
function frameIn({ body, frame }: JointEnd, motion: Float32Array, out: Pose): void {
  const at: ReadonlyPose = body === null ? WORLD : poseIn(motion, body as BodyId, where);
  composePose(at, frame, out);
}

const NO_LIMITS = { least: -Infinity, most: Infinity };
const WORLD: ReadonlyPose = pose();
const AXIS = vector(1, 0, 0);
/** Work space. */
const where = pose();
const one = pose();
const other = pose();
const axis = vector();
const otherAxis = vector();
