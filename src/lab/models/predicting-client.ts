import { MOTION, POSE_STRIDE, STATE, STRIDE } from '../../core/base/state.ts';
import { dot, quaternion } from '../../core/base/math.ts';
import { gridOf, gridShift, POSITION_STEPS } from '../../core/wire/bodies/quantise.ts';
import { Easing } from '../game/easing.ts';
import type { Hand } from '../game/hand.ts';
import { apart, posesOf, rotationAt } from '../game/poses.ts';
import type { LabWorld } from '../game/world.ts';
import type { GameSetup, LabPeer, PeerReport } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import type { LabPlayback } from '../network/playback.ts';
import { HermitePlayback } from '../network/playback.ts';
import { HISTORY } from '../network/server-line.ts';
import type { Snapshot } from '../network/snapshots.ts';
import { motionsOf, startMotions } from '../network/snapshots.ts';

/** Square metres, and 1 minus the rotations' dot product: beyond them a prediction was wrong. */
const POSITION_ERROR = 1e-7;
const ROTATION_ERROR = 1e-5;
/** Steps of the wire's grid, beyond its finest, that are no error: fast bodies travel on a coarser grid [W2]. */
const ROUNDED = 2;
/** The range in metres within which others may soon be touched, where only the own cube is drawn as predicted. */
const NEAR = 1.6;
/** The error in metres that a body which is not one's own may have before all is played again. */
const OTHERS_ERROR = 0.02;

/** The part in which the clients that predict differ. */
export type PredictionPolicy = {
  /** A snapshot in a packet, or null if there is none that is newer than all before. */
  receive(bytes: Uint8Array, tick: number): Snapshot | null;
  /** The tick that the client reaches next with this hand; at most one more than before, unless clocks disagree. */
  advance(hand: Hand): number;
  /** The own hand that acts in a tick. */
  ownHand(tick: number): Hand;
  /** Another player's hand in a tick, as far as it is known. */
  otherHand(player: number, tick: number): Hand;
  /** The client's tick whose result a snapshot has. */
  tickOf(snapshot: Snapshot): number;
  /** Whether all ticks since a snapshot are played again although nothing in it is wrong; asked once for each. */
  mustReplay(snapshot: Snapshot): boolean;
  /** This tick's packet. */
  write(): Uint8Array;
  /** Bytes of histories. */
  readonly kept: number;
  /** Hands of this player that the server has refused, and a sentence about it or ''. */
  readonly refused: number;
  readonly word: string;
};

export type ClientOptions = {
  /** The machine that packets go to. */
  readonly server: number;
  /** The share of a correction that is taken back in a tick; Easing's own without it. */
  readonly eased?: number;
  /** Draws those bodies between snapshots for which `isInterpolated` is true; by default a HermitePlayback. */
  readonly playback?: LabPlayback;
  isInterpolated(body: number): boolean;
};

/**
 * A client that does not wait for the server. Its own cube follows its hand at once, in a world of its own in which
 * the others go on from the last snapshot. The client compares each snapshot with its prediction for that tick. If
 * they differ, it goes back to that tick and plays the ticks since then again.
 */
export class PredictingClient implements LabPeer {
  readonly report: PeerReport = peerReport();
  readonly #policy: PredictionPolicy;
  readonly #options: ClientOptions;
  readonly #world: LabWorld;
  readonly #own: number;
  readonly #players: number;
  /** All motions after each of the last ticks. */
  readonly #states: Float32Array;
  readonly #size: number;
  readonly #playback: LabPlayback;
  readonly #between: Float32Array;
  readonly #drawn: Float32Array;
  readonly #easing: Easing;
  readonly #heard: Float32Array;
  /** The poses of a tick before and after it was corrected. */
  readonly #before: Float32Array;
  readonly #after: Float32Array;
  #snapshot: Snapshot | null = null;
  /** This client's ticks by its own clock, for the playback. */
  #clock = 0;

