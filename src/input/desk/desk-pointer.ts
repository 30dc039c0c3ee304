import type { Pose, ReadonlyPose } from '../../core/base/math.ts';
import { addScaled, length, lerpPose, lookAt, pose, rotate, setVector } from '../../core/base/math.ts';
import type { Place } from './flick.ts';
import type { HandTrailKeeper } from '../hand-trail.ts';

/** Metres from the eye to the hand: within reach, and far enough not to cover the view. */
export const HAND_DISTANCE = 0.5;
/**
 * How far a captured pointer moves the hand, in units of half a pane: beyond the edge of 1, so that throws do
 * not stop there.
 */
export const POINTER_REACH = 1.25;
/**
 * Places of the pointer that are kept between two frames, the newest ones: enough for a throw on a slow
 * machine.
 */
const PLACES = 16;

/**
 * The least way of a ray along the floor, in metres for each metre ahead: a shorter way counts as this one. Near the zenith
 * things move in small circles as the head turns. To keep them under a finger, the head would turn far too fast.
 */
const LEAST_ALONG = 0.5;

/** A camera's lens: the tangent of half its vertical field of view, and width divided by height. */
export type Lens = { readonly tangent: number; readonly aspect: number };

/** The pointer in its pane, and the places that it went through since the last frame. */
export class DeskPointer {
  /** Where it is now. */
  readonly at: { x: number; y: number } = { x: 0, y: 0 };
  readonly lens: { tangent: number; aspect: number } = { tangent: Math.tan(Math.PI / 6), aspect: 1 };
  readonly #places = Array.from({ length: PLACES }, () => ({ time: 0, x: 0, y: 0 }));
  #count = 0;

  /** Moves it, as far as it may go. */
  move(x: number, y: number): void {
    this.at.x = Math.min(Math.max(x, -POINTER_REACH), POINTER_REACH);
    this.at.y = Math.min(Math.max(y, -POINTER_REACH), POINTER_REACH);
  }

  /** Keeps its place, with the milliseconds on the clock of the frames. */
  keep(timeMs: number): void {
    Object.assign(this.#places[this.#count % PLACES], { time: timeMs, ...this.at });
    this.#count++;
  }

  /** Fills `hand` with the hand's pose for an eye and a place of the pointer. */
  reach(eye: ReadonlyPose, place: Place, hand: Pose): Pose {
    const { position } = hand;
    const { tangent, aspect } = this.lens;
    setVector(position, place.x * tangent * aspect, place.y * tangent, -1);
    rotate(eye.rotation, position, position);
    addScaled(eye.position, position, HAND_DISTANCE / length(position), position);
    lookAt(eye.position, position, hand.rotation);
    return hand;
  }

  /**
   * Returns by how many radians the head turns to the left and upwards, so that what is seen at one place comes to another.
   * @param pitch the head's, in radians upwards.
   */
  turnBetween(from: Place, to: Place, pitch: number): { left: number; up: number } {
    const [a, b] = [this.#ray(from), this.#ray(to)];
    // The head does not roll, so what is seen keeps its height.
    const height = (a.y * Math.cos(pitch) + Math.sin(pitch)) / Math.hypot(a.x, a.y, 1);
    const sine = (height * Math.hypot(b.x, b.y, 1)) / Math.hypot(b.y, 1);
    const after = Math.asin(Math.min(Math.max(sine, -1), 1)) - Math.atan(b.y);
    return { left: rightOf(b, after) - rightOf(a, pitch), up: after - pitch };
  }

  /** Returns how far a place's ray goes to the right and upwards in the picture, for each metre ahead. */
  #ray({ x, y }: Place): Place {
    const { tangent, aspect } = this.lens;
    return { x: x * tangent * aspect, y: y * tangent };
  }

  /**
   * Adds the hand's poses between two frames to its trail, with the eye moving evenly, and forgets the places.
   * @param before the moment of the frame before, in milliseconds; NaN without one.
   */
  trace(before: number, now: number, from: ReadonlyPose, to: ReadonlyPose, trail: HandTrailKeeper): void {
    for (let i = Math.max(0, this.#count - PLACES); i < this.#count; i++) {
      const place = this.#places[i % PLACES];
      if (!(place.time > before && now > before)) continue;
      // An event may arrive while a frame begins.
      const then = Math.min(place.time, now);
      lerpPose(from, to, (then - before) / (now - before), eyeThen);
      trail.add(then, this.reach(eyeThen, place, handThen));
    }
    this.#count = 0;
  }
}

/** Returns by how many radians a ray is to the right of a head with this pitch. */
function rightOf({ x, y }: Place, pitch: number): number {
  return Math.atan2(x, Math.max(LEAST_ALONG, Math.cos(pitch) - y * Math.sin(pitch)));
}

const eyeThen = pose();
const handThen = pose();
