import type { BodyId, Slot } from '../../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { Pose, Quaternion } from '../../base/math.ts';
import {
  composePose,
  copyPose,
  lerpPose,
  nlerp,
  pose,
  quaternion,
  relativePose,
  setVector,
} from '../../base/math.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import type { PlayerInput } from '../../hands/hand-input.ts';
import { copyGesture } from '../../hands/hand-gesture.ts';
import type { CarriedBodies } from '../hands/carried-bodies.ts';
import { rideBetween } from '../driven/ride-avatars.ts';
import type { OwnPlayer } from '../hands/own-player.ts';
import type { PeerState } from '../peer-state.ts';
import type { AvatarView, PeerView } from './peer-view.ts';

/**
 * [T5] Fills a view at a moment between the last two ticks. Bodies are drawn on the straight line between their poses
 * after the two ticks; heads and hands of other players on the curve through their samples; what a hand holds follows
 * the hand.
 *
 * The pose of a body in another player's hand comes about in three stages:
 * 1. In each tick ShownAvatar composes it from the hand and the offset of the samples, and CarriedBodies gives it to
 *    the engine and to the poses after this tick.
 * 2. Here `blendPoses` puts it on the straight line between two ticks, as every body.
 * 3. Here `moveIntoHand` keeps its place relative to the hand on that straight line, and moves it along to the hand as
 *    it is drawn, on the curve. Without this stage the body would swing in the hand.
 * @param alpha 0: the tick before; 1: the present tick.
 * @param input this player's hands of the drawn frame; null for those of the tick.
 */
export function fillView(
  peer: PeerState,
  player: OwnPlayer,
  carrying: CarriedBodies,
  alpha: number,
  input: Readonly<PlayerInput> | null,
  out: PeerView,
): void {
  const { bodies } = peer;
  if (out.exists.length < bodies.count)
    throw new RangeError('The view has too few bodies: make it by peerView(level).');
  out.self = peer.self;
  blendPoses(bodies.drawn.before, bodies.drawn.poses, alpha, out.poses);
  blendPoses(bodies.driven.before, bodies.driven.poses, alpha, out.driven);
  const { joints, isGone } = bodies.records.islands;
  if (out.joints.length !== joints.length) out.joints.length = joints.length;
  for (let i = 0; i < joints.length; i++) out.joints[i] = isGone[i] === 0 ? joints[i] : null;
  out.authority.set(bodies.records.authority);
  out.resting.set(bodies.records.resting);
  out.existence.set(bodies.records.existence);
  for (let body = 0; body < bodies.count; body++) out.exists[body] = bodies.templates[body] === null ? 0 : 1;
  for (let slot = 0; slot < MAX_PLAYERS; slot++) {
    const avatar = out.avatars[slot];
    avatar.avatarless = peer.authors[slot].isAvatarless;
    if (avatar.avatarless) {
      avatar.present = false;
      continue;
    }
    if (slot === peer.self) viewOwn(peer, player, input ?? player.input, avatar, out.poses);
    else viewOther(peer, carrying, slot as Slot, alpha, avatar, out.poses);
  }
}

/** Draws this player where its devices are in the frame, and the bodies that it holds in its hands. */
function viewOwn(
  peer: PeerState,
  player: OwnPlayer,
  input: Readonly<PlayerInput>,
  out: AvatarView,
  poses: Float32Array,
): void {
  out.present = true;
  out.name = peer.authors[peer.self].name;
  out.voice = input.voice;
  copyPose(input.head, out.head);
  for (const side of HAND_SIDES) {
    const from = input.hands[side];
    const to = out.hands[side];
    const hand = player.hands[side];
    copyGesture(from, to);
    copyPose(from.pose, to.pose);
    to.held = hand.held;
    to.heldShape = hand.held === NO_BODY ? null : peer.heldBounds.shapeOf(hand.held);
    to.reach = hand.reach;
    to.selected = hand.selected;
    if (hand.held === NO_BODY || peer.bodies.records.islands.isJointed[hand.held] === 1) continue;
    hand.placeHeld(from.pose, held);
    putPose(held, poses, hand.held * POSE_STRIDE);
  }
}

/** Draws another player, and the bodies that it carries; it is absent until the first of its samples is due. */
function viewOther(
  peer: PeerState,
  carrying: CarriedBodies,
  slot: Slot,
  alpha: number,
  out: AvatarView,
  poses: Float32Array,
): void {
  const { stream, name } = peer.authors[slot];
  const { shown, drawn, hasAvatar } = stream;
  out.present = hasAvatar;
  if (!hasAvatar) return;
  out.name = name;
  out.voice = shown.voice;
  const moment = stream.drawBetween(alpha);
  if (!Number.isNaN(moment)) rideBetween(peer, peer.authors[slot], moment, alpha);
  copyPose(drawn.head, out.head);
  for (const side of HAND_SIDES) {
    const from = shown.hands[side];
    const to = out.hands[side];
    copyGesture(from, to);
    copyPose(drawn.hands[side], to.pose);
    to.held = carrying.of(slot, side);
    to.reach = from.tracked ? from.reach : NO_BODY;
    to.selected = NO_BODY;
    to.heldShape = null;
    if (to.held === NO_BODY) continue;
    lerpPose(drawn.before.hands[side], from.pose, alpha, straight);
    moveIntoHand(peer, to.held, straight, to.pose, poses);
  }
}

/** Moves a body from where it lies in a hand on the straight line to the same place in the hand as it is drawn. */
function moveIntoHand(
  peer: PeerState,
  body: BodyId,
  straightHand: Readonly<Pose>,
  drawnHand: Readonly<Pose>,
  poses: Float32Array,
): void {
  const at = body * POSE_STRIDE;
  getPose(poses, at, held);
  composePose(drawnHand, relativePose(straightHand, held, held), held);
  peer.heldBounds.clamp(body, held);
  putPose(held, poses, at);
}

/** Blends all poses of bodies: positions linearly, rotations by normalised linear interpolation. */
function blendPoses(before: Float32Array, after: Float32Array, alpha: number, out: Float32Array): void {
  for (let at = 0; at < after.length; at += POSE_STRIDE) {
    for (let i = 0; i < 3; i++) out[at + i] = before[at + i] + (after[at + i] - before[at + i]) * alpha;
    nlerp(read(before, at + 3, from), read(after, at + 3, to), alpha, to);
    out[at + 3] = to.x;
    out[at + 4] = to.y;
    out[at + 5] = to.z;
    out[at + 6] = to.w;
  }
}

function read(array: Float32Array, at: number, out: Quaternion): Quaternion {
  out.x = array[at];
  out.y = array[at + 1];
  out.z = array[at + 2];
  out.w = array[at + 3];
  return out;
}

function getPose(array: Float32Array, at: number, out: Pose): Pose {
  setVector(out.position, array[at], array[at + 1], array[at + 2]);
  read(array, at + 3, out.rotation);
  return out;
}

function putPose(p: Readonly<Pose>, out: Float32Array, at: number): void {
  out[at] = p.position.x;
  out[at + 1] = p.position.y;
  out[at + 2] = p.position.z;
  out[at + 3] = p.rotation.x;
  out[at + 4] = p.rotation.y;
  out[at + 5] = p.rotation.z;
  out[at + 6] = p.rotation.w;
}

/** Work space of single calls. */
const held = pose();
const straight = pose();
const from = quaternion();
const to = quaternion();
