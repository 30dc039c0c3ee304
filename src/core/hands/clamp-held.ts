import { BOUND_ACROSS, BOUND_HIGH } from '../base/constants.ts';
import type { Pose } from '../base/math.ts';

/** Metres: half the edge of a cube, so that a held cube does not sink into the floor. */
const LEAST_HEIGHT = 0.25;
/** Metres from the bounds of the world: a held body that is let go there can still move without leaving it. */
const MARGIN = 1;

/**
 * [I5] Moves a held body's pose into the world, wherever its hand is. The holder's peer and all others use these
 * bounds: with others, a body at the edge of the world would be in two places. They lie within those of a quantised
 * position [W2].
 * @returns the pose itself.
 */
export function clampHeld(held: Pose): Pose {
  const limit = BOUND_ACROSS - MARGIN;
  const p = held.position;
  p.x = Math.max(-limit, Math.min(limit, p.x));
  p.z = Math.max(-limit, Math.min(limit, p.z));
  p.y = Math.max(LEAST_HEIGHT, Math.min(BOUND_HIGH - MARGIN, p.y));
  return held;
}
