import type { BodyId } from '../../base/ids.ts';
import type { Pose, ReadonlyPose } from '../../base/math.ts';
import { composePose, pose, rotate, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { STRIDE } from '../../base/state.ts';
import type { Joint, JointEnd } from './joint.ts';

/**
 * Metres by which the two ends of a joint may be farther apart than its kind allows. Engines give way under force: in
 * play by 0.3 m at the most.
 */
export const MOST_TEAR = 1;
/** Metres by which a spring may be longer than it is at rest. */
const MOST_STRETCH = 5;

/** [J2.8] Says how far joints are torn. */
export class Tears {
  /** Work space for callers: STRIDE numbers for each body. */
  readonly motion: Float32Array;
  readonly #jointsOf: readonly (readonly Joint[])[];

  /**
   * @param count ids of bodies in the world.
   * @param joints of the level.
   */
  constructor(count: number, joints: readonly Joint[]) {
    const jointsOf = Array.from({ length: count }, (): Joint[] => []);
    for (const joint of joints) {
      for (const { body } of joint.ends) if (body !== null) jointsOf[body].push(joint);
    }
    this.#jointsOf = jointsOf;
    this.motion = new Float32Array(count * STRIDE);
  }

  /**
   * Metres by which the ends of a body's worst joint are farther apart than its kind allows; 0 without joints.
   * @param motion poses of the body and of those that its joints tie it to, as `poseIn` reads them.
   */
  tearOf(body: BodyId, motion: Float32Array): number {
    let most = 0;
    for (const joint of this.#jointsOf[body]) most = Math.max(most, tearIn(joint, motion));
    return most;
  }
}

/** Metres by which the ends of a joint are farther apart than its kind allows. */
function tearIn(joint: Joint, motion: Float32Array): number {
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
