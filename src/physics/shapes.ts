import { ballInHull } from '../core/world/extent/inner-ball.ts';
import type { ConvexShape, Shape, StaticShape } from '../core/world/shape.ts';
import type * as RAPIER from './engine-types.ts';
import type { Engine } from './engine-types.ts';

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
      const hull =
        ballInHull(shape.points).radius > 0
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
