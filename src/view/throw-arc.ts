import type { Mesh } from 'three';
import type { Slot } from '../core/base/ids.ts';
import { NO_SLOT } from '../core/base/ids.ts';
import { flowFraction } from './bodies/colour-flow.ts';
import { Ribbons } from './headset/lines/ribbon.ts';
import { slotLook } from './slots.ts';

/** Dashes of the arc, and the points of each. */
const DASHES = 14;
const DASH_POINTS = 3;
/** Points of the whole path: those of each dash, and one undrawn point after each dash. */
const ARC_POINTS = DASHES * (DASH_POINTS + 1);
/** Width of the arc in metres, a metre from the eye. */
const WIDTH = 0.007;
const OPACITY = 0.85;
/** Fraction of the remaining way that it appears, or fades, in one frame of 1/90 s. */
const APPEARS = 0.2;
const FADES = 0.07;
const INVISIBLE = 0.01;

/** The way that a body would fly if it were thrown now: dashes that fade towards its end. One draw call. */
export class ThrowArc {
  /** The caller adds it to the world. */
  readonly mesh: Mesh;
  /** x, y, z of each point of the way, for the caller to fill before `update`. */
  readonly points = new Float32Array(ARC_POINTS * 3);
  readonly #dashes = new Ribbons(DASHES, DASH_POINTS, WIDTH);
  #slot: Slot = NO_SLOT;
  #shown = 0;

  constructor() {
    this.mesh = this.#dashes.mesh;
    this.mesh.visible = false;
  }

  /**
   * Draws the way, or lets the last one fade.
   * @param isAiming whether `points` are filled for this frame.
   * @param seconds since the last call.
   */
  update(isAiming: boolean, self: Slot, seconds: number): void {
    const fraction = flowFraction(isAiming ? APPEARS : FADES, seconds);
    this.#shown += (Number(isAiming) - this.#shown) * fraction;
    this.mesh.visible = this.#shown > INVISIBLE && self !== NO_SLOT;
    if (!this.mesh.visible) return;
    if (self !== this.#slot) {
      this.#slot = self;
      this.#dashes.colour = slotLook(self).colour;
    }
    const { opacity, points } = this.#dashes;
    for (let dash = 0; dash < DASHES; dash++) {
      opacity[dash] = this.#shown * OPACITY * (1 - (0.6 * dash) / DASHES);
      if (!isAiming) continue;
      const from = dash * (DASH_POINTS + 1) * 3;
      points.set(this.points.subarray(from, from + DASH_POINTS * 3), dash * DASH_POINTS * 3);
    }
  }

  dispose(): void {
    this.#dashes.dispose();
  }
}
