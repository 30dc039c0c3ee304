import { TICK_SECONDS } from '../core/base/constants.ts';
import type { ReadonlyPose } from '../core/base/math.ts';
import { angleBetween, distance, lerpVector, quaternion, vector } from '../core/base/math.ts';
import { MAX_PUSH } from './create-bodies.ts';
import type { RigidBody } from './engine-types.ts';

/** The greatest turn of a held body, in radians in a tick: 15 rad/s. */
const MAX_TURN = 15 * TICK_SECONDS;

const from = vector();
const turned = quaternion();
const to = vector();

/** Sets where a kinematic body is to be after the next step. */
export function moveKinematic(body: RigidBody, { position, rotation }: ReadonlyPose): void {
  const start = body.translation(from);
  const way = distance(start, position);
  if (way > MAX_PUSH) {
    // A hand that jumps is there at once, but hits no harder than the fastest throw.
    body.setTranslation(lerpVector(position, start, MAX_PUSH / way, to), true);
  }
  if (angleBetween(body.rotation(turned), rotation) > MAX_TURN) body.setRotation(rotation, true);
  body.setNextKinematicTranslation(position);
  body.setNextKinematicRotation(rotation);
}
