import { MOTION, POSE_STRIDE, STATE, STRIDE } from '../../core/base/state.ts';
import { dot, quaternion } from '../../core/base/math.ts';
import { gridOf, gridShift, POSITION_STEPS } from '../../core/wire/bodies/quantise.ts';
import type { Hand } from '../game/hand.ts';
import { OrderedIntake } from '../game/intake.ts';
import type { GameSetup, LabModel, LabPeer, PeerReport } from '../lab-model.ts';
import { peerReport } from '../lab-model.ts';
import { HermitePlayback } from '../network/playback.ts';
import { apart, blendPose, posesOf, rotationAt } from '../game/poses.ts';
import { HISTORY, ServerLine } from '../network/server-line.ts';
import type { Snapshot } from '../network/snapshots.ts';
import { motionsOf, startMotions } from '../network/snapshots.ts';
import type { LabWorld } from '../game/world.ts';
import { SERVER, StateServer } from './server.ts';

/** Square metres, and 1 minus the rotations' dot product: beyond them a prediction was wrong. */
const POSITION_ERROR = 1e-7;
const ROTATION_ERROR = 1e-5;
/** Steps of the wire's grid, beyond its finest, that are no error: fast bodies travel on a coarser grid [W2]. */
const ROUNDED = 2;
/**
 * The share of a correction that is smoothed away in a tick, and the metres beyond which it is not smoothed at
 * all.
 */
const SMOOTHED = 0.1;
const SNAP = 2;
/**
 * The range in metres within which others may soon be touched, and the error in metres that they may have then.
 */
const NEAR = 1.6;
const NEAR_ERROR = 0.02;

export type PredictionOptions = {
  /** Ticks from a hand to the moment at which it acts; the server should have it by then. */
  readonly lead: number;
  /** The client's tick whose result a snapshot contains. */
  readonly tickOf: (snapshot: Snapshot, line: ServerLine) => number;
};

/**
 * A client that does not wait for the server. Its own cube follows its hand at once, in a world of its own in
 * which the others continue from the last snapshot. The client compares each snapshot with its prediction for
 * that tick. If they differ, it goes back to that tick and plays the hands since then again. The others are
 * drawn between snapshots.
 */
export class PredictingClient implements LabPeer {
  readonly report: PeerReport = peerReport();
  readonly #line: ServerLine;
  readonly #world: LabWorld;
  readonly #own: number;
  readonly #options: PredictionOptions;
  /** All motions after each of the last ticks. */
  readonly #states: Float32Array;
  readonly #size: number;
  readonly #others = new HermitePlayback();
  readonly #drawn: Float32Array;
  /** The offset between the drawn and the true own cube: corrections that are still being smoothed. */
  readonly #offset = new Float32Array(POSE_STRIDE).fill(0);
  readonly #heard: Float32Array;
  #hands: readonly Hand[];
  #snapshot: Snapshot | null = null;

