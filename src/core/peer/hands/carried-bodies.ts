import type { BodyId, Slot } from '../../base/ids.ts';
import { HAND_SIDES, isInHand, NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { ReadonlyPose } from '../../base/math.ts';
import { vector } from '../../base/math.ts';
import { putVector } from '../../base/motion.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import { quantiseMotion } from '../../wire/bodies/quantise.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * [W7] The bodies in other players' hands, as this peer shows them. A body is in a hand from the first due sample that
 * holds it, as long as the record has that player's authority. [A9] A given body stays in the giver's hand as long as
 * that hand shows it, and then hangs still until the receiver's hand shows it.
 */
export class CarriedBodies {
  /** For each slot and side the body in that hand, or NO_BODY. */
  readonly #carried = new Int16Array(MAX_PLAYERS * HAND_SIDES.length).fill(NO_BODY);

  /** Once a tick: moves carried bodies; gives those that are no longer carried back to the engine. */
  update(peer: PeerState): void {
    for (const side of HAND_SIDES) {
      for (let slot = 0; slot < MAX_PLAYERS; slot++) {
        const at = slot * HAND_SIDES.length + side;
        const was = this.#carried[at] as BodyId;
        const is = carriedIn(peer, slot as Slot, side);
        this.#carried[at] = is;
        if (was !== NO_BODY && was !== is && peer.giving.from(was) === NO_SLOT)
          this.#dropUnlessHeld(peer, was);
        const { carriedPose } = peer.authors[slot].stream.shown.hands[side];
        if (is === NO_BODY) continue;
        // [S2.5] Its first pose, wherever its hand may be.
        if (peer.bodies.isAwaited(is))
          peer.bodies.become(is, stateOf(peer.heldBounds.clamp(is, carriedPose)));
        peer.heldBounds.clamp(is, carriedPose);
        peer.bodies.kinematic.carry(is, carriedPose, slot as Slot);
      }
    }
    this.#endGiving(peer);
  }

  /** [A9] Ends the giving of bodies that the receiver's hand shows, or that the receiver does not hold any more. */
  #endGiving(peer: PeerState): void {
    const { bodies, giving } = peer;
    const { authority, hold } = bodies.records;
    if (!giving.isUnderWay) return;
    for (let i = 0; i < bodies.count; i++) {
      const body = i as BodyId;
      if (giving.from(body) === NO_SLOT) continue;
      const to = giving.to(body);
      const isShown = showsIn(peer, to, body);
      const isElsewhere = !isInHand(hold[body]) && bodies.following.isOf(body, to);
      if (authority[body] === to && !isShown && !isElsewhere) continue;
      giving.end(body);
      this.#dropUnlessHeld(peer, body);
    }
  }

  /** Gives a body back to the engine unless a hand holds it. */
  #dropUnlessHeld(peer: PeerState, body: BodyId): void {
    if (!this.#isCarried(body) && !inOwnHand(peer, body))
      peer.bodies.kinematic.makeDynamic(body, STILL, STILL);
  }

  /** The body that a player carries in a hand here, or NO_BODY. */
  of(slot: Slot, side: 0 | 1): BodyId {
    return this.#carried[slot * HAND_SIDES.length + side] as BodyId;
  }

  /** Forgets everything: the level begins anew. */
  clear(): void {
    this.#carried.fill(NO_BODY);
  }

  #isCarried(body: BodyId): boolean {
    return this.#carried.includes(body);
  }
}

/** The body that a player's hand carries here by its due sample and the record, or NO_BODY. */
function carriedIn(peer: PeerState, slot: Slot, side: 0 | 1): BodyId {
  const { stream } = peer.authors[slot];
  if (slot === peer.self || !stream.hasAvatar) return NO_BODY;
  const hand = stream.shown.hands[side];
  const body = hand.tracked ? hand.carried : NO_BODY;
  if (body === NO_BODY || !peer.bodies.exists(body)) return NO_BODY;
  // [J3.1] Its author sends its pose.
  if (peer.bodies.records.islands.isJointed[body] === 1) return NO_BODY;
  const { giving } = peer;
  const gives = giving.from(body) === slot && !showsIn(peer, giving.to(body), body);
  return gives || peer.bodies.records.authority[body] === slot ? body : NO_BODY;
}

/** True if the due sample of a player holds the body. */
function showsIn(peer: PeerState, slot: Slot, body: BodyId): boolean {
  const { hasAvatar, shown } = peer.authors[slot].stream;
  return hasAvatar && shown.hands.some((hand) => hand.tracked && hand.carried === body);
}

/** True if this player holds the body by the record. */
function inOwnHand(peer: PeerState, body: BodyId): boolean {
  const { records } = peer.bodies;
  return records.authority[body] === peer.self && isInHand(records.hold[body]);
}

/** The state of a body that is still at a pose; it is overwritten by the next call. */
function stateOf({ position, rotation }: ReadonlyPose): Int32Array {
  motion.fill(0);
  putVector(position, motion, 0);
  putVector(rotation, motion, MOTION.rotation);
  motion[MOTION.rotation + 3] = rotation.w;
  state.fill(-1);
  quantiseMotion(motion, 0, state);
  return state;
}

const STILL = vector();
/** Work space of stateOf. */
const motion = new Float32Array(STRIDE);
const state = new Int32Array(STRIDE);
