import type { Pose } from '../core/base/math.ts';
import { composePose, copyPose, distance, pose } from '../core/base/math.ts';
import type { Joint, JointEnd } from '../core/world/joints/joint.ts';
import { readPose } from './read-pose.ts';

/** Poses of bodies, so many numbers for each: three of the position, four of the rotation. */
export type Poses = { readonly numbers: { readonly [index: number]: number }; readonly stride: number };

/**
 * Metres by which the two ends of a joint are apart in some poses, beyond what the joint allows. A slider is not measured:
 * 0, as for a spring.
 */
export function jointError(joint: Joint, poses: Poses): number {
  const [a, b] = joint.ends;
  switch (joint.kind) {
    case 'fixed':
    case 'hinge':
    case 'ball':
      return distance(placeOf(a, poses, one).position, placeOf(b, poses, other).position);
    case 'rope':
      return Math.max(
        0,
        distance(placeOf(a, poses, one).position, placeOf(b, poses, other).position) - joint.length,
      );
    case 'slider':
    case 'spring':
      return 0;
  }
}

function placeOf({ body, frame }: JointEnd, { numbers, stride }: Poses, out: Pose): Pose {
  if (body === null) return copyPose(frame, out);
  return composePose(readPose(numbers, body * stride, present), frame, out);
}

const present = pose();
const one = pose();
const other = pose();
