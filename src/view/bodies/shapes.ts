import type { BufferGeometry } from 'three';
import {
  BoxGeometry,
  BufferAttribute,
  CapsuleGeometry,
  CylinderGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { chamferedBox } from './chamfered-box.ts';
import type { Shape } from '../../core/world/shape.ts';

/** `coarse` has fewer triangles, for scenes with many bodies. */
export type Detail = 'fine' | 'coarse';

/** Radius of a box's round edges, as a fraction of its shortest half extent. */
const ROUNDING = 0.13;
/** How much farther a box's shadow is rounded than the box. */
const SHADOW_ROUNDING = 1.6;
/** Half the side of a mark's square, as a fraction of the shortest half extent. */
const MARK_SIZE = 0.42;

/** Returns the same text for shapes that look the same. */
export function shapeKey(shape: Shape): string {
  return JSON.stringify(shape);
}

/** Returns half the size of a shape along its own axes, in metres. */
export function halfExtents(shape: Shape): Vector3 {
  switch (shape.kind) {
    case 'box':
      return new Vector3(...shape.halfExtents);
    case 'ball':
      return new Vector3(shape.radius, shape.radius, shape.radius);
    case 'capsule':
      return new Vector3(shape.radius, shape.radius + shape.halfHeight, shape.radius);
    case 'cylinder':
    case 'cone':
      return new Vector3(shape.radius, shape.halfHeight, shape.radius);
    case 'compound':
      throw new RangeError('A compound can not be drawn yet.');
    case 'hull':
      return shape.points.reduce(
        (most, [x, y, z]) => most.max(new Vector3(Math.abs(x), Math.abs(y), Math.abs(z))),
        new Vector3(),
      );
  }
}

/** Returns the geometry of a shape. */
export function shapeGeometry(shape: Shape, detail: Detail): BufferGeometry {
  const geometry = plainGeometry(shape, detail);
  geometry.deleteAttribute('uv');
  return mergeVertices(geometry, 1e-5);
}

/**
 * Returns the geometry of a shape with an attribute `face`: the place of a vertex on its face, ±1 at the
 * borders of the mark's square.
 */
function facedGeometry(shape: Shape, detail: Detail): BufferGeometry {
  const plain = plainGeometry(shape, detail);
  const geometry = plain.index === null ? plain : plain.toNonIndexed();
  addFaces(geometry, markHalf(halfExtents(shape)));
  return geometry;
}

/**
 * Returns a simple geometry that has a shape's shadow. A box's edges are cut off farther in than the visible ones: so
 * where boxes touch, no shadow ends within the visible edges, along which it would be ragged.
 */
export function shadowGeometry(shape: Shape): BufferGeometry {
  if (shape.kind !== 'box') return plainGeometry(shape, 'coarse');
  const [x, y, z] = shape.halfExtents;
  return chamferedBox([x, y, z], Math.min(x, y, z) * ROUNDING * SHADOW_ROUNDING);
}

/** Returns the triangles of a shape that may carry a mark, with the attribute `face`. */
export function markGeometry(shape: Shape, detail: Detail): BufferGeometry {
  if (shape.kind === 'box') return markSquares(halfExtents(shape));
  const geometry = facedGeometry(shape, detail);
  const face = geometry.getAttribute('face');
  const index: number[] = [];
  for (let i = 0; i < face.count; i += 3) {
    const u = [face.getX(i), face.getX(i + 1), face.getX(i + 2)];
    const v = [face.getY(i), face.getY(i + 1), face.getY(i + 2)];
    if (reachesMark(u) && reachesMark(v)) index.push(i, i + 1, i + 2);
  }
  return geometry.setIndex(index);
}

/** One square in the middle of each side of a box: it covers far fewer pixels than the whole side. */
function markSquares(half: Vector3): BufferGeometry {
  const geometry = new BoxGeometry(2, 2, 2).toNonIndexed();
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const size = markHalf(half);
  for (let i = 0; i < position.count; i++) {
    const along = (axis: number, extent: number): number =>
      normal.getComponent(i, axis) === 0
        ? position.getComponent(i, axis) * size
        : normal.getComponent(i, axis) * extent;
    position.setXYZ(i, along(0, half.x), along(1, half.y), along(2, half.z));
  }
  addFaces(geometry, size);
  return geometry;
}

function reachesMark(coordinates: readonly number[]): boolean {
  return Math.min(...coordinates) < 1 && Math.max(...coordinates) > -1;
}

function markHalf(half: Vector3): number {
  return Math.min(half.x, half.y, half.z) * MARK_SIZE;
}

function plainGeometry(shape: Shape, detail: Detail): BufferGeometry {
  const fine = detail === 'fine';
  switch (shape.kind) {
    case 'box': {
      const [x, y, z] = shape.halfExtents;
      const radius = Math.min(x, y, z) * ROUNDING;
      return fine ? new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 2, radius) : chamferedBox([x, y, z], radius);
    }
    case 'ball':
      return new SphereGeometry(shape.radius, fine ? 32 : 16, fine ? 20 : 10);
    case 'capsule':
      return new CapsuleGeometry(shape.radius, 2 * shape.halfHeight, fine ? 8 : 4, fine ? 24 : 12);
    case 'cylinder':
      return new CylinderGeometry(shape.radius, shape.radius, 2 * shape.halfHeight, fine ? 40 : 20);
    case 'cone':
      return new CylinderGeometry(0, shape.radius, 2 * shape.halfHeight, fine ? 40 : 20);
    case 'compound':
      throw new RangeError('A compound can not be drawn yet.');
    case 'hull':
      return new ConvexGeometry(shape.points.map(([x, y, z]) => new Vector3(x, y, z)));
  }
}

/**
 * Assigns every triangle to the face that it looks towards most, and gives its corners their places on that
 * face.
 */
function addFaces(geometry: BufferGeometry, size: number): void {
  const position = geometry.getAttribute('position');
  const face = new Float32Array(position.count * 2);
  const corners = [new Vector3(), new Vector3(), new Vector3()];
  const normal = new Vector3();
  const edge = new Vector3();
  for (let i = 0; i < position.count; i += 3) {
    corners.forEach((corner, k) => corner.fromBufferAttribute(position, i + k));
    normal.subVectors(corners[1], corners[0]).cross(edge.subVectors(corners[2], corners[0]));
    corners.forEach((corner, k) => {
      const [u, v] = onFace(corner, normal);
      face[(i + k) * 2] = u / size;
      face[(i + k) * 2 + 1] = v / size;
    });
  }
  geometry.setAttribute('face', new BufferAttribute(face, 2));
}

/** Returns coordinates on the face with this normal, as seen from outside: right, then up. */
function onFace(point: Vector3, normal: Vector3): readonly [number, number] {
  const { x, y, z } = normal;
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (most === Math.abs(y)) return [point.x, y > 0 ? -point.z : point.z];
  if (most === Math.abs(x)) return [x > 0 ? -point.z : point.z, point.y];
  return [z > 0 ? point.x : -point.x, point.y];
}
