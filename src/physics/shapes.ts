import type RAPIER from '@dimforge/rapier3d-simd-compat';
import type { Shape } from '../core/world/scene.ts';
import type { Engine } from './engine.ts';

/** Cubic metres, times six. A hull with less volume is flat. */
const LEAST_VOLUME = 1e-6;

/**
 * The engine's collider for a body's shape.
 * @throws RangeError for a hull whose points enclose no volume.
 */
export function shapeOf(engine: Engine, shape: Shape): RAPIER.ColliderDesc {
  switch (shape.kind) {
    case 'box':
      return engine.ColliderDesc.cuboid(...shape.halfExtents);
    case 'sphere':
      return engine.ColliderDesc.ball(shape.radius);
    case 'capsule':
      return engine.ColliderDesc.capsule(shape.halfHeight, shape.radius);
    case 'hull': {
      // The engine panics on a flat hull, and can't be used after that.
      const hull = enclosesVolume(shape.points)
        ? engine.ColliderDesc.convexHull(Float32Array.from(shape.points.flat()))
        : null;
      if (hull === null) throw new RangeError('The points of a hull must enclose a volume.');
      return hull;
    }
  }
}

type Point = readonly [number, number, number];

/** True if some four of the points span a tetrahedron. */
function enclosesVolume(points: readonly Point[]): boolean {
  const [origin, ...others] = points;
  for (const [i, a] of others.entries()) {
    for (const [k, b] of others.entries()) {
      if (k > i && others.some((c) => Math.abs(sixVolumes(origin, a, b, c)) > LEAST_VOLUME)) return true;
    }
  }
  return false;
}

/** Six times the volume of the tetrahedron o, a, b, c. */
function sixVolumes(o: Point, a: Point, b: Point, c: Point): number {
  const [ax, ay, az] = [a[0] - o[0], a[1] - o[1], a[2] - o[2]];
  const [bx, by, bz] = [b[0] - o[0], b[1] - o[1], b[2] - o[2]];
  const [cx, cy, cz] = [c[0] - o[0], c[1] - o[1], c[2] - o[2]];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
