import type { BodyId } from '../../base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../base/math.ts';
import { copyPose, isUnit, pose } from '../../base/math.ts';
import type { Bounds } from '../../world/level.ts';
import { isInBounds } from '../../world/level.ts';

/**
 * [A13] An action of this peer's owner on a body, which no hand does. Metres, seconds, kilograms and radians; `at` is the
 * point of the world where the body is pushed, null for its centre of mass.
 */
export type BodyAction =
  | { readonly kind: 'take'; readonly body: BodyId }
  /** [A12] Keeps a body from now on, or keeps it no more. */
  | { readonly kind: 'keep'; readonly body: BodyId; readonly on: boolean }
  | {
      readonly kind: 'impulse' | 'force';
      readonly body: BodyId;
      readonly push: ReadonlyVector;
      readonly at: ReadonlyVector | null;
    }
  | {
      readonly kind: 'velocity';
      readonly body: BodyId;
      readonly linear: ReadonlyVector;
      readonly angular: ReadonlyVector;
    }
  | { readonly kind: 'teleport'; readonly body: BodyId; readonly pose: ReadonlyPose };

/**
 * Why an action is refused:
 * - `no body`: there is none of that id.
 * - `bounds`: a number is not finite or too great, the body would get faster than 40 m/s or rad/s, or a guest's teleport
 *   is longer than 1.9 m [A13.5].
 * - `not allowed`: its template forbids it to guests [A15].
 * - `taken`: another player has the body. The host is refused only if that player holds or keeps it [A13.6].
 * - `in hand`: a hand of this player holds it.
 * - `not kept`: this player does not keep it.
 * - `too many`: more were asked for than a tick carries out, or are kept [A12.7].
 * - `jointed`: joints tie the body to others, or to the world [J2.6].
 */
export type ActionRefusal =
  | 'no body'
  | 'bounds'
  | 'not allowed'
  | 'taken'
  | 'in hand'
  | 'not kept'
  | 'too many'
  | 'jointed';

/** [A13.5] The greatest speeds in m/s and rad/s to which an action brings a body. [H9] allows no more. */
export const MOST_SPEED = 40;
/** [A13.5] Metres by which a guest's action moves a body at most: [H9.2] allows 2 m. */
export const MOST_WAY = 1.9;
/** Newton-seconds, or newtons: no greater push is asked for. What it does to the body's speed is limited, too. */
const MOST_PUSH = 1e6;

/** A copy that shares nothing with the action. */
export function copyOf(action: BodyAction): BodyAction {
  switch (action.kind) {
    case 'take':
    case 'keep':
      return { ...action };
    case 'impulse':
    case 'force':
      return { ...action, push: { ...action.push }, at: action.at === null ? null : { ...action.at } };
    case 'velocity':
      return { ...action, linear: { ...action.linear }, angular: { ...action.angular } };
    case 'teleport':
      return { ...action, pose: copyPose(action.pose, pose()) };
  }
}

/** True if an action's numbers are finite and within the limits that hold for every body and peer. */
export function isWithinBounds(action: BodyAction, bounds: Bounds): boolean {
  switch (action.kind) {
    case 'take':
    case 'keep':
      return true;
    case 'impulse':
    case 'force':
      return isShort(action.push, MOST_PUSH) && (action.at === null || isInBounds(bounds, action.at));
    case 'velocity':
      return isShort(action.linear, MOST_SPEED) && isShort(action.angular, MOST_SPEED);
    case 'teleport':
      return isUnit(action.pose.rotation) && isInBounds(bounds, action.pose.position);
  }
}

/** True if a vector is at most this long; false if it has a number that is not finite. */
function isShort({ x, y, z }: ReadonlyVector, most: number): boolean {
  return x * x + y * y + z * z <= most * most;
}
