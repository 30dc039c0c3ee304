import type * as RAPIER from './engine-types.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import { distance, vector } from '../core/base/math.ts';
import { halfSize } from '../core/world/extent/extent.ts';
import type { Shape } from '../core/world/shape.ts';

/**
 * Metres: half the thickness of bodies below which the engine looks ahead, as far as the fastest throw gets in a tick.
 * Thin bodies at 10 m/s passed each other in every second try, and none does so. The cubes of half a metre do without,
 * because a heap of bodies that look ahead takes half again as much time while it moves. The engine's other way, to step back
 * to the impact, is cheaper, but does nothing for two such bodies.
 */
const THIN = 0.2;

/**
 * True for a body that could pass another in a tick: as fast as the fastest throw, through a body as thin as itself. A
 * compound is as thin as its thinnest part.
 */
export function isThin(shape: Shape): boolean {
  if (shape.kind === 'compound') return shape.parts.some((part) => isThin(part.shape));
  const { x, y, z } = halfSize(shape, half);
  return Math.min(x, y, z) < THIN;
}

/** Shares the mass of a compound body among its parts, by their volumes. */
export function shareMass(parts: readonly RAPIER.Collider[], mass: number): void {
  const volumes = parts.map((part) => part.volume());
  const whole = volumes.reduce((sum, volume) => sum + volume, 0);
  parts.forEach((part, i) => part.setMass((mass * volumes[i]) / whole));
}

/** Metres from a point to a collider's surface; negative inside. */
export function distanceToCollider(point: ReadonlyVector, collider: RAPIER.Collider): number {
  const projection = collider.projectPoint(point, false);
  if (projection === null) return Infinity;
  const away = distance(point, projection.point);
  return projection.isInside ? -away : away;
}

const half = vector();
