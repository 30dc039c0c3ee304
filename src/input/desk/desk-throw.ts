import type { BodyId } from '../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../core/base/ids.ts';
import { TICK_MS } from '../../core/base/constants.ts';
import type { Pose, ReadonlyPose, ReadonlyQuaternion, ReadonlyVector, Vector } from '../../core/base/math.ts';
import {
  addScaled,
  composePose,
  copyPose,
  length,
  pose,
  relativePose,
  vector,
} from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { HandTrail } from '../../core/hands/hand-input.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { halfSize, reachBelow } from '../../core/world/extent/extent.ts';
import type { Shape } from '../../core/world/shape.ts';
import type { Aim, Wish } from './aim.ts';
import { aimThrow, bearingOf, traceThrow } from './aim.ts';
import type { Flick, Place } from './flick.ts';
import { LEAST_RANGE, MOST_RANGE, PointerPath } from './flick.ts';

/** Seconds for which the throw key is held for the furthest throw. */
const FULL_CHARGE = 1.2;
/** Poses of the trail of a throw, and milliseconds between two: [G3] takes the mean over the last 50 ms. */
const THROW_POSES = 4;
const THROW_STEP_MS = 20;

/** Metres: if the lowest point of a held body is at most this high, the floor may be holding the body up. */
const AT_FLOOR = 0.001;

/** Where a player stands and points. */
export type Aiming = {
  readonly eye: ReadonlyVector;
  readonly hand: ReadonlyPose;
  /** Returns a point of the ray through a place of the pane. */
  readonly rayTo: (place: Place) => ReadonlyVector;
};

/**
 * How a hand at a desk throws: by a flick of the pointer, or by a key that is held. It knows what the hand holds from
 * the view that the page draws. The velocity goes into the hand's trail, as if the hand had moved so: the trail is a
 * part of the input, so recordings and other peers need nothing else.
 */
export class DeskThrow {
  readonly path = new PointerPath();
  #view: PeerView | null = null;
  /** The held body in the frame of the hand. */
  readonly #offset: Pose = pose();
  /** The same, before the floor began to hold the body up; and the body that it belongs to. */
  readonly #freeOffset: Pose = pose();
  #held: BodyId = NO_BODY;
  #shape: Shape | null = null;
  #flick: Flick | null = null;
  #chargedFrom = Number.NaN;
  readonly #aim: Aim = { velocity: vector(), seconds: 0 };