  constructor(setup: GameSetup, player: number, policy: PredictionPolicy, options: ClientOptions) {
    this.#policy = policy;
    this.#options = options;
    this.#world = setup.createWorld(player);
    this.#own = player;
    this.#players = setup.scene.homes.length;
    const { count } = this.#world;
    this.#size = count * STRIDE;
    this.#states = new Float32Array(HISTORY * this.#size);
    this.#states.set(this.#world.motion);
    this.#heard = new Float32Array(this.#size);
    this.#drawn = new Float32Array(count * POSE_STRIDE);
    posesOf(startMotions(setup.scene.level), this.#drawn);
    this.#between = this.#drawn.slice();
    this.#before = this.#drawn.slice();
    this.#after = this.#drawn.slice();
    this.#playback = options.playback ?? new HermitePlayback();
    this.#easing = new Easing(count, setup.switches.easing ? options.eased : 1);
    this.report.kept = this.#states.byteLength + policy.kept;
  }

  receive(_nowMs: number, _from: number, bytes: Uint8Array): void {
    const snapshot = this.#policy.receive(bytes, this.#clock);
    if (snapshot === null) return;
    this.#snapshot = snapshot;
    const motion = new Float32Array(this.#size);
    motionsOf(snapshot, motion);
    this.#playback.add({ tick: snapshot.worldTick, motion }, this.#clock + 1);
  }

  tick(hand: Hand): void {
    this.#clock++;
    if (this.#snapshot !== null) this.#reconcile(this.#snapshot);
    this.#snapshot = null;
    const next = this.#policy.advance(hand);
    // Clocks that disagree make it skip ticks; it plays them, so that its world stays whole.
    const from = Math.max(this.report.worldTick + 1, next - MOST_SKIPPED);
    for (let tick = from; tick <= next; tick++) this.#step(tick);
    this.report.worldTick = Math.max(this.report.worldTick, next);
    this.report.refused = this.#policy.refused;
    this.report.word = this.#policy.word;
    this.#draw();
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    send(this.#options.server, this.#policy.write());
  }

  view(out: Float32Array): void {
    out.set(this.#drawn);
  }

  /** One tick of the own world. */
  #step(tick: number): void {
    const hands = Array.from({ length: this.#players }, (_, player) =>
      player === this.#own ? this.#policy.ownHand(tick) : this.#policy.otherHand(player, tick),
    );
    this.#world.step(hands);
    this.#states.set(this.#world.motion, (tick % HISTORY) * this.#size);
  }

  /** Compares, and plays again from the first wrong tick. */
  #reconcile(snapshot: Snapshot): void {
    const { worldTick } = this.report;
    const tick = this.#policy.tickOf(snapshot);
    if (tick > worldTick || worldTick - tick >= HISTORY) return;
    motionsOf(snapshot, this.#heard);
    const then = (tick % HISTORY) * this.#size;
    const isWrong = this.#isOwnWrong(then, snapshot.states[this.#own]);
    if (isWrong) this.report.corrections++;
    const mustReplay = this.#policy.mustReplay(snapshot);
    if (!isWrong && !mustReplay && !this.#isOtherWrong(then)) return;
    posesOf(this.#world.motion, this.#before);
    this.#world.setAll(this.#heard);
    this.#states.set(this.#heard, then);
    for (let at = tick + 1; at <= worldTick; at++) this.#step(at);
    posesOf(this.#world.motion, this.#after);
    this.#easing.correct(this.#before, this.#after);
  }

  #isOwnWrong(then: number, state: Int32Array): boolean {
    const at = this.#own * STRIDE;
    const step = 2 ** gridShift(STATE.position, gridOf(state, STATE.linear));
    const rounded = (ROUNDED * (step - 1)) / POSITION_STEPS;
    const off = Math.max(0, apart(this.#heard, at, this.#states, then + at) - rounded);
    if (off ** 2 > POSITION_ERROR) return true;
    const said = rotationAt(this.#heard, at + MOTION.rotation, one);
    const predicted = rotationAt(this.#states, then + at + MOTION.rotation, other);
    return 1 - Math.abs(dot(said, predicted)) > ROTATION_ERROR;
  }

  /** True if a body that is drawn as predicted, or may soon be touched, is not where it was predicted. */
  #isOtherWrong(then: number): boolean {
    const own = this.#own * STRIDE;
    for (let at = 0, body = 0; at < this.#size; at += STRIDE, body++) {
      if (at === own) continue;
      if (this.#options.isInterpolated(body) && apart(this.#heard, own, this.#heard, at) > NEAR) continue;
      if (apart(this.#heard, at, this.#states, then + at) > OTHERS_ERROR) return true;
    }
    return false;
  }

  #draw(): void {
    posesOf(this.#world.motion, this.#drawn);
    this.#easing.apply(this.#drawn);
    this.#playback.advance(this.#clock, this.#between);
    for (let body = 0, at = 0; at < this.#drawn.length; body++, at += POSE_STRIDE) {
      if (body === this.#own || !this.#options.isInterpolated(body)) continue;
      this.#drawn.set(this.#between.subarray(at, at + POSE_STRIDE), at);
    }
  }
}

/** The most ticks that are played at once because clocks disagree. */
const MOST_SKIPPED = 4;
const one = quaternion();
const other = quaternion();
