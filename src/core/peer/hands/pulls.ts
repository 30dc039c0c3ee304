import type { BodyId, HandSide, Slot } from '../../base/ids.ts';
import { HAND_SIDES, isInHand, NO_BODY } from '../../base/ids.ts';
import { MAX_PLAYERS, ticksIn } from '../../base/constants.ts';
import type { Pose, Vector } from '../../base/math.ts';
import {
  composePose,
  copyVector,
  distance,
  lerpVector,
  pose,
  relativePose,
  vector,
} from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { isAllowed } from '../../world/authority.ts';
import { holdOfIsland } from '../../world/record.ts';
import { MAX_PULLS } from '../../world/simulation.ts';
import type { PeerState } from '../peer-state.ts';
import { PLAUSIBLE_REACH } from './giving.ts';

/** Metres from where a hand would have a jointed body, beyond which the hand strains. */
const STRAIN = 0.75;
/** Seconds of strain after which the hand loses its hold. */
const LETS_GO_AFTER = 0.5;
/** The same for another player's hand, whose own peer sees both late, and has let go before. */
const STRAIN_OF_OTHERS = 1;
const ENDS_AFTER = 1;
/** Metres beyond which it lets go at once: in a second the force would fling a light island out of the room. */
const MOST_STRAIN = 3;
/**
 * [J3.7] Another player's hand pulls a part towards a place. Metres a second at which that place moves, at most: faster
 * than an arm. Without a limit, a hand that keeps just ahead of its part speeds it up without end.
 */
const MOST_SPEED = 10;

/**
 * [J3] Hands do not carry jointed bodies: they pull them, with bounded force, on the peer that simulates the island. These
 * are the hands of the player that has the island, and the hands of others that reach for a part of it.
 */
export class Pulls {
  /** For each hand, by slot and side, the body that it pulls here; or NO_BODY. */
  readonly #pulled = new Int16Array(MAX_PULLS).fill(NO_BODY);
  /** For each other player's hand the place of the body in it, as it was here when the pull began. */
  readonly #offsets: readonly Pose[] = Array.from({ length: MAX_PULLS }, pose);
  /** For each other player's hand the place to which it has pulled the body. */
  readonly #places: readonly Vector[] = Array.from({ length: MAX_PULLS }, vector);
  /** For each own hand where it would have the body that it reaches for. */
  readonly #reaches: readonly [Pose, Pose] = [pose(), pose()];
  /** For each own hand the ticks of strain. */
  readonly #strain = new Uint8Array(HAND_SIDES.length);
  /** The same for each hand of others. */
  readonly #strainOfOthers = new Uint8Array(MAX_PULLS);
  /** For each hand of others the body that it has lost, until it reaches for something else; or NO_BODY. */
  readonly #lost = new Int16Array(MAX_PULLS).fill(NO_BODY);

