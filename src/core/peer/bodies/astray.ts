import { POSITION_STEPS } from '../../wire/bodies/quantise.ts';
import type { Bounds } from '../../world/level.ts';
import { BOUNDS_SLACK } from '../../world/level.ts';

/** [R4.2] True if a state (STRIDE numbers) is farther outside the bounds than any that an honest peer sends. */
export function isAstray({ across, low, high }: Bounds, state: Int32Array): boolean {
  const x = state[0];
  const y = state[1];
  const z = state[2];
  const most = (across + BOUNDS_SLACK) * POSITION_STEPS;
  if (Math.abs(x) > most || Math.abs(z) > most) return true;
  return y < (low - BOUNDS_SLACK) * POSITION_STEPS || y > (high + BOUNDS_SLACK) * POSITION_STEPS;
}
