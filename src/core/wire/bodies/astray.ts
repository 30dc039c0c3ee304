import type { Bounds } from '../../world/level.ts';
import { BOUNDS_SLACK } from '../../world/level.ts';
import { POSITION_STEPS } from './quantise.ts';

/**
 * [R4.2] True if a state (STRIDE numbers from `state[at]` on) is farther outside the bounds than any that an honest peer
 * sends or saves.
 */
export function isAstray({ across, low, high }: Bounds, state: Int32Array, at: number): boolean {
  const x = state[at];
  const y = state[at + 1];
  const z = state[at + 2];
  const most = (across + BOUNDS_SLACK) * POSITION_STEPS;
  if (Math.abs(x) > most || Math.abs(z) > most) return true;
  return y < (low - BOUNDS_SLACK) * POSITION_STEPS || y > (high + BOUNDS_SLACK) * POSITION_STEPS;
}
