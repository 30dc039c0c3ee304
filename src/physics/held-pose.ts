import type { ReadonlyPose } from '../core/base/math.ts';
import { angleBetween, distance, lerpVector, quaternion, vector } from '../core/base/math.ts';
import { MAX_PUSH } from './create-bodies.ts';
import type { RigidBody } from './engine-types.ts';

/** The greatest turn of a held body, in radians a second. */
const MAX_TURN = 15;

const from = vector();
const turned = quaternion();
const to = vector();

/** Sets where a kinematic body is to be after the next step. @param seconds of the step. */
export function moveKinematic(body: RigidBody, { position, rotation }: ReadonlyPose, seconds: number): void {
  const start = body.translation(from);
  const way = distance(start, position);
  const most = MAX_PUSH * seconds;
  if (way > most) {
    // A hand that jumps is there at once, but hits no harder than the fastest throw.
    body.setTranslation(lerpVector(position, start, most / way, to), true);
  }
  if (angleBetween(body.rotation(turned), rotation) > MAX_TURN * seconds) body.setRotation(rotation, true);
  body.setNextKinematicTranslation(position);
  body.setNextKinematicRotation(rotation);
}
