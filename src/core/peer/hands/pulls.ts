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
  rotate,
  setVector,
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
 * The greatest load that a pull allows for. With more, it would tear a light handle off its thing before the thing
 * moved.
 */
const MOST_LOAD = 30;

/**
 * [J3] Hands do not carry jointed bodies: they pull them, with bounded force, on the peer that simulates the island. These
 * are the hands of the player that has the island, and the hands of others that reach for a part of it.
 */
export class Pulls {
  /** For each hand, by slot and side, the body that it pulls here; or NO_BODY. */
  readonly #pulled = new Int16Array(MAX_PULLS).fill(NO_BODY);
  /** For each hand the place of the body in it, as it was here when the hand closed on it. */
  readonly #offsets: readonly Pose[] = Array.from({ length: MAX_PULLS }, pose);
  /** For each hand the point of its body at which it pulls, in the body's frame. */
  readonly #grips: readonly Vector[] = Array.from({ length: MAX_PULLS }, vector);
  /** For each other player's hand the place to which it has pulled that point. */
  readonly #places: readonly Vector[] = Array.from({ length: MAX_PULLS }, vector);
  /** For each own hand the ticks of strain. */
  readonly #ticksOfStrain = new Uint8Array(HAND_SIDES.length);
  /** The same for each hand of others. */
  readonly #ticksOfOthers = new Uint8Array(MAX_PULLS);
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
    const key = keyOf(slot, side);
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
    if (begins) {
      this.#grip(peer, key, body, hand.pose);
      this.#ticksOfOthers[key] = 0;
      gripIn(at, this.#grips[key], this.#places[key]);
    }
    const strain = this.#strain(peer, key, body, composePose(hand.pose, this.#offsets[key], to));
    this.#ticksOfOthers[key] = strain > STRAIN_OF_OTHERS ? this.#ticksOfOthers[key] + 1 : 0;
    if (strain > MOST_STRAIN || this.#ticksOfOthers[key] >= ticksIn(ENDS_AFTER, peer.rate)) {
      this.#lost[key] = body;
      this.#end(peer, key);
    } else {
      gripIn(to, this.#grips[key], to.position);
      limitStep(to.position, this.#places[key], MOST_SPEED * (1 / peer.rate));
      this.#pull(peer, key, body, to);
    }
  }

  /**
   * An own hand holds a jointed body.
   * @param offset the pose that the body is to have, in the frame of the hand. It may lie below the floor: the joints hold the body.
   * @returns false if it has strained for so long that it loses its hold [J3.4].
   */
  hold(peer: PeerState, side: HandSide, body: BodyId, hand: Readonly<Pose>, offset: Readonly<Pose>): boolean {
    const key = keyOf(peer.self, side);
    if (this.#pulled[key] !== body) this.#grip(peer, key, body, hand);
    const holds = !this.#strains(peer, side, body, composePose(hand, offset, to));
    gripIn(to, this.#grips[key], to.position);
    this.#pull(peer, key, body, to);
    return holds;
  }

  /** An own hand holds no jointed body. */
  letGo(peer: PeerState, side: HandSide): void {
    this.#end(peer, keyOf(peer.self, side));
  }

  /** An own hand begins to reach for a jointed body of another player. */
  beginReach(peer: PeerState, side: HandSide, body: BodyId, hand: Readonly<Pose>): void {
    this.#ticksOfStrain[side] = 0;
    const key = keyOf(peer.self, side);
    this.#grip(peer, key, body, hand);
  }

  /** It reaches on. @returns false if it has strained for so long that it loses its hold [J3.4]. */
  reachOn(peer: PeerState, side: HandSide, body: BodyId, hand: Readonly<Pose>): boolean {
    return !this.#strains(peer, side, body, composePose(hand, this.#offsets[keyOf(peer.self, side)], to));
  }

  /** The level begins anew: nobody pulls anything. */
  clear(peer: PeerState): void {
    for (let key = 0; key < MAX_PULLS; key++) this.#end(peer, key);
    this.#ticksOfStrain.fill(0);
    this.#lost.fill(NO_BODY);
  }

  #strains(peer: PeerState, side: HandSide, body: BodyId, target: Readonly<Pose>): boolean {
    const isFar = this.#strain(peer, keyOf(peer.self, side), body, target) > STRAIN;
    this.#ticksOfStrain[side] = isFar ? this.#ticksOfStrain[side] + 1 : 0;
    return this.#ticksOfStrain[side] >= ticksIn(LETS_GO_AFTER, peer.rate);
  }

  /**
   * A hand closes on a body, or reaches for it: sets the point at which it pulls, and the body's place in it. Leaves the
   * body's pose in `at`.
   */
  #grip(peer: PeerState, key: number, body: BodyId, hand: Readonly<Pose>): void {
    relativePose(hand, poseIn(peer.bodies.motion, body, at), this.#offsets[key]);
    peer.heldBounds.nearest(body, at, hand, this.#grips[key]);
  }

  /** Metres from the point at which a hand pulls to where it would have that point. */
  #strain(peer: PeerState, key: number, body: BodyId, target: Readonly<Pose>): number {
    const grip = this.#grips[key];
    gripIn(target, grip, wished);
    return distance(gripIn(poseIn(peer.bodies.motion, body, at), grip, present), wished);
  }

  /** @param target where the point at which the hand pulls is to be, and the body's rotation. */
  #pull(peer: PeerState, key: number, body: BodyId, target: Readonly<Pose>): void {
    const { bodies } = peer;
    if (this.#pulled[key] !== body) bodies.rest.disturbTouching(body);
    this.#pulled[key] = body;
    // [R2.3] Its island does not sleep.
    bodies.rest.disturb(body);
    bodies.simulation.pull(key, body, this.#grips[key], target, loadOn(bodies, body));
  }

  #end(peer: PeerState, key: number): void {
    if (this.#pulled[key] === NO_BODY) return;
    this.#pulled[key] = NO_BODY;
    peer.bodies.simulation.endPull(key);
  }
}

/** The key of a player's hand in the arrays of Pulls. */
function keyOf(slot: Slot, side: HandSide): number {
  return slot * HAND_SIDES.length + side;
}

/** Where a point of a body's frame is in the world. @param out may be the body's own position. */
function gripIn(body: Readonly<Pose>, grip: Readonly<Vector>, out: Vector): Vector {
  const { x, y, z } = body.position;
  rotate(body.rotation, grip, out);
  return setVector(out, x + out.x, y + out.y, z + out.z);
}

/**
 * The mass of a body's island as a multiple of the body's own: a whole number from 1 to MOST_LOAD, since a fraction
 * that is passed on may become garbage.
 */
function loadOn({ records, templates }: PeerState['bodies'], body: BodyId): number {
  let kilograms = 0;
  for (const part of records.islands.parts[body]) kilograms += templates[part]?.mass ?? 0;
  const load = Math.round(kilograms / (templates[body]?.mass ?? kilograms));
  return Math.max(1, Math.min(load, MOST_LOAD));
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
const present = vector();
const wished = vector();
