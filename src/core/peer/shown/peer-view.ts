import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { Pose } from '../../base/math.ts';
import { pose } from '../../base/math.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import type { HandGesture } from '../../hands/hand-gesture.ts';
import { handGesture } from '../../hands/hand-gesture.ts';
import { capacityOf } from '../../world/existence.ts';
import { MAX_DRIVEN } from '../../world/driven/driven.ts';
import type { Joint } from '../../world/joints/joint.ts';
import type { Level } from '../../world/level.ts';
import type { Shape } from '../../world/shape.ts';

/** One hand as it is drawn; its pose is in the world. */
export type HandView = HandGesture & {
  readonly pose: Pose;
  /** The body in this hand, or NO_BODY. */
  held: BodyId;
  /** Its shape, or null; known only for the peer's own hands. */
  heldShape: Shape | null;
  /** [A9] The body in another player's hand that this one reaches for, or NO_BODY. */
  reach: BodyId;
  /** The body that a grip would take now, or NO_BODY; known only for the peer's own hands. */
  selected: BodyId;
};

/** One player as it is drawn. */
export type AvatarView = {
  readonly slot: Slot;
  /** False while nothing is known of this player: the other fields mean nothing, and nothing is drawn. */
  present: boolean;
  /** [T1.4] True if this player has no avatar at all; `present` is false then. */
  avatarless: boolean;
  name: string;
  /** Loudness, 0 to 1. */
  voice: number;
  readonly head: Pose;
  readonly hands: readonly [HandView, HandView];
};

/** A picture of the world at one moment, filled by `Peer.view`. It belongs to the caller, who may change it. */
export type PeerView = {
  /** For each body POSE_STRIDE numbers: a position in metres and a unit quaternion (x, y, z, w). */
  readonly poses: Float32Array;
  /** [K1] For each driven body of the level the same; what is beyond them means nothing. */
  readonly driven: Float32Array;
  /** [J4] The joints by their numbers, null for one that is gone; empty before the view is filled. */
  readonly joints: (Joint | null)[];
  /** For each body its authority: a slot, or NO_SLOT. */
  readonly authority: Int8Array;
  /** For each id 1 if there is a body; all 1 before the view is filled. The other fields mean nothing without one. */
  readonly exists: Uint8Array;
  /** [S1] For each id its Existence: `templateOf` and `generationOf` read it. */
  readonly existence: Uint16Array;
  /** For each body 1 if its record is at rest. */
  readonly resting: Uint8Array;
  /** For each slot its avatar, the peer's own included. */
  readonly avatars: readonly AvatarView[];
  /** The slot of this peer's own player; NO_SLOT before the view is filled. */
  self: Slot;
};

/**
 * Makes a view to be filled by `Peer.view`.
 * @param of the peer's level; or how many bodies its world has at the most: `capacityOf` the level.
 */
export function peerView(of: Level | number): PeerView {
  const count = typeof of === 'number' ? of : capacityOf(of);
  return {
    poses: new Float32Array(count * POSE_STRIDE),
    driven: new Float32Array(MAX_DRIVEN * POSE_STRIDE),
    joints: [],
    authority: new Int8Array(count).fill(NO_SLOT),
    exists: new Uint8Array(count).fill(1),
    existence: new Uint16Array(count),
    resting: new Uint8Array(count),
    avatars: Array.from({ length: MAX_PLAYERS }, (_, slot) => avatarView(slot as Slot)),
    self: NO_SLOT,
  };
}

function avatarView(slot: Slot): AvatarView {
  const hands = [handView(), handView()] as const;
  return { slot, present: false, avatarless: false, name: '', voice: 0, head: pose(), hands };
}

function handView(): HandView {
  return {
    ...handGesture(),
    pose: pose(),
    held: NO_BODY,
    heldShape: null,
    reach: NO_BODY,
    selected: NO_BODY,
  };
}
