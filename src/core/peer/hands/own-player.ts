import type { BodyId, HandSide, Slot } from '../../base/ids.ts';
import { HAND_SIDES, holdOf, isInHand, KEPT, LEFT, NO_BODY, NO_SLOT, RIGHT } from '../../base/ids.ts';
import { MAX_HOLD_DISTANCE, THROWN_SECONDS, ticksIn } from '../../base/constants.ts';
import type { Pose } from '../../base/math.ts';
import { distance, length, pose, relativePose, setQuaternion, setVector, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { POSE_STRIDE, STRIDE } from '../../base/state.ts';
import type { HeldBounds } from '../../hands/clamp-held.ts';
import { copyFlags } from '../../hands/hand-gesture.ts';
import type { HandInput, PlayerInput } from '../../hands/hand-input.ts';
import { playerInput } from '../../hands/hand-input.ts';
import type { HandCommand } from '../../hands/player-hands.ts';
import { PlayerHand } from '../../hands/player-hands.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';
import { AGE_STEPS, MAX_AGE, SQUEEZE_STEPS, VOICE_STEPS } from '../../wire/avatar/avatar.ts';
import { dequantisePose, quantiseOffset, quantisePose } from '../../wire/bodies/quantise.ts';
import {
  grab,
  isAllowed,
  mayGrab,
  mayTakeByContact,
  release,
  supportSet,
  take,
} from '../../world/authority.ts';
import { Pulls } from './pulls.ts';
import { holdOfIsland } from '../../world/record.ts';
import { giveAway, GIVEN_SPEED, isReachedFor, REACH_DISTANCE, REACH_ENDS } from './giving.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatorOf } from '../simulator.ts';

/** The player at this peer: the deeds of its hands, and the avatar that is sent to others. */
export class OwnPlayer {
  readonly hands: readonly [PlayerHand, PlayerHand];
  /** The input of the last tick. */
  input: Readonly<PlayerInput> = playerInput();
  /**
   * [G4] The last time that a hand lost its body to another player, or closed on one that another player holds: the
   * tick (-1: never), that player, and the hand of this player. [J3.4] NO_SLOT: the hand pulled too hard.
   */
  readonly lost: { tick: number; to: Slot; side: HandSide } = { tick: -1, to: NO_SLOT, side: RIGHT };
  /** [J3] The hands that pull jointed bodies, other players' among them. */
  readonly pulls = new Pulls();
  /** [G4] The last time that this player gave a body to another: see GivingState.given. */
  readonly given: { readonly tick: number; readonly to: Slot };
  readonly #support: BodyId[];

  /**
   * @param count bodies in the world.
   * @param given of this peer's GivingState.
   * @param bounds of held bodies.
   * @param rate ticks a second.
   */
  constructor(count: number, given: OwnPlayer['given'], bounds: HeldBounds, rate: number) {
    this.hands = [new PlayerHand(LEFT, bounds, rate), new PlayerHand(RIGHT, bounds, rate)];
    this.given = given;
    this.#support = new Array<BodyId>(count).fill(NO_BODY);
  }

  /**
   * Lets the hands act, in the middle of a tick.
   * @param given the input of this tick; kept until the next. Without an avatar it does not count [T1.4].
   * @param isTaken true for a body in another player's hand.
   */
  act(peer: PeerState, given: Readonly<PlayerInput>, isTaken: (body: BodyId) => boolean): void {
    const input = peer.authors[peer.self].isAvatarless ? NO_INPUT : given;
    this.input = input;
    const time = peer.tick - input.age;
    for (const side of HAND_SIDES) {
      const hand = this.hands[side];
      this.#reconcile(peer, hand);
      this.#receive(peer, hand, input.hands[side], time);
      const command = hand.update(input.hands[side], time, peer.bodies.simulation, isTaken);
      if (hand.selected !== NO_BODY && !this.#mayHold(peer, hand.selected)) hand.selected = NO_BODY;
      this.#carryOut(peer, hand, command, input.hands[side], time);
      if (hand.reach !== NO_BODY) this.#reachOn(peer, hand, input.hands[side], time);
      this.#moveHeld(peer, hand, input.hands[side], time);
    }
  }

  /** [G2] Moves the body in a hand to where the hand has it; or pulls it there, if it is jointed [J3]. */
  #moveHeld(peer: PeerState, hand: PlayerHand, input: Readonly<HandInput>, time: number): void {
    const { held: body, side } = hand;
    const { kinematic, motion } = peer.bodies;
    if (body === NO_BODY || !isJointed(peer, body)) {
      this.pulls.letGo(peer, side);
      if (body === NO_BODY) return;
      // [J4.7] Its last joint is gone: the hand carries it from where it is.
      if (!kinematic.has(body)) hand.hold(body, poseIn(motion, body, grabbed), input, time);
      if (!kinematic.has(body)) kinematic.hold(body);
      kinematic.move(body, hand.target);
      return;
    }
    // [J4.7] It has got its first joint.
    kinematic.makeDynamic(body, STILL, STILL);
    if (!this.pulls.hold(peer, side, body, input.pose, hand.offset)) {
      release(peer.bodies.records, body);
      logEvent(peer, 'release', 'J3', body, peer.self);
      hand.drop();
      this.pulls.letGo(peer, side);
      this.#loseByForce(peer, side);
    }
  }

  /** [H6] Empties the hands; the held bodies fall free. */
  letGoOfAll(peer: PeerState): void {
    for (const hand of this.hands)
      if (hand.held !== NO_BODY) peer.bodies.kinematic.makeDynamic(hand.held, STILL, STILL);
    this.dropAll(peer);
  }

  /** Empties the hands and leaves the bodies alone: the level begins anew. */
  dropAll(peer: PeerState): void {
    for (const hand of this.hands) {
      if (hand.held !== NO_BODY) hand.drop();
      hand.reach = NO_BODY;
    }
    this.pulls.clear(peer);
  }

  /** [G4] Drops the held body at once if the record no longer has it in this hand. */
  #reconcile(peer: PeerState, hand: PlayerHand): void {
    const body = hand.held;
    const { records } = peer.bodies;
    // [G1.2] The selected body may have been despawned.
    if (hand.selected !== NO_BODY && !peer.bodies.has(hand.selected)) hand.selected = NO_BODY;
    if (body === NO_BODY) return;
    const mine = records.authority[body] === peer.self;
    if (mine && records.hold[body] === holdOf(hand.side)) return;
    hand.drop();
    if (mine && isInHand(records.hold[body])) return;
    this.#lose(peer, body, hand.side);
    peer.bodies.kinematic.makeDynamic(body, STILL, STILL);
  }

  #carryOut(
    peer: PeerState,
    hand: PlayerHand,
    command: HandCommand,
    input: Readonly<HandInput>,
    time: number,
  ): void {
    if (command.kind === 'grab') this.#grab(peer, hand, command.body, input, time);
    if (command.kind !== 'release') return;
    const body = hand.held;
    release(peer.bodies.records, body);
    logEvent(peer, command.thrown ? 'throw' : 'release', 'A7', body, peer.self);
    hand.drop();
    const isFast = length(command.linear) >= GIVEN_SPEED;
    if (!isFast && this.#give(peer, body)) return;
    peer.bodies.kinematic.makeDynamic(body, command.linear, command.angular);
    // A body tossed upwards is no throw; but the host needs its speed before it can give the body to anybody.
    if (command.thrown || isFast) peer.thrownUntil[body] = peer.tick + ticksIn(THROWN_SECONDS, peer.rate);
  }

  /**
   * [A9] Deals with a body that another hand reaches for as this one lets go: the host gives it, a guest leaves it
   * where it is until the ruling. Returns false if no hand reaches for it.
   */
  #give(peer: PeerState, body: BodyId): boolean {
    if (peer.policy.isHost) return giveAway(peer, body, peer.self);
    if (!isReachedFor(peer, body)) return false;
    peer.giving.wait(body, peer.tick);
    return true;
  }

  /** [A9] Takes a body that the host has given to this hand, at the pose where it is shown. */
  #receive(peer: PeerState, hand: PlayerHand, input: Readonly<HandInput>, time: number): void {
    const { reach: body } = hand;
    const { bodies } = peer;
    if (body === NO_BODY || bodies.records.authority[body] !== peer.self) return;
    if (!bodies.has(body) || bodies.records.hold[body] !== holdOf(hand.side)) return;
    bodies.kinematic.hold(body);
    hand.hold(body, shownPose(bodies.drawn.poses, body), input, time);
    bodies.drawn.corrections.forget(body);
    logEvent(peer, 'grab', 'A9', body, peer.self);
  }

  /**
   * [A9] A closed hand goes on reaching for a body in another player's hand. A body that was let go and given to
   * nobody is grabbed, if the hand still touches it once it is shown outside the other hand.
   */
  #reachOn(peer: PeerState, hand: PlayerHand, input: Readonly<HandInput>, time: number): void {
    const { reach: body } = hand;
    const { bodies } = peer;
    if (isJointed(peer, body)) {
      this.#pullOn(peer, hand, input, time);
      return;
    }
    const isHeld = isInHand(bodies.records.hold[body]);
    const isAnothers = isHeld ? bodies.records.authority[body] !== peer.self : bodies.kinematic.has(body);
    if (isAnothers && isNear(peer, body, input, REACH_ENDS)) return;
    hand.reach = NO_BODY;
    if (!isHeld && hand.touches(body, input, bodies.simulation)) this.#grab(peer, hand, body, input, time);
  }

  /** [J3] A closed hand goes on pulling a part of another player's island; once nobody holds the island, it takes it. */
  #pullOn(peer: PeerState, hand: PlayerHand, input: Readonly<HandInput>, time: number): void {
    const { reach: body, side } = hand;
    const isFree = mayGrab(peer.bodies.records, body, peer.self);
    const holds = this.pulls.reachOn(peer, side, body, input.pose);
    const isHere = isNear(peer, body, input, REACH_ENDS);
    if (!isFree && holds && isHere) return;
    hand.reach = NO_BODY;
    if (isFree && isHere) this.#grab(peer, hand, body, input, time);
    else if (!holds) this.#loseByForce(peer, side);
  }

  #loseByForce(peer: PeerState, side: HandSide): void {
    this.lost.tick = peer.tick;
    this.lost.to = NO_SLOT;
    this.lost.side = side;
  }

  #lose(peer: PeerState, body: BodyId, side: HandSide): void {
    this.lost.tick = peer.tick;
    this.lost.to = simulatorOf(peer, body);
    this.lost.side = side;
  }

  /** [A6], [A8] Grabs a body, or reaches for it if another player holds it [A9]. */
  #grab(peer: PeerState, hand: PlayerHand, body: BodyId, input: Readonly<HandInput>, time: number): void {
    const { bodies } = peer;
    if (!this.#mayHold(peer, body)) return;
    if (!mayGrab(bodies.records, body, peer.self)) {
      if (holdOfIsland(bodies.records, body) !== KEPT && this.#reach(peer, hand, body, input)) return;
      logEvent(peer, 'deny', 'A6', body, peer.self);
      this.#lose(peer, body, hand.side);
      return;
    }
    poseIn(bodies.motion, body, grabbed);
    // The end of a long body may be within reach, and its middle too far away to be told [W7].
    if (distance(grabbed.position, input.pose.position) > MAX_HOLD_DISTANCE) return;
    this.#wakeSupported(peer, body);
    const other = this.hands[hand.side === LEFT ? RIGHT : LEFT];
    if (other.held === body) other.drop();
    grab(bodies.records, body, peer.self, hand.side, peer.policy.isHost);
    bodies.startSimulating(body);
    if (isJointed(peer, body)) bodies.rest.wakeRecord(body);
    else bodies.kinematic.hold(body);
    hand.hold(body, grabbed, input, time);
    logEvent(peer, 'grab', 'A6', body, peer.self);
  }

  /** [A15.2] True if there is a body, and its template lets this player hold it. */
  #mayHold({ bodies, policy }: PeerState, body: BodyId): boolean {
    return bodies.has(body) && isAllowed(bodies.records, body, 'hold', policy.isHost);
  }

  /** [A9] Reaches for a body in another player's hand. Returns false if it is too far, or the other hand reaches. */
  #reach(peer: PeerState, hand: PlayerHand, body: BodyId, input: Readonly<HandInput>): boolean {
    const other = this.hands[hand.side === LEFT ? RIGHT : LEFT];
    if (other.reach === body || !isNear(peer, body, input, REACH_DISTANCE)) return false;
    hand.reachFor(body);
    if (isJointed(peer, body)) this.pulls.beginReach(peer, hand.side, body, input.pose);
    logEvent(peer, 'reach', 'A9', body, peer.self);
    return true;
  }

  /** [A8] Wakes the bodies that rest on one that is taken away; those under nobody come under this player. */
  #wakeSupported(peer: PeerState, body: BodyId): void {
    const { records, simulation, motion } = peer.bodies;
    const count = supportSet(simulation.contacts, motion, STRIDE, body, this.#support);
    for (let i = 0; i < count; i++) {
      const supported = this.#support[i];
      peer.bodies.rest.disturb(supported);
      const { self, policy } = peer;
      if (
        records.authority[supported] === NO_SLOT &&
        mayTakeByContact(records, supported, self, policy.isHost)
      ) {
        take(records, supported, self, policy.isHost);
        peer.bodies.startSimulating(supported);
        logEvent(peer, 'take', 'A8', supported, peer.self);
      }
      if (records.authority[supported] === peer.self && !peer.bodies.kinematic.has(supported)) {
        peer.bodies.rest.wakeRecord(supported);
      }
    }
  }

  /** [T1], [W7] Quantises the avatar of this tick into that of its author, as all others get it. */
  sample(peer: PeerState): void {
    const own = peer.authors[peer.self];
    own.newestTick = peer.tick;
    if (!own.isAvatarless) own.avatarTime = this.#sampleAvatar(peer, own.avatarTime, own.avatar);
  }

  /**
   * @param last the moment of the sample that is in `out`, in ticks.
   * @returns the moment of the new one, in ticks; never earlier than `last`.
   */
  #sampleAvatar(peer: PeerState, last: number, out: AvatarSample): number {
    const age = Math.max(0, Math.min(MAX_AGE, Math.round(this.input.age * AGE_STEPS)));
    const [left, right] = out.hands;
    // While frames stop, the hands' time stops, too. But receivers take a change of hold only from a newer sample, so
    // this one gets a slightly newer time.
    const isChanged = differs(left, this.hands[LEFT]) || differs(right, this.hands[RIGHT]);
    out.age = Math.max(0, Math.min(age, (peer.tick - last) * AGE_STEPS - (isChanged ? 1 : 0)));
    quantisePose(this.input.head, out.head, 0);
    out.voice = steps(this.input.voice, VOICE_STEPS);
    for (const side of HAND_SIDES) this.#sampleHand(peer, side, out.hands[side]);
    return peer.tick - out.age / AGE_STEPS;
  }

  #sampleHand(peer: PeerState, side: 0 | 1, out: HandSample): void {
    const input = this.input.hands[side];
    const hand = this.hands[side];
    out.tracked = input.tracked;
    quantisePose(input.pose, out.pose, 0);
    out.grip = steps(input.grip, SQUEEZE_STEPS);
    out.trigger = steps(input.trigger, SQUEEZE_STEPS);
    copyFlags(input, out);
    out.held = hand.held;
    out.reach = hand.reach;
    if (hand.held === NO_BODY) return;
    const { records } = peer.bodies;
    out.ownershipSequence = records.ownershipSequence[hand.held] as HandSample['ownershipSequence'];
    out.authoritySequence = records.authoritySequence[hand.held] as HandSample['authoritySequence'];
    // Relative to the quantised hand that others get, so that its rounding does not grow with the distance.
    relativePose(dequantisePose(out.pose, 0, sampled), hand.target, sampledOffset);
    quantiseOffset(sampledOffset, out.offset);
  }
}

