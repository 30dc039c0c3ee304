import type { BodyId } from '../../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector, Vector } from '../../core/base/math.ts';
import { addScaled, distance, rotateBack, vector } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { AvatarView, PeerView } from '../../core/peer/shown/peer-view.ts';
import { bearingOf } from './aim.ts';
import type { Lens } from './desk-pointer.ts';
import { HAND_DISTANCE } from './desk-pointer.ts';
import type { Place } from './flick.ts';

/** Metres: a body that is further away is not offered, for no hand reaches it. */
const FURTHEST = 20;
/** The part of the pane in which a body counts as seen. */
const SEEN = 0.96;
/** Metres beside the ray to a body within which a nearer one hides it. */
const HIDES = 0.3;
/**
 * Metres from a friend's head at which a body is held out to it, below its eyes, and from the own hand at least. A cube of
 * half a metre leaves the friend's face in sight.
 */
const HELD_OUT = 1.2;
const HELD_OUT_BELOW = 0.42;
const HELD_OUT_LEAST = 0.6;

/** A body in view: where in the pane, which one of how many from left to right, and how far in metres. */
export type Choice = Place & {
  readonly body: BodyId;
  readonly number: number;
  readonly of: number;
  readonly metres: number;
};

type Seen = { readonly body: BodyId; readonly x: number; readonly y: number; readonly metres: number };

/**
 * Returns the next body in view to the right of a place of the pane, or to the left; from the last one it goes round.
 * A body that another one hides is left out.
 * @param step 1 to the right, -1 to the left.
 * @returns null if no body is in view.
 */
export function chooseBody(
  view: PeerView,
  eye: ReadonlyPose,
  lens: Lens,
  from: Place,
  step: 1 | -1,
): Choice | null {
  const seen = bodiesInView(view, eye, lens).sort((a, b) => a.x - b.x || a.y - b.y || a.body - b.body);
  if (seen.length === 0) return null;
  const at = seen.findIndex(({ x, y }) => Math.abs(x - from.x) < 1e-3 && Math.abs(y - from.y) < 1e-3);
  let next = at + step;
  if (at < 0) {
    const right = seen.findIndex(({ x }) => x > from.x);
    next = right < 0 ? (step > 0 ? 0 : seen.length - 1) : step > 0 ? right : right - 1;
  }
  const index = (next + seen.length) % seen.length;
  return { ...seen[index], number: index + 1, of: seen.length };
}

function bodiesInView(view: PeerView, eye: ReadonlyPose, { tangent, aspect }: Lens): Seen[] {
  const near: (Vector & { readonly body: BodyId })[] = [];
  for (let at = 0; at + POSE_STRIDE <= view.poses.length; at += POSE_STRIDE) {
    if (view.exists[at / POSE_STRIDE] === 0) continue;
    const [x, y, z] = view.poses.subarray(at, at + 3);
    const local = addScaled({ x, y, z }, eye.position, -1, vector());
    rotateBack(eye.rotation, local, local);
    if (local.z > -0.2 || Math.hypot(local.x, local.y, local.z) > FURTHEST) continue;
    near.push({ ...local, body: (at / POSE_STRIDE) as BodyId });
  }
  near.sort((a, b) => b.z - a.z);
  return near.flatMap(({ x, y, z, body }, i) => {
    const [across, up] = [x / -z / tangent / aspect, y / -z / tangent];
    if (Math.abs(across) > SEEN || Math.abs(up) > SEEN) return [];
    const isHidden = near.slice(0, i).some((other) => {
      const share = other.z / z;
      return share < 0.98 && Math.hypot(other.x - x * share, other.y - y * share) < HIDES;
    });
    return isHidden ? [] : [{ body, x: across, y: up, metres: Math.hypot(x, y, z) }];
  });
}

/** Returns the player that is nearest to an eye, or null if nobody else is seen. */
export function nearestFriend(view: PeerView, eye: ReadonlyPose): AvatarView | null {
  let nearest: AvatarView | null = null;
  for (const avatar of view.avatars) {
    if (!avatar.present || avatar.slot === view.self) continue;
    const isNearer =
      nearest === null ||
      distance(avatar.head.position, eye.position) < distance(nearest.head.position, eye.position);
    if (isNearer) nearest = avatar;
  }
  return nearest;
}

/**
 * Returns how a hand holds a body out to a friend: radians to the left and upwards from -z in which the player has to
 * look, so that the hand, which stays where it is in the picture, points there; and metres from the hand to the body.
 */
export function holdingOut(
  { head }: AvatarView,
  eye: ReadonlyVector,
  { lens, at }: { readonly lens: Lens; readonly at: Place },
): { readonly yaw: number; readonly pitch: number; readonly reach: number } {
  const { position } = head;
  const across = Math.hypot(position.x - eye.x, position.z - eye.z);
  const away = Math.max(HELD_OUT_LEAST, across - HELD_OUT);
  const elevation = Math.atan2(position.y - HELD_OUT_BELOW - eye.y, away);
  // The ray through the hand's place, before the eye.
  const [right, up] = [at.x * lens.tangent * lens.aspect, at.y * lens.tangent];
  const sine = (Math.sin(elevation) * Math.hypot(right, up, 1)) / Math.hypot(up, 1);
  const pitch = Math.asin(Math.min(1, Math.max(-1, sine))) - Math.atan(up);
  const aside = Math.atan2(right, Math.cos(pitch) - up * Math.sin(pitch));
  return {
    yaw: bearingOf(eye, position) + aside,
    pitch,
    reach: Math.max(HELD_OUT_LEAST, distance(position, eye) - HELD_OUT - HAND_DISTANCE),
  };
}