  /** Once a tick, before the step: pulls by the hands of other players, as they are shown. */
  update(peer: PeerState): void {
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      if (slot === peer.self) continue;
      for (const side of HAND_SIDES) this.#updateOther(peer, slot as Slot, side);
    }
  }

  #updateOther(peer: PeerState, slot: Slot, side: HandSide): void {
    const key = slot * HAND_SIDES.length + side;
    const { stream } = peer.authors[slot];
    const hand = stream.shown.hands[side];
    const body = stream.hasAvatar && hand.tracked ? hand.reach : NO_BODY;
    if (this.#lost[key] !== body) this.#lost[key] = NO_BODY;
    const begins = this.#pulled[key] !== body;
    const mayPull = body !== NO_BODY && this.#lost[key] === NO_BODY && isPulledHere(peer, body);
    if (!mayPull || (begins && !mayBegin(peer, slot, body, hand.pose))) {
      this.#end(peer, key);
      return;
    }
    const { motion } = peer.bodies;
    if (begins) {
      relativePose(hand.pose, poseIn(motion, body, at), this.#offsets[key]);
      this.#strainOfOthers[key] = 0;
      copyVector(at.position, this.#places[key]);
    }
    composePose(hand.pose, this.#offsets[key], to);
    const strain = distance(poseIn(motion, body, at).position, to.position);
    this.#strainOfOthers[key] = strain > STRAIN_OF_OTHERS ? this.#strainOfOthers[key] + 1 : 0;
    if (strain > MOST_STRAIN || this.#strainOfOthers[key] >= ticksIn(ENDS_AFTER, peer.rate)) {
      this.#lost[key] = body;
      this.#end(peer, key);
    } else {
      limitStep(to.position, this.#places[key], MOST_SPEED * (1 / peer.rate));
      this.#pull(peer, key, body, to);
    }
  }

  /**
   * An own hand holds a jointed body, and would have it at a pose.
   * @returns false if it has strained for so long that it loses its hold [J3.4].
   */
  hold(peer: PeerState, side: HandSide, body: BodyId, target: Readonly<Pose>): boolean {
    this.#pull(peer, peer.self * HAND_SIDES.length + side, body, target);
    return !this.#strains(peer, side, body, target);
  }

  /** An own hand holds no jointed body. */
  letGo(peer: PeerState, side: HandSide): void {
    this.#end(peer, peer.self * HAND_SIDES.length + side);
  }

  /** An own hand begins to reach for a jointed body of another player. */
  beginReach(peer: PeerState, side: HandSide, body: BodyId, hand: Readonly<Pose>): void {
    this.#strain[side] = 0;
    relativePose(hand, poseIn(peer.bodies.motion, body, at), this.#reaches[side]);
  }

  /** It reaches on. @returns false if it has strained for so long that it loses its hold [J3.4]. */
  reachOn(peer: PeerState, side: HandSide, body: BodyId, hand: Readonly<Pose>): boolean {
    return !this.#strains(peer, side, body, composePose(hand, this.#reaches[side], to));
  }

  /** The level begins anew: nobody pulls anything. */
  clear(peer: PeerState): void {
    for (let key = 0; key < MAX_PULLS; key++) this.#end(peer, key);
    this.#strain.fill(0);
    this.#lost.fill(NO_BODY);
  }

  #strains(peer: PeerState, side: HandSide, body: BodyId, target: Readonly<Pose>): boolean {
    const isFar = distance(poseIn(peer.bodies.motion, body, at).position, target.position) > STRAIN;
    this.#strain[side] = isFar ? this.#strain[side] + 1 : 0;
    return this.#strain[side] >= ticksIn(LETS_GO_AFTER, peer.rate);
  }

  #pull(peer: PeerState, key: number, body: BodyId, target: Readonly<Pose>): void {
    const { bodies } = peer;
    if (this.#pulled[key] !== body) bodies.rest.disturbTouching(body);
    this.#pulled[key] = body;
    // [R2.3] Its island does not sleep.
    bodies.rest.disturb(body);
    bodies.simulation.pull(key, body, target);
  }

  #end(peer: PeerState, key: number): void {
    if (this.#pulled[key] === NO_BODY) return;
    this.#pulled[key] = NO_BODY;
    peer.bodies.simulation.endPull(key);
  }
}

/** [J3.5] True if another player's hand may begin to pull a body that this peer simulates. */
function mayBegin(peer: PeerState, slot: Slot, body: BodyId, hand: Readonly<Pose>): boolean {
  const { records, motion } = peer.bodies;
  if (!isInHand(holdOfIsland(records, body))) return false;
  if (!isAllowed(records, body, 'hold', slot === peer.host)) return false;
  return peer.heldBounds.distanceTo(body, poseIn(motion, body, at), hand) < PLAUSIBLE_REACH;
}

/** True if this peer simulates a jointed body. */
function isPulledHere({ bodies }: PeerState, body: BodyId): boolean {
  const isJointed = bodies.records.islands.isJointed[body] === 1;
  return isJointed && bodies.has(body) && bodies.simulatedHere[body] === 1;
}

/** [J3.7] Moves the wished place to at most so many metres from the place before, which then is this one. */
function limitStep(wished: Vector, before: Vector, most: number): void {
  const metres = distance(before, wished);
  if (metres > most) lerpVector(before, wished, most / metres, wished);
  copyVector(wished, before);
}

const at = pose();
const to = pose();