/** True if a hand holds or reaches for another body than in its last sample. */
function differs(sample: Readonly<HandSample>, hand: PlayerHand): boolean {
  return sample.held !== hand.held || sample.reach !== hand.reach;
}

/** [J1] True for a body that joints tie to others, or to the world. */
function isJointed({ bodies }: PeerState, body: BodyId): boolean {
  return bodies.records.islands.isJointed[body] === 1;
}

/** True if a body is at most this far from the hand. */
function isNear(peer: PeerState, body: BodyId, input: Readonly<HandInput>, metres: number): boolean {
  return peer.heldBounds.distanceTo(body, poseIn(peer.bodies.motion, body, reached), input.pose) <= metres;
}

/** The pose at which a body is drawn; valid until the next call or isNear. */
function shownPose(shown: Float32Array, body: BodyId): Pose {
  const at = body * POSE_STRIDE;
  setVector(reached.position, shown[at], shown[at + 1], shown[at + 2]);
  setQuaternion(reached.rotation, shown[at + 3], shown[at + 4], shown[at + 5], shown[at + 6]);
  return reached;
}

/** A share from 0 to 1 in whole steps, clamped; 0 for what is no number. */
function steps(value: number, most: number): number {
  return value > 0 ? Math.min(most, Math.round(value * most)) : 0;
}

const NO_INPUT: Readonly<PlayerInput> = playerInput();
const STILL = vector();
const grabbed = pose();
const reached = pose();
const sampled = pose();
const sampledOffset = pose();