  constructor(setup: GameSetup, player: number, options: PredictionOptions) {
    this.#line = new ServerLine(setup.scene, player);
    this.#world = setup.createWorld(player);
    this.#own = player;
    this.#options = options;
    this.#size = this.#world.count * STRIDE;
    this.#states = new Float32Array(HISTORY * this.#size);
    this.#states.set(this.#world.motion);
    this.#heard = new Float32Array(this.#size);
    this.#drawn = new Float32Array(this.#world.count * POSE_STRIDE);
    posesOf(startMotions(setup.scene.bodies), this.#drawn);
    this.#hands = setup.scene.homes;
    this.report.kept = this.#states.byteLength + this.#line.snapshots.bytes;
  }

  receive(_nowMs: number, _from: number, bytes: Uint8Array): void {
    const snapshot = this.#line.receive(bytes);
    if (snapshot === null) return;
    this.#snapshot = snapshot;
    const motion = new Float32Array(this.#size);
    motionsOf(snapshot, motion);
    this.#others.add({ tick: snapshot.worldTick, motion }, this.#line.tick + 1);
  }

  tick(hand: Hand): void {
    if (this.#snapshot !== null) this.#reconcile(this.#snapshot);
    this.#snapshot = null;
    this.#line.note(hand);
    this.#step(this.#line.tick);
    this.report.worldTick = this.#line.tick;
    this.#others.advance(this.#line.tick, this.#drawn);
    this.#drawOwn();
  }

  poll(_nowMs: number, send: (to: number, bytes: Uint8Array) => void): void {
    send(SERVER, this.#line.write(true));
  }

  view(out: Float32Array): void {
    out.set(this.#drawn);
  }

  /** One tick of the own world. Other players' hands are taken to be where they last were. */
  #step(tick: number): void {
    const own = this.#line.handOf(tick - this.#options.lead);
    this.#world.step(this.#hands.map((hand, player) => (player === this.#own ? own : hand)));
    this.#states.set(this.#world.motion, (tick % HISTORY) * this.#size);
  }

  /** Compares, and plays again from the first wrong tick. */
  #reconcile(snapshot: Snapshot): void {
    const tick = this.#options.tickOf(snapshot, this.#line);
    this.#hands = snapshot.hands;
    if (tick > this.#line.tick || this.#line.tick - tick >= HISTORY) return;
    motionsOf(snapshot, this.#heard);
    const then = (tick % HISTORY) * this.#size;
    const isWrong = this.#isOwnWrong(then, snapshot.states[this.#own]);
    if (isWrong) this.report.corrections++;
    if (!isWrong && !this.#isNearWrong(then)) return;
    const own = this.#own * STRIDE;
    before.set(this.#world.motion.subarray(own, own + STRIDE));
    this.#world.setAll(this.#heard);
    this.#states.set(this.#heard, then);
    for (let at = tick + 1; at <= this.#line.tick; at++) this.#step(at);
    for (let i = 0; i < 3; i++) this.#offset[i] += before[i] - this.#world.motion[own + i];
    if (Math.hypot(this.#offset[0], this.#offset[1], this.#offset[2]) > SNAP) this.#offset.fill(0);
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

  /** True if a body that the own cube may touch is not where it was predicted. */
  #isNearWrong(then: number): boolean {
    const own = this.#own * STRIDE;
    for (let at = 0; at < this.#size; at += STRIDE) {
      if (at === own || apart(this.#heard, own, this.#heard, at) > NEAR) continue;
      if (apart(this.#heard, at, this.#states, then + at) > NEAR_ERROR) return true;
    }
    return false;
  }

  #drawOwn(): void {
    const at = this.#own * STRIDE;
    const to = this.#own * POSE_STRIDE;
    blendPose(this.#world.motion, at, this.#world.motion, at, 0, this.#drawn, to);
    for (let i = 0; i < 3; i++) {
      this.#offset[i] *= 1 - SMOOTHED;
      this.#drawn[to + i] += this.#offset[i];
    }
  }
}

const before = new Float32Array(STRIDE);
const one = quaternion();
const other = quaternion();

/**
 * Client-side prediction with rewind and replay, the usual way of action games with a server. QuakeWorld had it
 * first (1996); Gabriel Gambetta's "Client-Server Game Architecture" and Glenn Fiedler's "Networked Physics"
 * (2004) describe it. Hands carry the number of their tick and are sent until the server has used them.
 */
export const prediction: LabModel = {
  id: 'prediction',
  title: 'Prediction, rewind and replay',
  look: 'Your own cube follows at once. What it pushes moves a round trip later, and when the server saw it otherwise, your cube is drawn back.',
  suits:
    'Action games with a server that decides: shooters, racing. Weak where players push physics about together.',
  engine: 'fastest',
  rate: 60,
  create(setup) {
    const server = new StateServer(setup, (home) => new OrderedIntake(home));
    const tickOf = (_snapshot: Snapshot, line: ServerLine): number => line.applied;
    const clients = setup.scene.homes.map(
      (_, player) => new PredictingClient(setup, player, { lead: 0, tickOf }),
    );
    return { peers: [...clients, server], truth: (out) => server.view(out) };
  },
};
