import type { BodyId, HandSide, Hold, Slot } from '../../base/ids.ts';
import { HAND_SIDES, holdOf, isInHand, NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { MAX_PLAYERS, ticksIn } from '../../base/constants.ts';
import { pose, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { dequantisePose } from '../../wire/bodies/quantise.ts';
import { give, isAllowed } from '../../world/authority.ts';
import type { Bodies } from '../bodies/bodies.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';

/** [A9] Metres from a hand to a body up to which the hand may begin to reach for the body. */
export const REACH_DISTANCE = 3;
/** Metres beyond which a reach ends: more than where it begins, since both players walk about meanwhile. */
export const REACH_ENDS = 4;
/** Metres beyond which another player's reach is not believed: each player sees the other's hand where it was. */
export const PLAUSIBLE_REACH = 6;
/** Metres a second: a body that leaves a hand faster is thrown, and given to nobody. */
export const GIVEN_SPEED = 2;
/** Seconds without a packet after which a player's hand counts as reaching for nothing. */
const SILENT_SECONDS = 0.5;

/** A hand that reaches for a body. */
type Reacher = { slot: Slot; side: HandSide };

/**
 * [A9] Finds the hand that gets a body when its holder lets go: the nearest hand that reaches for it. Of equally near
 * hands the lower slot's wins, and of one player's the left one. The newest avatars count, shown yet or not.
 * @returns null if no hand reaches for the body; else an object that is valid until the next call.
 */
function reacherOf(peer: PeerState, body: BodyId, holder: Slot): Reacher | null {
  let nearest = PLAUSIBLE_REACH;
  let found: Reacher | null = null;
  // [J3.2] A hand that reaches for a jointed body pulls it.
  if (peer.bodies.records.islands.isJointed[body] === 1) return null;
  for (let i = 0; i < MAX_PLAYERS; i++) {
    const slot = i as Slot;
    if (slot === holder || !isPresent(peer, slot)) continue;
    if (!isAllowed(peer.bodies.records, body, 'hold', slot === peer.host)) continue;
    for (const side of HAND_SIDES) {
      const { avatar } = peer.authors[slot];
      if (!reachesWith(avatar, side, body)) continue;
      const far = reachLength(peer, avatar, side);
      if (far >= nearest) continue;
      nearest = far;
      found = reacher;
      found.slot = slot;
      found.side = side;
    }
  }
  return found;
}

/** True if a player has an avatar, and its packets still come. */
function isPresent(peer: PeerState, slot: Slot): boolean {
  const { avatarTime, receivedTick } = peer.authors[slot];
  if (avatarTime < 0) return false;
  return slot === peer.self || peer.tick - receivedTick <= ticksIn(SILENT_SECONDS, peer.rate);
}

function reachesWith(avatar: Readonly<AvatarSample>, side: HandSide, body: BodyId): boolean {
  const hand = avatar.hands[side];
  return hand.tracked && hand.held === NO_BODY && hand.reach === body;
}

/** True if the hand that holds a body by the record still reaches for it: its player has not got the ruling yet. */
export function isUnaware(avatar: Readonly<AvatarSample>, hold: Hold, body: BodyId): boolean {
  return HAND_SIDES.some((side) => holdOf(side) === hold && reachesWith(avatar, side, body));
}

/** Metres from a hand to the body that it reaches for. */
function reachLength(peer: PeerState, avatar: Readonly<AvatarSample>, side: HandSide): number {
  const { pose: handPose, reach } = avatar.hands[side];
  dequantisePose(handPose, 0, hand);
  return peer.heldBounds.distanceTo(reach, poseIn(peer.bodies.motion, reach, there), hand);
}

/**
 * [A9] True if a guest's reach can't be true: it is for a body in the guest's own other hand. A reach for a body in no
 * hand can be true: its holder's release may have come first. So can one for a body that is far away here: its holder may
 * have pulled it away.
 */
export function isFalseReach(peer: PeerState, from: Slot, side: HandSide): boolean {
  const { avatar } = peer.authors[from];
  const { reach } = avatar.hands[side];
  if (!reachesWith(avatar, side, reach) || reach === NO_BODY) return false;
  const { authority, hold } = peer.bodies.records;
  return authority[reach] === from && isInHand(hold[reach]) && hold[reach] !== holdOf(side);
}

/** True if another player reaches for a body that this player lets go of. */
export function isReachedFor(peer: PeerState, body: BodyId): boolean {
  return reacherOf(peer, body, peer.self) !== null;
}

/** [A9] Host: a holder lets go. Gives the body to the hand that reaches for it; returns false if no hand does. */
export function giveAway(peer: PeerState, body: BodyId, holder: Slot): boolean {
  const to = reacherOf(peer, body, holder);
  if (to === null) return false;
  give(peer.bodies.records, body, to.slot, to.side, to.slot === peer.self);
  peer.relay.drop(body);
  wasGiven(peer, body, holder, peer.tick);
  return true;
}

/**
 * The record of a body has gone from one player's hand straight to another's. Until the second hand shows the body
 * here, the body stays in the first as long as that is shown with it, and then hangs where it was let go.
 * @param tick in which this player notices, if it is the giver.
 */
export function wasGiven(peer: PeerState, body: BodyId, from: Slot, tick: number): void {
  const { bodies, giving } = peer;
  const to = bodies.records.authority[body] as Slot;
  logEvent(peer, 'give', 'A9', body, to);
  giving.stopWaiting(body);
  giving.end(body);
  if (to === peer.self) {
    bodies.startSimulating(body);
    return;
  }
  giving.begin(body, from, to);
  if (from === peer.self) {
    giving.given.tick = tick;
    giving.given.to = to;
  }
  if (from === peer.self || !bodies.kinematic.has(body)) hang(bodies, body, from);
}

/** Makes a body hang still where it is; it touches nothing. [S2.5] An awaited one is nowhere yet. */
function hang(bodies: Bodies, body: BodyId, from: Slot): void {
  if (!bodies.has(body)) return;
  bodies.kinematic.carry(body, poseIn(bodies.motion, body, there), from);
}

/** [A9] Once a tick: lets the bodies fall that have waited for a ruling for long enough. */
export function endWaiting(peer: PeerState): void {
  const { bodies, giving, tick, self } = peer;
  if (!giving.mayWait) return;
  giving.mayWait = false;
  for (let i = 0; i < bodies.count; i++) {
    const body = i as BodyId;
    if (!giving.isLetGo(body)) continue;
    giving.mayWait = true;
    const isFree = bodies.records.authority[body] === self && !isInHand(bodies.records.hold[body]);
    if (!isFree) giving.stopWaiting(body);
    else if (giving.hasWaited(body, tick)) bodies.kinematic.makeDynamic(body, STILL, STILL);
  }
}

/** The host has got the release, and has given the body to nobody: it falls. */
export function notGiven(peer: PeerState, body: BodyId): void {
  if (peer.giving.waits(body)) peer.bodies.kinematic.makeDynamic(body, STILL, STILL);
  peer.giving.stopWaiting(body);
}

/** A new connection: no body is on its way any more, and those that hang fall. */
export function dropGiving(peer: PeerState): void {
  const { bodies, giving } = peer;
  for (let i = 0; i < bodies.count; i++) {
    const body = i as BodyId;
    if (giving.waits(body) || giving.from(body) !== NO_SLOT) bodies.kinematic.makeDynamic(body, STILL, STILL);
  }
  giving.clear();
}

const STILL = vector();
const reacher: Reacher = { slot: NO_SLOT, side: 0 };
const hand = pose();
const there = pose();
