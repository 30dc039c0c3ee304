import type { Pose } from '../base/math.ts';
import type { Bounds } from '../world/level.ts';

/**
 * Metres above the lower bound: so a held cube does not sink into the floor of a flat level, half of whose edge is 0.25.
 */
const LEAST_RISE = 0.75;

/**
 * [I5] Moves a held body's pose into the level's bounds, wherever its hand is. The holder's peer and all others use
 * the same: otherwise a body at the edge of the world would be in two places.
 * @returns the pose itself.
 */
export function clampHeld(held: Pose, { across, low, high }: Bounds): Pose {
  const p = held.position;
  p.x = Math.max(-across, Math.min(across, p.x));
  p.z = Math.max(-across, Math.min(across, p.z));
  p.y = Math.max(low + LEAST_RISE, Math.min(high, p.y));
  return held;
}
