import { BodySet } from '../../base/body-set.ts';
import type { BodyId, Slot } from '../../base/ids.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import { isInHand, NO_BODY } from '../../base/ids.ts';
import { ticksIn } from '../../base/constants.ts';
import { isGone, keepsStanding, stands } from '../../world/rest.ts';
import type { Bounds, Level } from '../../world/level.ts';
import { holdOfIsland, putState } from '../../world/record.ts';
import { isAstray } from '../../wire/bodies/astray.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { BodyCurves } from '../shown/body-curves.ts';
import type { DrawnPoses } from '../shown/drawn-poses.ts';
import type { Riding } from '../driven/riding.ts';
import type { EngineMirror } from './engine-mirror.ts';
import type { Following } from './following.ts';
import type { RestTracker } from './rest-tracker.ts';

/**
 * [T3], [W2] The states of other players on their way to this peer's engine: a due state replaces the record at
 * once, and is written to the engine once a tick, before the step.
 */
export class ReceivedStates {
  /** The author that each body shows. */
  readonly following: Following;
  readonly #bounds: Bounds;
  readonly #engine: EngineMirror;
  readonly #rest: RestTracker;
  readonly #drawn: DrawnPoses;
  readonly #riding: Riding;
  /** For each body how a state that came since the last write is to be shown: NOT_DUE, IN_SEQUENCE or AFTER_GAP. */
  readonly #due: Uint8Array;
  /** [J3.9] Ticks since a body's last state was written; saturates at `#hangsAfter`. */
  readonly #ticksWithout: Uint8Array;
  /** [J3.9] 1 for a body that hung in the tick before. */
  readonly #hung: Uint8Array;
  /** HANGS_AFTER in ticks. */
  readonly #hangsAfter: number;
  /** The bodies that are not NOT_DUE. */
  readonly #dueBodies: BodySet;

  /** [T7] The curves on which bodies of sparse authors are drawn. */
  readonly curves: BodyCurves;

  constructor(
    { bounds, rate }: Pick<Level, 'bounds' | 'rate'>,
    engine: EngineMirror,
    rest: RestTracker,
    following: Following,
    drawn: DrawnPoses,
    riding: Riding,
  ) {
    this.#bounds = bounds;
    this.curves = new BodyCurves(engine.motion, drawn, rate);
    this.#engine = engine;
    this.#rest = rest;
    this.following = following;
    this.#drawn = drawn;
    this.#riding = riding;
    this.#due = new Uint8Array(engine.records.count);
    this.#dueBodies = new BodySet(engine.records.count);
    this.#ticksWithout = new Uint8Array(engine.records.count);
    this.#hung = new Uint8Array(engine.records.count);
    this.#hangsAfter = ticksIn(HANGS_AFTER, rate);
  }