  /** The player has seen this picture. */
  see(view: PeerView | null): void {
    this.#view = view;
    const hand = this.#hand;
    const before = this.#held;
    this.#held = hand?.held ?? NO_BODY;
    this.#shape = hand?.heldShape ?? null;
    if (hand === null || hand.held === NO_BODY || view === null) return;
    const at = hand.held * POSE_STRIDE;
    const [x, y, z, qx, qy, qz, qw] = view.poses.subarray(at, at + POSE_STRIDE);
    const body = { position: { x, y, z }, rotation: { x: qx, y: qy, z: qz, w: qw } };
    relativePose(hand.pose, body, this.#offset);
    if (hand.held !== before || y > this.#lowest(body.rotation)) copyPose(this.#offset, this.#freeOffset);
  }

  /** The picture that the player saw last; null if it has not seen anything. */
  get view(): PeerView | null {
    return this.#view;
  }

  /** Whether the hand held a body in the last picture. */
  get holds(): boolean {
    return (this.#hand?.held ?? NO_BODY) !== NO_BODY;
  }

  /** Metres from the hand to the body that it holds. */
  get reach(): number {
    return length(this.#offset.position);
  }

  /** Whether the throw key is down. */
  get isCharging(): boolean {
    return !Number.isNaN(this.#chargedFrom);
  }

  /** The hand has closed. */
  begin(): void {
    this.#flick = null;
    this.path.begin();
  }

  /** The hand opens at the pointer's last place. */
  release(aspect: number): void {
    this.#flick = this.holds ? this.path.flick(this.path.lastTime, aspect) : null;
  }

  /** The throw key goes down. @param now in milliseconds, as in `throwCharged`. */
  charge(now: number): void {
    if (this.holds && !this.isCharging) this.#chargedFrom = now;
  }

  /**
   * The throw key goes up: the hand opens with a throw.
   * @param at where the hand points.
   * @returns false if the key was not down, or nothing is held.
   */
  throwCharged(now: number, at: Place): boolean {
    if (!this.isCharging) return false;
    this.#flick = this.holds ? this.#charged(now, at) : null;
    this.#chargedFrom = Number.NaN;
    return this.#flick !== null;
  }

  /** Nothing will be thrown. */
  forget(): void {
    this.#flick = null;
    this.#chargedFrom = Number.NaN;
  }

  /**
   * Writes the trail of the tick in which the hand opens, if that throws.
   * @returns false if it doesn't; the trail is left alone then.
   */
  writeTrail(aiming: Aiming, out: HandTrail): boolean {
    const flick = this.#flick;
    this.#flick = null;
    if (flick === null) return false;
    const { velocity } = this.#throwOf(flick, aiming);
    // The floor holds a body up even where the hand would put it lower: so all poses of the trail are raised above it.
    const { position: free, rotation } = composePose(aiming.hand, this.#freeOffset, held);
    const below = this.#lowest(rotation) - free.y;
    const whole = ((THROW_POSES - 1) * THROW_STEP_MS) / 1000;
    out.broken = true;
    out.count = THROW_POSES;
    for (let i = 0; i < THROW_POSES; i++) {
      const before = ((THROW_POSES - 1 - i) * THROW_STEP_MS) / 1000;
      out.before[i] = (before * 1000) / TICK_MS;
      copyPose(aiming.hand, out.poses[i]);
      const { position } = out.poses[i];
      addScaled(position, velocity, -before, position);
      // The trail of a rising throw begins lower than it ends, so it is raised by that height too.
      position.y += Math.max(0, below) + Math.max(0, velocity.y) * whole;
    }
    return true;
  }

  /**
   * Fills `points` (x, y, z each) with the way that the held body would go if the hand opened now.
   * @param at the pointer's place.
   * @returns false if it would not be thrown.
   */
  trace(now: number, aspect: number, at: Place, aiming: Aiming, points: Float32Array): boolean {
    if (!this.holds) return false;
    const flick = this.isCharging
      ? this.#charged(now, at)
      : this.path.flick(Math.max(now, this.path.lastTime), aspect);
    if (flick === null) return false;
    const aim = this.#throwOf(flick, aiming);
    traceThrow(this.#bodyAt(aiming.hand), aim, points);
    return true;
  }

  #charged(now: number, at: Place): Flick {
    const share = Math.min(1, Math.max(0, (now - this.#chargedFrom) / 1000 / FULL_CHARGE));
    return { range: LEAST_RANGE + share * (MOST_RANGE - LEAST_RANGE), turn: 0, from: at, to: at };
  }

  #throwOf({ range, turn, from, to }: Flick, { eye, hand, rayTo }: Aiming): Aim {
    const wish: Wish = {
      eye,
      body: this.#bodyAt(hand),
      lies: this.#lies,
      from: bearingOf(eye, rayTo(from)),
      to: bearingOf(eye, rayTo(to)) + turn,
      range,
    };
    return aimThrow(wish, this.#view, this.#aim);
  }

  #bodyAt(hand: ReadonlyPose): Vector {
    return composePose(hand, this.#offset, held).position;
  }

  /** Metres: the height of the held body's centre below which the floor may hold it up, in this rotation. */
  #lowest(rotation: ReadonlyQuaternion): number {
    return AT_FLOOR + (this.#shape === null ? 0 : reachBelow(this.#shape, rotation));
  }

  /** Metres: the height of the held body's centre when it lies on its widest side. */
  get #lies(): number {
    if (this.#shape === null) return 0;
    const { x, y, z } = halfSize(this.#shape, half);
    return Math.min(x, y, z);
  }

  get #hand(): PeerView['avatars'][number]['hands'][number] | null {
    const view = this.#view;
    return view === null || view.self < 0 ? null : view.avatars[view.self].hands[RIGHT];
  }
}

const held = pose();
const half = vector();
