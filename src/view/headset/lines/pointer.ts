import type { Mesh } from 'three';
import { Vector3 } from 'three';
import type { BodyId, Slot } from '../../../core/base/ids.ts';
import { HAND_SIDES, NO_BODY, NO_SLOT } from '../../../core/base/ids.ts';
import { POSE_STRIDE } from '../../../core/base/state.ts';
import type { HandView, PeerView } from '../../../core/peer/shown/peer-view.ts';
import { flowFraction } from '../../bodies/colour-flow.ts';
import { slotLook } from '../../slots.ts';
import { bentLine } from './lines.ts';
import { Ribbons } from './ribbon.ts';

const POINTS = 16;
/** Width of a line in metres. */
const WIDTH = 0.004;
/** Metres from a hand's origin to the tip of the index finger. */
export const FINGER = 0.07;
/** Metres: a body that is nearer to the hand needs no line. */
const WITHIN_REACH = 0.14;
/** Fraction of the remaining way that a line appears or fades in one frame of 1/90 s. */
const FADE_FLOW = 0.16;
const OPACITY = 0.8;
/** The line follows the finger up to this fraction of its length, and bends there. */
const STRAIGHT = 0.3;
const INVISIBLE = 0.01;

/**
 * A line from each own hand to the body that a grip would take: it starts along the finger and bends to the
 * body.
 */
export class PointerLines {
  /** The caller adds it to the world. */
  readonly mesh: Mesh;
  readonly #ribbons = new Ribbons(HAND_SIDES.length, POINTS, WIDTH);
  /** The target of each line, also while the line fades. */
  readonly #targets: BodyId[] = HAND_SIDES.map(() => NO_BODY);
  readonly #start = new Vector3();
  readonly #bend = new Vector3();
  readonly #end = new Vector3();
  #slot: Slot = NO_SLOT;

  constructor() {
    this.mesh = this.#ribbons.mesh;
    this.mesh.visible = false;
  }

  /**
   * Draws the lines.
   * @param seconds since the last call.
   */
  update(view: PeerView, seconds: number): void {
    this.mesh.visible = false;
    if (view.self === NO_SLOT) return;
    if (view.self !== this.#slot) {
      this.#slot = view.self;
      this.#ribbons.colour = slotLook(view.self).colour;
    }
    const fraction = flowFraction(FADE_FLOW, seconds);
    const { opacity } = this.#ribbons;
    for (const side of HAND_SIDES) {
      const hand = view.avatars[view.self].hands[side];
      const aims = hand.tracked && hand.held === NO_BODY && hand.selected !== NO_BODY;
      if (aims) this.#targets[side] = hand.selected;
      const drawn = hand.tracked && this.#draw(side, hand, view.poses);
      opacity[side] += ((aims && drawn ? OPACITY : 0) - opacity[side]) * fraction;
      if (!drawn) opacity[side] = 0;
      if (opacity[side] > INVISIBLE) this.mesh.visible = true;
    }
  }

  dispose(): void {
    this.#ribbons.dispose();
  }

  /**
   * The line ends inside the body, so it is visible up to the surface.
   * @returns false if there is no line to draw: no target, or one within reach.
   */
  #draw(side: number, { pose }: HandView, poses: Float32Array): boolean {
    const at = this.#targets[side] * POSE_STRIDE;
    if (this.#targets[side] === NO_BODY || at + POSE_STRIDE > poses.length) return false;
    this.#end.fromArray(poses, at);
    this.#start.set(0, 0, -1).applyQuaternion(pose.rotation);
    this.#bend.copy(this.#start);
    this.#start.multiplyScalar(FINGER).add(pose.position);
    const far = this.#start.distanceTo(this.#end);
    if (far < WITHIN_REACH) return false;
    this.#bend.multiplyScalar(far * STRAIGHT).add(this.#start);
    bentLine(this.#start, this.#bend, this.#end, this.#ribbons.points, side * POINTS, POINTS);
    return true;
  }
}