  /**
   * Stores a received state that is due, unless it is older than the last one of its author, or astray.
   * @param time [K2.1] the room's time that the author had with it; NaN without driven bodies.
   */
  apply(update: Readonly<BodyUpdate>, author: Slot, time = NaN): void {
    if (isAstray(this.#bounds, update.state, 0)) return;
    const step = this.following.advance(update.body, author, update.tick);
    if (step === 'older') return;
    const isOnCurve = this.curves.due(update, author);
    this.#store(update, step === 'next' || isOnCurve ? IN_SEQUENCE : AFTER_GAP, time);
  }

  /**
   * [T7] A state of a sparse author waits: the body is drawn on its way there. A body that was still begins to move
   * `interval` ticks before the state is due, when its author sent the last packet without it.
   * @param ticks until it is due.
   * @param interval ticks between two packets of its author.
   */
  announce(update: Readonly<BodyUpdate>, author: Slot, ticks: number, interval: number): void {
    if (isAstray(this.#bounds, update.state, 0)) return;
    const { body } = update;
    // [K2.3] Between two states the engine carries it.
    if (this.#riding.has(body)) return;
    const { records, recorded } = this.#engine;
    const isStill = records.resting[body] === 1 || stands(recorded, body);
    const wait = isStill ? Math.max(0, ticks - interval) : 0;
    this.curves.aim(update, author, ticks, wait, isStill || this.#due[body] === IN_SEQUENCE);
  }

  /** [A7] Stores at once where a body rests that its guest has given back. [I3] From then on this peer has it. */
  applyReturned(update: Readonly<BodyUpdate>): void {
    if (isAstray(this.#bounds, update.state, 0)) return;
    this.following.stop(update.body);
    this.curves.stop(update.body);
    this.#store(update, AFTER_GAP, NaN);
    this.#engine.records.restTicks[update.body] = 0;
  }

  #store(update: Readonly<BodyUpdate>, due: number, time: number): void {
    const { body } = update;
    const { records } = this.#engine;
    const places = records.restPlaces[body];
    putState(records, body, update.kind === 'rest', update.state);
    this.#engine.readRecord(body);
    // [K2.3] A body at rest is where it is in the world: its carrier stands.
    if (Number.isNaN(time) || update.kind === 'rest') this.#riding.forget(body);
    else this.#riding.bring(body, time, this.#engine.recorded);
    // A curve leads to where the body was in the world.
    if (this.#riding.has(body)) this.curves.stop(body);
    this.#drawn.moved(body);
    // [R2.4] A body that goes on resting is drawn at its record wherever the engine has it, so nothing is eased.
    const goesOnResting = update.kind === 'rest' && records.restPlaces[body] === places;
    if (this.#due[body] !== AFTER_GAP) this.#due[body] = goesOnResting ? IN_SEQUENCE : due;
    this.#dueBodies.add(body);
  }

  /** True while a body has a due state that was not written to the engine yet. */
  isDue(body: BodyId): boolean {
    return this.#due[body] !== NOT_DUE;
  }

  /** Drops a body's due state: its record has the state, but the engine does not get it. */
  drop(body: BodyId): void {
    this.#riding.forget(body);
    this.curves.stop(body);
    this.#due[body] = NOT_DUE;
    this.#dueBodies.delete(body);
  }

  /**
   * Writes due states to the engine. A body of another player that is at rest or stands is also kept at its record
   * without a due state [R2], [R5], since the engine may have nothing to carry it [A10]; unless it was hit here.
   * A body whose engine pose is close to the record is not written.
   * @param kinematic 1 for a body that the engine does not move: its due state is dropped.
   */
  write(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const engine = this.#engine;
    const { records, simulation, motion, recorded } = engine;
    engine.written.clear();
    const { awake } = simulation;
    const due = this.#dueBodies;
    for (
      let body = awake.nextOfEither(due, NO_BODY);
      body !== NO_BODY;
      body = awake.nextOfEither(due, body)
    ) {
      due.delete(body);
      if (kinematic[body] === 1) this.#due[body] = NOT_DUE;
      if (kinematic[body] === 1 || (this.#due[body] === NOT_DUE && simulatedHere[body] === 1)) continue;
      const hangs = this.#hangs(body);
      const stays = records.resting[body] === 1 || keepsStanding(recorded, motion, body);
      if (hangs && !stays) this.#hang(body);
      else if ((stays || this.#due[body] !== NOT_DUE) && !engine.isAsRecorded(body))
        this.#writeOne(body, stays);
      this.#hung[body] = hangs ? 1 : 0;
      if (this.#due[body] !== NOT_DUE) this.following.setCanEase(body, true);
      this.#due[body] = NOT_DUE;
    }
  }

  /**
   * [J3.9] True for a body of an island in another player's hand, whose states came and have stopped. In this engine no
   * hand holds it up.
   */
  #hangs(body: BodyId): boolean {
    const { records } = this.#engine;
    if (this.#due[body] !== NOT_DUE || !this.following.isOfAnother(body)) this.#ticksWithout[body] = 0;
    else if (this.#ticksWithout[body] < this.#hangsAfter) this.#ticksWithout[body]++;
    if (this.#ticksWithout[body] < this.#hangsAfter) return false;
    return records.islands.isJointed[body] === 1 && isInHand(holdOfIsland(records, body));
  }

  /** A body hangs where its last state was, without velocity: else it would carry along what lies on it. */
  #hang(body: BodyId): void {
    const { motion, recorded } = this.#engine;
    if (this.#hung[body] === 0 && this.following.canEase(body))
      this.#drawn.corrections.moved(body, motion, recorded);
    if (isGone(motion, recorded, body)) this.#rest.disturbTouching(body);
    this.#engine.copyRecorded(body);
    motion.fill(0, body * STRIDE + MOTION.linear, (body + 1) * STRIDE);
    this.#engine.write(body);
  }

  #writeOne(body: BodyId, stays: boolean): void {
    const { motion, recorded } = this.#engine;
    const due = this.#due[body];
    const wasDrawnThere = due === IN_SEQUENCE || (stays && due === NOT_DUE);
    if (this.following.canEase(body) && !wasDrawnThere) this.#drawn.corrections.moved(body, motion, recorded);
    if (isGone(motion, recorded, body)) this.#rest.disturbTouching(body);
    this.#engine.writeRecorded(body);
  }
}

/** [J3.9] Seconds: a few packets that are lost or late. A body falls by 5 cm meanwhile. */
const HANGS_AFTER = 0.1;

/** In `#due`: nothing waits. */
const NOT_DUE = 0;
/** In `#due`: the state continues those before it, so the body is drawn there at once. */
const IN_SEQUENCE = 1;
/** In `#due`: states are missing before it, or the author is another, so the drawn body is eased there. */
const AFTER_GAP = 2;
