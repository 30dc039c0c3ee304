import { BufferAttribute, BufferGeometry } from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { StaticShape } from '../../core/world/shape.ts';
import { shadowGeometry, shapeGeometry } from '../bodies/shapes.ts';

/** Radians between two triangles of a mesh up to which they look like one bent surface. */
const CREASE = Math.PI / 6;

/** Metres by which the shadow's caster lies lower, so that ground that ends in a thin edge does not shadow itself there. */
const SUNK = 0.08;

/** Returns the geometry of something that never moves. */
export function staticGeometry(shape: StaticShape): BufferGeometry {
  switch (shape.kind) {
    case 'mesh':
      return toCreasedNormals(indexed(shape.vertices, shape.triangles), CREASE);
    case 'height field': {
      const geometry = indexed(fieldVertices(shape), fieldTriangles(shape.columns, shape.rows));
      geometry.computeVertexNormals();
      return geometry;
    }
    default:
      return shapeGeometry(shape, 'fine');
  }
}

/** Returns what casts the shadow of something that never moves. */
export function staticShadow(shape: StaticShape): BufferGeometry {
  if (shape.kind === 'mesh' || shape.kind === 'height field')
    return staticGeometry(shape).translate(0, -SUNK, 0);
  return shadowGeometry(shape);
}

type Field = Extract<StaticShape, { kind: 'height field' }>;

function fieldVertices({ columns, rows, heights, size: [width, depth] }: Field): number[] {
  return heights.flatMap((height, i) => {
    const column = i % (columns + 1);
    const row = Math.floor(i / (columns + 1));
    return [(column / columns - 0.5) * width, height, (row / rows - 0.5) * depth];
  });
}

/** Two triangles for each cell, cut along the same diagonal as in the engine. */
function fieldTriangles(columns: number, rows: number): number[] {
  return Array.from({ length: columns * rows }, (_, i) => {
    const near = Math.floor(i / columns) * (columns + 1) + (i % columns);
    const far = near + columns + 1;
    return [near, far, near + 1, near + 1, far, far + 1];
  }).flat();
}

function indexed(vertices: readonly number[], triangles: readonly number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(vertices), 3));
  return geometry.setIndex([...triangles]);
}
