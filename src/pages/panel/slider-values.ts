import type { NetworkConditions } from '../settings.ts';

/**
 * The positions of each slider: round values, close together near zero and far apart where the difference
 * matters little. The number field beside the slider takes any value.
 */
export const SLIDER_VALUES: { readonly [Name in keyof NetworkConditions]: readonly number[] } = {
  latency: [0, 1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000],
  jitter: [0, 1, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 250, 300, 400, 500],
  loss: [0, 0.1, 0.2, 0.5, 1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60],
  duplicate: [0, 0.1, 0.2, 0.5, 1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50],
};

/** Returns the index of the value that is nearest to `value`. */
export function nearestIndex(stops: readonly number[], value: number): number {
  let nearest = 0;
  for (let i = 1; i < stops.length; i++) {
    if (Math.abs(stops[i] - value) < Math.abs(stops[nearest] - value)) nearest = i;
  }
  return nearest;
}
