import { ticksIn } from '../../base/constants.ts';
import type { BodyId, Slot } from '../../base/ids.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../base/state.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { dequantiseMotion } from '../../wire/bodies/quantise.ts';
import type { DrawnPoses } from './drawn-poses.ts';
import { coast, curveMotion } from './motion-curve.ts';

/** Seconds: a curve from a pose that was guessed is at least this long, or it would bend too sharply. */
const LEAST_SECONDS = 0.07;
/** Seconds for which a body waits at the end of its curve if its state does not come: the clock may have slowed down. */
const LATEST_SECONDS = 0.05;
/**
 * Seconds for which a body coasts: at five packets a second, half of that interval passes before the next state is
 * there.
 */
const COAST_SECONDS = 0.12;

/** In `#stages`: the body has no curve. */
const NONE = 0;
/** The curve has not begun. */
const AIMED = 1;
/** The body is drawn on the curve. */
const CURVED = 2;
/** The curve has ended, and no state waits yet: the body is drawn as if it kept its velocity [T7.4]. */
const COASTING = 3;

/**
 * [T7] The curves on which bodies of sparse authors are drawn: each leads from where the body is drawn to the next state
 * that waits for it. The engine is not told: it moves the body on from its last state, as ever.
 */
export class BodyCurves {
  /** The engine's motions of all bodies. */
  readonly #motion: Float32Array;
  readonly #drawn: DrawnPoses;
  readonly #stages: Uint8Array;
  /** The author of the state to which a body's curve leads, or has led. */
  readonly #author: Int8Array;
  /** That state's tick, in its author's count. */
  readonly #target: Int32Array;
  /** The ticks in which a curve begins and ends, counted as `#tick`. A body coasts from `#begin` on. */
  readonly #begin: Int32Array;
  readonly #end: Int32Array;
  /** STRIDE numbers for each body: its motions at the two ends, and on the curve now. */
  readonly #from: Float32Array;
  readonly #to: Float32Array;
  readonly #now: Float32Array;
  /** The bodies with curves, of which the first `#count` count. */
  readonly #bodies: Int16Array;
  #count = 0;
  /** Counts ticks. */
  #tick = 0;
  /** A tick in seconds, and the times above in ticks. */
  readonly #tickSeconds: number;
  readonly #leastTicks: number;
  readonly #latestTicks: number;
  readonly #coastTicks: number;

  /**
   * @param motion the engine's motions: STRIDE floats a body; kept.
   * @param drawn gets the poses on the curves.
   * @param rate ticks a second.
   */
  constructor(motion: Float32Array, drawn: DrawnPoses, rate: number) {
    this.#tickSeconds = 1 / rate;
    this.#leastTicks = ticksIn(LEAST_SECONDS, rate);
    this.#latestTicks = ticksIn(LATEST_SECONDS, rate);
    this.#coastTicks = ticksIn(COAST_SECONDS, rate);
    const count = motion.length / STRIDE;
    this.#motion = motion;
    this.#drawn = drawn;
    this.#stages = new Uint8Array(count);
    this.#author = new Int8Array(count);
    this.#target = new Int32Array(count);
    this.#begin = new Int32Array(count);
    this.#end = new Int32Array(count);
    this.#from = new Float32Array(motion.length);
    this.#to = new Float32Array(motion.length);
    this.#now = new Float32Array(motion.length);
    this.#bodies = new Int16Array(count);
  }

  /** True if a body's curve leads to a state of another author than this one. */
  leadsToAnother(body: BodyId, author: Slot): boolean {
    return this.#stages[body] !== NONE && this.#author[body] !== author;
  }

