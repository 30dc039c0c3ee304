import type RAPIER from '@dimforge/rapier3d-simd-compat';
import type { ConvexShape, Point, Shape, StaticShape } from '../core/world/shape.ts';
import type { Engine } from './engine.ts';

/**
 * Six times the volume of the largest tetrahedron in a hull, as a share of the cube of its size: a hull with less is
 * flat.
 */
const LEAST_VOLUME = 1e-6;

/**
 * The engine's colliders for a body's shape, in the frame of the body: one, or one for each part of a compound. The
 * engine has no compound colliders.
 * @throws RangeError for a compound without parts, and for a hull whose points enclose no volume.
 */
export function collidersOf(engine: Engine, shape: Shape): RAPIER.ColliderDesc[] {
  if (shape.kind !== 'compound') return [colliderOf(engine, shape)];
  if (shape.parts.length === 0) throw new RangeError('A compound must have parts.');
  return shape.parts.map(({ shape: part, pose: { position, rotation } }) =>
    colliderOf(engine, part).setTranslation(position.x, position.y, position.z).setRotation(rotation),
  );
}

function colliderOf(engine: Engine, shape: ConvexShape): RAPIER.ColliderDesc {
  switch (shape.kind) {
    case 'box':
      return engine.ColliderDesc.cuboid(...shape.halfExtents);
    case 'ball':
      return engine.ColliderDesc.ball(shape.radius);
    case 'capsule':
      return engine.ColliderDesc.capsule(shape.halfHeight, shape.radius);
    case 'cylinder':
      return engine.ColliderDesc.cylinder(shape.halfHeight, shape.radius);
    case 'cone':
      return engine.ColliderDesc.cone(shape.halfHeight, shape.radius);
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

/**
 * The engine's collider for something that never moves.
 * @throws RangeError for a hull whose points enclose no volume.
 */
export function staticColliderOf(engine: Engine, shape: StaticShape): RAPIER.ColliderDesc {
  switch (shape.kind) {
    case 'mesh':
      return engine.ColliderDesc.trimesh(
        Float32Array.from(shape.vertices),
        Uint32Array.from(shape.triangles),
        // Else bodies that slide over a mesh stumble over the edges between its triangles.
        engine.TriMeshFlags.FIX_INTERNAL_EDGES,
      );
    case 'height field': {
      const { columns, rows, heights, size } = shape;
      // The engine wants the heights column by column.
      const turned = Float32Array.from(heights, (_, i) => {
        return heights[(i % (rows + 1)) * (columns + 1) + Math.floor(i / (rows + 1))];
      });
      return engine.ColliderDesc.heightfield(
        rows,
        columns,
        turned,
        { x: size[0], y: 1, z: size[1] },
        engine.HeightFieldFlags.FIX_INTERNAL_EDGES,
      );
    }
    default:
      return colliderOf(engine, shape);
  }
}

/** True if some four of the points span a tetrahedron. */
function enclosesVolume(points: readonly Point[]): boolean {
  if (points.length === 0) return false;
  const [origin, ...others] = points;
  const size = Math.max(...others.flatMap((point) => point.map((x, axis) => Math.abs(x - origin[axis]))));
  const least = LEAST_VOLUME * size * size * size;
  for (const [i, a] of others.entries()) {
    for (const [k, b] of others.entries()) {
      if (k > i && others.some((c) => Math.abs(sixVolumes(origin, a, b, c)) > least)) return true;
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
