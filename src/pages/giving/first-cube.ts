import type { BodyId } from '../../core/base/ids.ts';
import { LEFT, NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { ReadonlyVector } from '../../core/base/math.ts';
import { distance } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { AvatarView, PeerView } from '../../core/peer/shown/peer-view.ts';
import { isTied } from './tied.ts';

/** Metres along the floor from each of two players within which a body is near both. */
const NEAR = 5;
/** Metres: what is higher is out of the picture. */
const HIGHEST = 1.9;
/**
 * A body counts as on top of another if it is higher, and within this many metres along the floor. Each such body adds
 * ABOVE_COSTS metres to the cost of the lower one.
 */
const ABOVE = 0.4;
const ABOVE_COSTS = 0.5;

/**
 * Returns the body that the player of a view and the nearest other player could hand over first: what one of them
 * holds, else a body at rest that is near both and has little on it. It is no part of a machine. It follows from the
 * world and from the two places alone, so both players' pages choose the same one without a word between them.
 * @returns NO_BODY if nobody else is there, or no such body is.
 */
export function firstCube(view: PeerView): BodyId {
  const own = view.self < 0 ? undefined : view.avatars[view.self];
  const friend = own === undefined ? null : nearestFriend(view, own);
  if (own === undefined || friend === null) return NO_BODY;
  const pair = [own, friend].sort((a, b) => a.slot - b.slot);
  for (const { hands } of pair) {
    for (const side of [RIGHT, LEFT]) {
      const { held } = hands[side];
      if (held !== NO_BODY && !isTied(view, held)) return held;
    }
  }
  const [a, b] = pair.map(({ head }) => cellOf(head.position));
  return bestOf(view, (x, z) => {
    const [toA, toB] = [Math.hypot(x - a.x, z - a.z), Math.hypot(x - b.x, z - b.z)];
    return Math.max(toA, toB) > NEAR ? Infinity : toA + toB;
  });
}

/** The loose body at rest that costs least; of equal ones the first. */
function bestOf(view: PeerView, costOf: (x: number, z: number) => number): BodyId {
  const { poses, resting, exists } = view;
  let [best, least]: [BodyId, number] = [NO_BODY, Infinity];
  for (let body = 0; body < resting.length; body++) {
    const [x, y, z] = poses.subarray(body * POSE_STRIDE, body * POSE_STRIDE + 3);
    if (exists[body] === 0 || resting[body] === 0 || y > HIGHEST) continue;
    let cost = costOf(x, z);
    for (let at = 0; cost < least && at < poses.length; at += POSE_STRIDE) {
      if (exists[at / POSE_STRIDE] === 0) continue;
      const isAbove = poses[at + 1] > y && Math.hypot(poses[at] - x, poses[at + 2] - z) < ABOVE;
      if (isAbove) cost += ABOVE_COSTS;
    }
    if (cost < least && !isTied(view, body as BodyId)) [best, least] = [body as BodyId, cost];
  }
  return best;
}

function nearestFriend(view: PeerView, own: AvatarView): AvatarView | null {
  const far = ({ head }: AvatarView): number => distance(head.position, own.head.position);
  return view.avatars
    .filter(({ present, slot }) => present && slot !== own.slot)
    .reduce<AvatarView | null>((best, each) => (best === null || far(each) < far(best) ? each : best), null);
}

/**
 * Returns the middle of the square metre in which a player stands, so that a small movement of the head does not change
 * the choice. All start places of the scenes are well within their squares.
 */
function cellOf({ x, z }: ReadonlyVector): { readonly x: number; readonly z: number } {
  return { x: Math.floor(x) + 0.5, z: Math.round(z) };
}
