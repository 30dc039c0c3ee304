import type { ReadonlyPose } from '../../core/base/math.ts';
import { quaternion, vector } from '../../core/base/math.ts';
import type { ConvexShape, Point, Shape, StaticShape } from '../../core/world/shape.ts';
import type { Collider, ColliderShape, Engine } from '../engine-types.ts';

/** The shape of a collider in one piece; null for a shape that a level does not have. */
function convexOf({ ShapeType }: Engine, shape: ColliderShape): ConvexShape | null {
  const { halfExtents, radius = 0, halfHeight = 0, vertices } = shape;
  switch (shape.type) {
    case ShapeType.Cuboid:
      if (halfExtents === undefined) return null;
      return { kind: 'box', halfExtents: [halfExtents.x, halfExtents.y, halfExtents.z] };
    case ShapeType.Ball:
      return { kind: 'ball', radius };
    case ShapeType.Capsule:
      return { kind: 'capsule', radius, halfHeight };
    case ShapeType.Cylinder:
      return { kind: 'cylinder', radius, halfHeight };
    case ShapeType.Cone:
      return { kind: 'cone', radius, halfHeight };
    case ShapeType.ConvexPolyhedron:
      return vertices === undefined ? null : { kind: 'hull', points: pointsOf(vertices) };
    default:
      return null;
  }
}

function pointsOf(vertices: Float32Array): Point[] {
  return Array.from({ length: vertices.length / 3 }, (_, i): Point => [
    vertices[3 * i],
    vertices[3 * i + 1],
    vertices[3 * i + 2],
  ]);
}

/** The shape of a body with these colliders, as a level says it; null if one of them has a shape that no level has. */
export function shapeOfColliders(engine: Engine, colliders: readonly Collider[]): Shape | null {
  const parts = colliders.flatMap((collider) => {
    const shape = convexOf(engine, collider.shape);
    return shape === null ? [] : [{ shape, pose: poseInBody(collider) }];
  });
  if (parts.length < colliders.length || parts.length === 0) return null;
  return parts.length === 1 && isUnmoved(parts[0].pose) ? parts[0].shape : { kind: 'compound', parts };
}

function poseInBody(collider: Collider): ReadonlyPose {
  return {
    position: collider.translationWrtParent() ?? vector(),
    rotation: collider.rotationWrtParent() ?? quaternion(),
  };
}

function isUnmoved({ position: { x, y, z }, rotation }: ReadonlyPose): boolean {
  return x === 0 && y === 0 && z === 0 && Math.abs(rotation.w) === 1;
}

/** The shape of a collider that never moves, as a level says it; null for a shape that no level has. */
export function staticShapeOf(engine: Engine, shape: ColliderShape): StaticShape | null {
  const { ShapeType } = engine;
  const { vertices, indices } = shape;
  if (shape.type === ShapeType.TriMesh) {
    if (vertices === undefined || indices === undefined || indices === null) return null;
    return { kind: 'mesh', vertices: [...vertices], triangles: [...indices] };
  }
  return shape.type === ShapeType.HeightField ? heightFieldOf(shape) : convexOf(engine, shape);
}

function heightFieldOf({ nrows, ncols, heights, scale }: ColliderShape): StaticShape | null {
  if (nrows === undefined || ncols === undefined || heights === undefined || scale === undefined) return null;
  // The engine has the heights column by column.
  const turned = Array.from(heights, (_, i) => {
    return scale.y * heights[(i % (ncols + 1)) * (nrows + 1) + Math.floor(i / (ncols + 1))];
  });
  return { kind: 'height field', columns: ncols, rows: nrows, heights: turned, size: [scale.x, scale.z] };
}
