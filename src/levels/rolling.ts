import type { Template } from '../core/world/level.ts';

/**
 * [R6] Rolling friction as a share of the radius, as lawn has it: a ball that is thrown at 5 m/s rolls for 9 s, and 20 m
 * far. From 0.02 on all that rolls here comes to rest; at 0.01 the engine's contacts keep skittles going.
 */
const ROLLING_FRICTION = 0.05;

/** [R6] A body that rolls on a radius in metres. */
export function rolling(radius: number): Pick<Template, 'rollingFriction'> {
  return { rollingFriction: ROLLING_FRICTION * radius };
}
