import type { BodyId, HandSide, Slot } from '../../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';

/** Metres: x, y (up), z. */
export type Place = readonly [number, number, number];

/** A picture in which bodies lie at these places, and players stand with their eyes at those, by slot. */
export function viewOf(
  self: number,
  bodies: readonly Place[],
  heads: Readonly<Record<number, Place>>,
): PeerView {
  const view = peerView(bodies.length);
  view.self = self as Slot;
  view.resting.fill(1);
  for (const [body, place] of bodies.entries()) view.poses.set([...place, 0, 0, 0, 1], body * POSE_STRIDE);
  for (const [slot, [x, y, z]] of Object.entries(heads)) {
    const avatar = view.avatars[Number(slot)];
    avatar.present = true;
    Object.assign(avatar.head.position, { x, y, z });
  }
  return view;
}

/** A player's hand is seen, and has these. */
export function hand(
  view: PeerView,
  slot: number,
  side: HandSide,
  { held, reach, at }: { held?: number; reach?: number; at?: Place },
): void {
  const one = view.avatars[slot].hands[side];
  one.tracked = true;
  if (held !== undefined) one.held = held as BodyId;
  if (reach !== undefined) one.reach = reach as BodyId;
  if (at !== undefined) Object.assign(one.pose.position, { x: at[0], y: at[1], z: at[2] });
}