  /**
   * A state of a body waits. Unless a nearer one does, the body's curve leads to it from now on.
   * @param ticks until the state is due, at least 1.
   * @param wait ticks from now until the curve begins, if the body has none.
   * @param isExact true if the body, which has no curve, is drawn now where its author had it.
   */
  aim(update: Readonly<BodyUpdate>, author: Slot, ticks: number, wait: number, isExact: boolean): void {
    const { body } = update;
    const stage = this.#stages[body];
    const isFarther = (stage === AIMED || stage === CURVED) && update.tick >= this.#target[body];
    if (isFarther && this.#author[body] === author) return;
    const follows = stage === COASTING ? this.#begin[body] === this.#tick : stage === NONE && isExact;
    if (ticks < this.#leastTicks && !follows) return;
    if (stage === NONE) this.#bodies[this.#count++] = body;
    const isDrawn = stage === CURVED || stage === COASTING;
    const at = body * STRIDE;
    if (isDrawn) {
      this.#move(body);
      for (let i = at; i < at + STRIDE; i++) this.#from[i] = this.#now[i];
    }
    this.#stages[body] = isDrawn ? CURVED : AIMED;
    this.#author[body] = author;
    this.#target[body] = update.tick;
    this.#begin[body] = this.#tick + (isDrawn ? 0 : wait);
    this.#end[body] = this.#tick + ticks;
    dequantiseMotion(update.state, 0, this.#to, at);
    this.#drawn.moved(body);
  }

  /**
   * A state of a body is due. A curve of its author ends there, unless it leads to a later state.
   * @returns true if the body is drawn on a curve, so that its way to this state needs no easing.
   */
  due(update: Readonly<BodyUpdate>, author: Slot): boolean {
    const { body, tick } = update;
    const stage = this.#stages[body];
    if (this.leadsToAnother(body, author) || this.#target[body] > tick) return stage === CURVED;
    // If the clock has jumped, the body is not near the end of its curve yet: its way to the state is eased.
    const isEarly = stage === CURVED && this.#tick + this.#latestTicks < this.#end[body];
    if (stage === COASTING || isEarly) {
      this.stop(body);
      return false;
    }
    if (stage === CURVED && update.kind === 'motion') this.#coast(update);
    else this.forget(body);
    return stage === CURVED;
  }

  #coast({ body, tick, state }: Readonly<BodyUpdate>): void {
    this.#stages[body] = COASTING;
    this.#target[body] = tick;
    this.#begin[body] = this.#tick;
    dequantiseMotion(state, 0, this.#from, body * STRIDE);
  }

  /** A body has no curve any more; the way from there to where the engine has it is eased. */
  stop(body: BodyId): void {
    const isDrawn = this.#stages[body] >= CURVED;
    if (isDrawn) this.#move(body);
    this.forget(body);
    if (isDrawn) this.#drawn.corrections.moved(body, this.#now, this.#motion);
  }

  /** A body has no curve any more, and nothing is eased: it was put elsewhere, or is where its curve ended. */
  forget(body: BodyId): void {
    if (this.#stages[body] === NONE) return;
    this.#stages[body] = NONE;
    this.#bodies[this.#bodies.indexOf(body)] = this.#bodies[--this.#count];
  }

  /** No body has a curve any more, and nothing is eased: the next state of every body is shown as it comes. */
  clear(): void {
    this.#stages.fill(NONE);
    this.#count = 0;
  }

  /**
   * Draws the bodies that have curves; call it once a tick, after the others were drawn.
   * @param simulatedHere 1 for a body that this peer simulates: its curve ends.
   */
  draw(simulatedHere: Uint8Array): void {
    for (let i = this.#count - 1; i >= 0; i--) {
      const body = this.#bodies[i] as BodyId;
      if (simulatedHere[body] === 1 || this.#isOver(body)) {
        this.stop(body);
        this.#drawn.show(body, this.#motion, false);
        continue;
      }
      this.#drawn.moved(body);
      if (this.#stages[body] === AIMED && this.#tick >= this.#begin[body]) this.#start(body);
      if (this.#stages[body] !== AIMED) this.#drawOne(body);
    }
    this.#tick++;
  }

  #isOver(body: BodyId): boolean {
    const coasts = this.#stages[body] === COASTING;
    const last = coasts ? this.#begin[body] + this.#coastTicks : this.#end[body] + this.#latestTicks;
    return this.#tick > last;
  }

  /** A curve begins where the body is drawn now. */
  #start(body: BodyId): void {
    const at = body * STRIDE;
    const { poses } = this.#drawn;
    this.#stages[body] = CURVED;
    for (let i = 0; i < POSE_STRIDE; i++) this.#from[at + i] = poses[body * POSE_STRIDE + i];
    for (let i = at + MOTION.linear; i < at + STRIDE; i++) this.#from[i] = this.#motion[i];
  }

  #drawOne(body: BodyId): void {
    const { poses, corrections } = this.#drawn;
    this.#move(body);
    for (let i = 0; i < POSE_STRIDE; i++) poses[body * POSE_STRIDE + i] = this.#now[body * STRIDE + i];
    // The curve began where the body was drawn, so nothing is left to ease.
    corrections.forget(body);
  }

  /** Moves a body to where it is on its curve in this tick. */
  #move(body: BodyId): void {
    const at = body * STRIDE;
    const ticks = this.#tick - this.#begin[body];
    const seconds = this.#tickSeconds;
    if (this.#stages[body] === COASTING) coast(this.#from, this.#motion, at, ticks, seconds, this.#now);
    else
      curveMotion(this.#from, this.#to, at, ticks, this.#end[body] - this.#begin[body], seconds, this.#now);
  }
}
