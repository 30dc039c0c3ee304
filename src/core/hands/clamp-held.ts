import type { BodyId } from '../base/ids.ts';
import type { Pose, ReadonlyPose, Vector } from '../base/math.ts';
import { distanceToBody, nearestInBody, reachBelow } from '../world/extent/extent.ts';
import type { Level, Template } from '../world/level.ts';
import { floorOf } from '../world/level.ts';
import type { Shape } from '../world/shape.ts';

/**
 * The shapes of a level's bodies, as hands need them: [A9] how far away bodies are, and [I5] where they may be held.
 * All peers must use the same bounds, or a body at the edge of the world would be in two places. The bounds lie within
 * those of a quantised position [W2].
 */
export class HeldBounds {
  readonly #level: Level;
  readonly #templates: readonly (Template | null)[];
  readonly #hasFloor: boolean;

  /** @param templates for each id the template of its body, or null; the owner keeps it up to date. */
  constructor(level: Level, templates: readonly (Template | null)[]) {
    this.#level = level;
    this.#templates = templates;
    this.#hasFloor = floorOf(level) !== null;
  }

  /** The shape of a body. */
  shapeOf(body: BodyId): Shape {
    return this.#templates[body]?.shape ?? NO_SHAPE;
  }

  /** Metres from a hand to a body, as `distanceToBody` measures them. @param at the body's pose. */
  distanceTo(body: BodyId, at: ReadonlyPose, hand: ReadonlyPose): number {
    return distanceToBody(this.shapeOf(body), at.position, at.rotation, hand.position);
  }

  /** The point of a body that is nearest to a hand: see `nearestInBody`. @param at the body's pose. */
  nearest(body: BodyId, at: ReadonlyPose, hand: ReadonlyPose, out: Vector): Vector {
    return nearestInBody(this.shapeOf(body), at, hand.position, out);
  }

  /**
   * Moves a held body's pose into the world, wherever its hand is: its centre within the level's bounds, and its lowest
   * point not below a flat floor, unless it is taller than the world. Other ground does not hold it up.
   * @returns the pose itself.
   */
  clamp(body: BodyId, held: Pose): Pose {
    const { across, low, high } = this.#level.bounds;
    const { position: p, rotation } = held;
    const least = this.#hasFloor ? Math.max(low, reachBelow(this.shapeOf(body), rotation)) : low;
    p.x = Math.max(-across, Math.min(across, p.x));
    p.z = Math.max(-across, Math.min(across, p.z));
    p.y = Math.min(high, Math.max(least, p.y));
    return held;
  }
}

/** The shape of an id without a body. */
const NO_SHAPE: Shape = { kind: 'ball', radius: 0 };
