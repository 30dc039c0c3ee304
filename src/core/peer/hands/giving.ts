import type { BodyId, HandSide, Hold, Slot } from '../../base/ids.ts';
import { HAND_SIDES, holdOf, NO_BODY, NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { MAX_PLAYERS, TICK_RATE } from '../../base/constants.ts';
import { distance, pose, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { dequantisePose } from '../../wire/bodies/quantise.ts';
import { give } from '../../world/authority.ts';
import type { Bodies } from '../bodies/bodies.ts';
import type { PeerState } from '../peer-state.ts';
import { logEvent } from '../peer-state.ts';

/** [A9] Metres from a hand to the middle of what it points at, up to which it may reach for that. */
export const REACH_DISTANCE = 3;
/** Metres beyond which it reaches no more: the two walk about meanwhile. */
export const REACH_ENDS = 4;
/** Metres beyond which another player's reach is not believed: each sees the other's hand where it was. */
const PLAUSIBLE = 6;
/** Metres a second: what leaves a hand faster is thrown, and given to nobody. */
export const GIVEN_SPEED = 2;
/** Ticks for which a body waits for the host's word where it was let go: half a second. */
const WORD_TICKS = TICK_RATE / 2;
/** Ticks without news after which a player's hand reaches for nothing any more: half a second. */
const NEWS_TICKS = TICK_RATE / 2;

/** A hand that reaches for a body. Reused: valid until the next is asked for. */
type Reacher = { slot: Slot; side: HandSide };

/** [A9] The bodies on their way from hand to hand, as one peer has them. */
export class Giving {
  /** [G4] The last time that a body of this player's came into another's hand as it let go: when, and whose. */
  readonly given = { tick: -1, to: NO_SLOT };
  /**
   * For each body the tick until which it waits here for the host's word; 0: it does not. Below 0: it waited in
   * vain until that tick, but the word may still come.
   */
  readonly #until: Int32Array;
  /** For each body the players between whom it is, until the hand of the second shows it here; NO_SLOT: none. */
  readonly #from: Int8Array;
  readonly #to: Int8Array;
  /** How many are. */
  #count = 0;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#until = new Int32Array(count);
    this.#from = new Int8Array(count).fill(NO_SLOT);
    this.#to = new Int8Array(count).fill(NO_SLOT);
  }

  /** Forgets everything: the scene begins anew. */
  clear(): void {
    this.#until.fill(0);
    this.#from.fill(NO_SLOT);
    this.#to.fill(NO_SLOT);
    this.#count = 0;
  }

  /** True while any body is between two players: mostly none is. */
  get isUnderWay(): boolean {
    return this.#count > 0;
  }

  /** A guest has let go of a body that is reached for: it stays until the host has spoken, or not for long. */
  wait(body: BodyId, tick: number): void {
    this.#until[body] = tick + WORD_TICKS;
  }

  waits(body: BodyId): boolean {
    return this.#until[body] > 0;
  }

  /** True as long as the host's word may come that gives the body away, whether it waits or has begun to fall. */
  isLetGo(body: BodyId): boolean {
    return this.#until[body] !== 0;
  }

  /** The word has come, or the body is in a hand again. */
  stopWaiting(body: BodyId): void {
    this.#until[body] = 0;
  }

  /** Counts the time of a body that was let go; true in the tick in which it has waited long enough. */
  hasWaited(body: BodyId, tick: number): boolean {
    const until = this.#until[body];
    if (until > 0 && tick >= until) {
      this.#until[body] = -until;
      return true;
    }
    if (until < 0 && tick >= WORD_TICKS - until) this.#until[body] = 0;
    return false;
  }

  begin(body: BodyId, from: Slot, to: Slot): void {
    if (this.from(body) === NO_SLOT) this.#count++;
    this.#from[body] = from;
    this.#to[body] = to;
  }

  end(body: BodyId): void {
    if (this.from(body) !== NO_SLOT) this.#count--;
    this.#from[body] = NO_SLOT;
    this.#to[body] = NO_SLOT;
  }

  /** The player whose hand has given the body, while it is on its way; or NO_SLOT. */
  from(body: BodyId): Slot {
    return this.#from[body] as Slot;
  }

  /** The player to whose hand it goes. */
  to(body: BodyId): Slot {
    return this.#to[body] as Slot;
  }
}

/**
 * [A9] The hand to which a body goes that its holder lets go of: the nearest that reaches for it; of equals the
 * lower slot's, and its left one. The newest avatars count, whether they are shown yet or not.
 */
function reacherOf(peer: PeerState, body: BodyId, holder: Slot): Reacher | null {
  let nearest = PLAUSIBLE;
  let found: Reacher | null = null;
  for (let i = 0; i < MAX_PLAYERS; i++) {
    const slot = i as Slot;
    if (slot === holder || !isHeard(peer, slot)) continue;
    for (const side of HAND_SIDES) {
      const { avatar } = peer.authors[slot];
      if (!reachesWith(avatar, side, body)) continue;
      const away = reachLength(peer, avatar, side);
      if (away >= nearest) continue;
      nearest = away;
      found = reacher;
      found.slot = slot;
      found.side = side;
    }
  }
  return found;
}

function isHeard(peer: PeerState, slot: Slot): boolean {
  const { avatarTime, heardTick } = peer.authors[slot];
  return avatarTime >= 0 && (slot === peer.self || peer.tick - heardTick <= NEWS_TICKS);
}

function reachesWith(avatar: Readonly<AvatarSample>, side: HandSide, body: BodyId): boolean {
  const hand = avatar.hands[side];
  return hand.tracked && hand.held === NO_BODY && hand.reach === body;
}

/** True if the hand that a body is in, by the record, still reaches for it: it has not heard yet that it has it. */
export function isUnaware(avatar: Readonly<AvatarSample>, hold: Hold, body: BodyId): boolean {
  return HAND_SIDES.some((side) => holdOf(side) === hold && reachesWith(avatar, side, body));
}

/** Metres from a hand to what it reaches for. */
function reachLength(peer: PeerState, avatar: Readonly<AvatarSample>, side: HandSide): number {
  const { pose: handPose, reach } = avatar.hands[side];
  dequantisePose(handPose, 0, hand);
  return distance(hand.position, poseIn(peer.bodies.motion, reach, there).position);
}

/**
 * [A9] What is wrong with a reach as the host knows the world: for what that player holds itself, or for what is
 * far out of its reach. A body in nobody's hand is none: its holder's release has come first.
 */
export function isFalseReach(peer: PeerState, from: Slot, side: HandSide): boolean {
  const { avatar } = peer.authors[from];
  const { reach } = avatar.hands[side];
  if (!reachesWith(avatar, side, reach) || reach === NO_BODY) return false;
  const { authority, hold } = peer.bodies.records;
  const isOwn = authority[reach] === from && hold[reach] !== NOT_HELD;
  if (isOwn) return hold[reach] !== holdOf(side);
  return reachLength(peer, avatar, side) >= PLAUSIBLE;
}

/** True if somebody reaches for a body that this player lets go of. */
export function isReachedFor(peer: PeerState, body: BodyId): boolean {
  return reacherOf(peer, body, peer.self) !== null;
}

/** [A9] The host, as a holder lets go: gives the body to the hand that reaches for it. False if none does. */
export function giveAway(peer: PeerState, body: BodyId, holder: Slot): boolean {
  const to = reacherOf(peer, body, holder);
  if (to === null) return false;
  give(peer.bodies.records, body, to.slot, to.side, to.slot === peer.self);
  peer.relay.drop(body);
  wasGiven(peer, body, holder, peer.tick);
  return true;
}

/**
 * The record has gone from one hand straight to another's: until that shows the body here, it stays in the first
 * as long as that is shown with it, and then where it was let go.
 * @param tick in which this player is told, if it is the giver.
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

/** A body stands still where it is, and touches nothing. */
function hang(bodies: Bodies, body: BodyId, from: Slot): void {
  bodies.kinematic.carry(body, poseIn(bodies.motion, body, there), from);
}

/** [A9] What this player has let go of falls in the end, if the host has not given it to anybody. */
export function endWaiting(peer: PeerState): void {
  const { bodies, giving, tick, self } = peer;
  for (let i = 0; i < bodies.count; i++) {
    const body = i as BodyId;
    if (!giving.isLetGo(body)) continue;
    const isFree = bodies.records.authority[body] === self && bodies.records.hold[body] === NOT_HELD;
    if (!isFree) giving.stopWaiting(body);
    else if (giving.hasWaited(body, tick)) bodies.kinematic.makeDynamic(body, STILL, STILL);
  }
}

/** The host has heard the release, and has given the body to nobody. */
export function notGiven(peer: PeerState, body: BodyId): void {
  if (peer.giving.waits(body)) peer.bodies.kinematic.makeDynamic(body, STILL, STILL);
  peer.giving.stopWaiting(body);
}

/** A new connection: nothing is on its way any more, and what stood still falls. */
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
