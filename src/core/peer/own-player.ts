import type { BodyId } from '../base/ids.ts';
import { HAND_SIDES, holdOf, LEFT, NO_BODY, NO_SLOT, RIGHT } from '../base/ids.ts';
import { THROWN_TICKS } from '../base/constants.ts';
import { pose, relativePose, vector } from '../base/math.ts';
import { poseIn } from '../base/motion.ts';
import { STRIDE } from '../base/state.ts';
import type { HandInput, PlayerInput } from '../hands/hand-input.ts';
import { playerInput } from '../hands/hand-input.ts';
import type { HandCommand } from '../hands/player-hands.ts';
import { PlayerHand } from '../hands/player-hands.ts';
import type { AvatarSample, HandSample } from '../wire/avatar.ts';
import { AGE_STEPS, MAX_AGE, SQUEEZE_STEPS, VOICE_STEPS } from '../wire/avatar.ts';
import { dequantisePose, quantiseOffset, quantisePose } from '../wire/quantise.ts';
import { grab, mayGrab, release, supportSet, take } from '../world/authority.ts';
import type { PeerState } from './peer-state.ts';
import { note, simulatorOf } from './peer-state.ts';

/** The player at this peer: what its hands do to bodies, and the avatar that others will see. */
export class OwnPlayer {
  readonly hands: readonly [PlayerHand, PlayerHand] = [new PlayerHand(LEFT), new PlayerHand(RIGHT)];
  /** The input of the last tick. */
  input: Readonly<PlayerInput> = playerInput();
  /** [G4] The last time that the host gave what a hand held, or reached for, to another: when, and to whom. */
  readonly lost = { tick: -1, to: NO_SLOT };
  readonly #support: BodyId[];

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#support = new Array<BodyId>(count).fill(NO_BODY);
  }

  /** Lets the hands act, in the middle of a tick. */
  act(peer: PeerState, input: Readonly<PlayerInput>): void {
    this.input = input;
    const time = peer.tick - input.age;
    for (const side of HAND_SIDES) {
      const hand = this.hands[side];
      this.#reconcile(peer, hand);
      const command = hand.update(input.hands[side], time, peer.bodies.simulation);
      this.#obey(peer, hand, command, input.hands[side], time);
      if (hand.held !== NO_BODY) peer.bodies.moveHeld(hand.held, hand.target);
    }
  }

  /** [H6] What the hands hold falls free. */
  letGoOfAll(peer: PeerState): void {
    for (const hand of this.hands) if (hand.held !== NO_BODY) peer.bodies.letGo(hand.held, STILL, STILL);
    this.dropAll();
  }

  /** Empties the hands: the scene begins anew. */
  dropAll(): void {
    for (const hand of this.hands) if (hand.held !== NO_BODY) hand.drop();
  }

  /** [G4] A body that the record no longer gives to this hand leaves it at once. */
  #reconcile(peer: PeerState, hand: PlayerHand): void {
    const body = hand.held;
    const { records } = peer.bodies;
    if (body === NO_BODY) return;
    const mine = records.authority[body] === peer.self;
    if (mine && records.hold[body] === holdOf(hand.side)) return;
    hand.drop();
    if (mine && records.hold[body] !== 0) return;
    this.#lose(peer, body);
    peer.bodies.letGo(body, STILL, STILL);
  }

  #obey(
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
    peer.bodies.letGo(body, command.linear, command.angular);
    if (command.thrown) peer.thrownUntil[body] = peer.tick + THROWN_TICKS;
    note(peer, command.thrown ? 'throw' : 'release', 'A7', body, peer.self);
    hand.drop();
  }

  #lose(peer: PeerState, body: BodyId): void {
    this.lost.tick = peer.tick;
    this.lost.to = simulatorOf(peer, body);
  }

  /** [A6], [A8] */
  #grab(peer: PeerState, hand: PlayerHand, body: BodyId, input: Readonly<HandInput>, time: number): void {
    const { bodies } = peer;
    if (!mayGrab(bodies.records, body, peer.self)) {
      note(peer, 'deny', 'A6', body, peer.self);
      this.#lose(peer, body);
      return;
    }
    this.#wakeSupported(peer, body);
    const other = this.hands[hand.side === LEFT ? RIGHT : LEFT];
    if (other.held === body) other.drop();
    grab(bodies.records, body, peer.self, hand.side, peer.policy.isHost);
    bodies.takenHere(body);
    bodies.hold(body);
    hand.hold(body, poseIn(bodies.motion, body, grabbed), input, time);
    note(peer, 'grab', 'A6', body, peer.self);
  }

  /** [A8] What rests on a body wakes when it leaves, and has this player's authority if it had none. */
  #wakeSupported(peer: PeerState, body: BodyId): void {
    const { records, simulation, motion } = peer.bodies;
    const count = supportSet(simulation.contacts, motion, STRIDE, body, this.#support);
    for (let i = 0; i < count; i++) {
      const supported = this.#support[i];
      peer.bodies.stir(supported);
      if (records.authority[supported] === NO_SLOT) {
        take(records, supported, peer.self, peer.policy.isHost);
        peer.bodies.takenHere(supported);
        note(peer, 'take', 'A8', supported, peer.self);
      }
      if (records.authority[supported] === peer.self && !peer.bodies.isHeldHere(supported)) {
        peer.bodies.wakeRecord(supported);
      }
    }
  }

  /**
   * [T1], [W7] The avatar of this tick, as all others get it.
   * @param last the moment of the sample that is in `out`, in ticks.
   * @returns the moment of this one.
   */
  sample(peer: PeerState, last: number, out: AvatarSample): number {
    const age = Math.max(0, Math.min(MAX_AGE, Math.round(this.input.age * AGE_STEPS)));
    const [left, right] = out.hands;
    // While frames stop no time passes in the hands; but what they hold is heard of by a newer moment alone.
    const isNews = left.held !== this.hands[LEFT].held || right.held !== this.hands[RIGHT].held;
    out.age = Math.max(0, Math.min(age, (peer.tick - last) * AGE_STEPS - (isNews ? 1 : 0)));
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
    out.pointing = input.pointing;
    out.thumbUp = input.thumbUp;
    out.held = hand.held;
    if (hand.held === NO_BODY) return;
    const { records } = peer.bodies;
    out.ownershipSequence = records.ownershipSequence[hand.held] as HandSample['ownershipSequence'];
    out.authoritySequence = records.authoritySequence[hand.held] as HandSample['authoritySequence'];
    // Relative to the hand as others will have it, so that its rounding does not grow with the distance.
    relativePose(dequantisePose(out.pose, 0, sampled), hand.target, sampledOffset);
    quantiseOffset(sampledOffset, out.offset);
  }
}

function steps(value: number, most: number): number {
  return value > 0 ? Math.min(most, Math.round(value * most)) : 0;
}

const STILL = vector();
const grabbed = pose();
const sampled = pose();
const sampledOffset = pose();
