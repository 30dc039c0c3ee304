import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { halfSize } from '../../core/world/extent/extent.ts';
import type { ConvexShape, Shape } from '../../core/world/shape.ts';
import { chamferedBox } from './chamfered-box.ts';
import { turned } from './turned.ts';

/** `coarse` has fewer triangles, for scenes with many bodies. */
export type Detail = 'fine' | 'coarse';

/** Radius of round edges, as a fraction of the shortest half extent; and metres, at most. */
const ROUNDING = 0.13;
const MOST_ROUNDING = 0.08;
/** A cone's edges are sharper: as round as others, they would take too much away. */
const SHARP = 0.3;
/** Metres: round bodies with a smaller radius have fewer sides, and those with a larger one have more. */
const SMALL = 0.06;
const LARGE = 1.5;
/** How much farther a box's shadow is rounded than the box. */
const SHADOW_ROUNDING = 1.6;
/** Metres: half the thickness of what casts a board's shadow, at least. */
const LEAST_CASTER = 0.06;
/** Half the side of a mark's square, as a fraction of its side's shorter half extent; and metres, at most. */
const MARK_SIZE = 0.42;
const MOST_MARK = 0.5;
/** Narrow sides, with marks smaller than this share of the largest one, have none: they would be specks. */
const LEAST_MARK = 0.35;
/** Marks repeat along a side that is this many times as long as they are. */
const MARK_EVERY = 6;

/** Returns the same text for shapes that look the same. */
export function shapeKey(shape: Shape): string {
  return JSON.stringify(shape);
}

/** Returns half the size of a shape along its own axes, in metres. */
export function halfExtents(shape: Shape): Vector3 {
  const { x, y, z } = halfSize(shape, new Vector3());
  return new Vector3(x, y, z);
}

/** Returns the geometry of a shape. */
export function shapeGeometry(shape: Shape, detail: Detail): BufferGeometry {
  const geometry = ofParts(shape, (part) => convexGeometry(part, detail));
  geometry.deleteAttribute('uv');
  return mergeVertices(geometry, 1e-5);
}

/**
 * Returns a simple geometry that has a shape's shadow. A box's edges are cut off farther in than the visible ones: so
 * where boxes touch, no shadow ends within the visible edges, along which it would be ragged.
 */
export function shadowGeometry(shape: Shape): BufferGeometry {
  return ofParts(shape, (part) => {
    if (part.kind !== 'box') return convexGeometry(part, 'coarse');
    const [least, middle] = part.halfExtents.toSorted((a, b) => a - b);
    // A sun's texel on a thinner board would be as large as the board is thick, and the board would shadow itself.
    const thick = Math.max(least, Math.min(LEAST_CASTER, middle));
    const [x, y, z] = part.halfExtents.map((half) => Math.max(half, thick));
    return chamferedBox([x, y, z], rounding(least) * SHADOW_ROUNDING);
  });
}

/** Returns the triangles of a shape that may carry a mark, with the attribute `face`; a compound's parts each do. */
export function markGeometry(shape: Shape, detail: Detail): BufferGeometry {
  return ofParts(shape, (part) =>
    part.kind === 'box' ? markSquares(halfExtents(part)) : markedTriangles(part, detail),
  );
}

/**
 * Returns the geometry that `geometryOf` has for a shape; for a compound those of its parts in their places, as one.
 */
function ofParts(shape: Shape, geometryOf: (part: ConvexShape) => BufferGeometry): BufferGeometry {
  if (shape.kind !== 'compound') return geometryOf(shape);
  const parts = shape.parts.map(({ shape: part, pose: { position: p, rotation: q } }) => {
    const plain = geometryOf(part);
    const geometry = plain.index === null ? plain : plain.toNonIndexed();
    geometry.deleteAttribute('uv');
    const place = new Matrix4().compose(
      new Vector3(p.x, p.y, p.z),
      new Quaternion(q.x, q.y, q.z, q.w),
      new Vector3(1, 1, 1),
    );
    return geometry.applyMatrix4(place);
  });
  return mergeGeometries(parts);
}

/**
 * Returns the triangles of a shape in one piece that its marks lie on, with an attribute `face`: the place of a vertex
 * on its face, ±1 at the borders of the mark's square.
 */
function markedTriangles(shape: ConvexShape, detail: Detail): BufferGeometry {
  const plain = convexGeometry(shape, detail);
  const geometry = plain.index === null ? plain : plain.toNonIndexed();
  addFaces(geometry, halfExtents(shape));
  const face = geometry.getAttribute('face');
  const index: number[] = [];
  for (let i = 0; i < face.count; i += 3) {
    const u = [face.getX(i), face.getX(i + 1), face.getX(i + 2)];
    const v = [face.getY(i), face.getY(i + 1), face.getY(i + 2)];
    if (reachesMark(u) && reachesMark(v)) index.push(i, i + 1, i + 2);
  }
  return geometry.setIndex(index);
}

/**
 * Squares in the middle of each side of a box, which cover far fewer pixels than the whole side: one on a side, or
 * several along a long one.
 */
function markSquares(half: Vector3): BufferGeometry {
  const corners: number[] = [];
  const faces: number[] = [];
  const normals: number[] = [];
  for (const axis of [0, 1, 2] as const) {
    const [along, across] = [(axis + 1) % 3, (axis + 2) % 3];
    if (!hasMark(half, axis)) continue;
    const size = markHalf(half, axis);
    const [columns, rows] = [along, across].map((k) => marksAlong(half.getComponent(k), size));
    for (let i = 0; i < columns * rows * 2; i++) {
      const column = Math.floor(i / 2) % columns;
      const row = Math.floor(i / 2 / columns);
      const sign = (i % 2) * 2 - 1;
      const middle = new Vector3().setComponent(axis, sign * half.getComponent(axis));
      middle.setComponent(along, ((2 * column + 1) / columns - 1) * half.getComponent(along));
      middle.setComponent(across, ((2 * row + 1) / rows - 1) * half.getComponent(across));
      const normal = new Vector3().setComponent(axis, sign);
      addSquare(middle, normal, size, [corners, normals, faces]);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
  return geometry.setAttribute('face', new BufferAttribute(Float32Array.from(faces), 2));
}

/** Adds the two triangles of a square that faces along an axis. */
function addSquare(
  middle: Vector3,
  normal: Vector3,
  size: number,
  [corners, normals, faces]: readonly number[][],
): void {
  const [right, up] = faceAxes(normal);
  for (const [u, v] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, -1],
    [1, 1],
    [-1, 1],
  ]) {
    const corner = middle
      .clone()
      .addScaledVector(right, u * size)
      .addScaledVector(up, v * size);
    corners.push(...corner.toArray());
    normals.push(...normal.toArray());
    faces.push(u, v);
  }
}

function reachesMark(coordinates: readonly number[]): boolean {
  return Math.min(...coordinates) < 1 && Math.max(...coordinates) > -1;
}

/** Half the side of the marks on the sides of a shape that look along an axis, in metres. */
function markHalf(half: Vector3, axis: number): number {
  const shorter = Math.min(half.getComponent((axis + 1) % 3), half.getComponent((axis + 2) % 3));
  return Math.min(MOST_MARK, shorter * MARK_SIZE);
}

/** Whether the sides of a shape that look along an axis have marks. */
function hasMark(half: Vector3, axis: number): boolean {
  const largest = Math.max(...[0, 1, 2].map((other) => markHalf(half, other)));
  return markHalf(half, axis) >= LEAST_MARK * largest;
}

/** How many marks of this half size lie along a side of this half length. */
function marksAlong(half: number, mark: number): number {
  return Math.max(1, Math.floor(half / (mark * MARK_EVERY)));
}

/** The radius of the edges of a shape, in metres. @param least half its size where it is thinnest. */
function rounding(least: number): number {
  return Math.min(MOST_ROUNDING, least * ROUNDING);
}

/** How many sides look round, at this radius in metres. */
function sidesOf(radius: number, detail: Detail): number {
  const size = radius < SMALL ? 0.5 : radius < LARGE ? 1 : 2.4;
  return Math.round((detail === 'fine' ? 40 : 20) * size);
}

function convexGeometry(shape: ConvexShape, detail: Detail): BufferGeometry {
  switch (shape.kind) {
    case 'box': {
      const [x, y, z] = shape.halfExtents;
      const radius = rounding(Math.min(x, y, z));
      return detail === 'fine'
        ? new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 2, radius)
        : chamferedBox([x, y, z], radius);
    }
    case 'ball': {
      const sides = sidesOf(shape.radius, detail);
      return new SphereGeometry(shape.radius, sides, sides / 2);
    }
    case 'capsule': {
      const sides = sidesOf(shape.radius, detail);
      return new CapsuleGeometry(shape.radius, 2 * shape.halfHeight, Math.round(sides / 4), sides);
    }
    case 'cylinder':
    case 'cone': {
      const { radius, halfHeight } = shape;
      const top = shape.kind === 'cone' ? 0 : radius;
      const edge = rounding(Math.min(radius, halfHeight)) * (shape.kind === 'cone' ? SHARP : 1);
      return turned(top, radius, halfHeight, edge, sidesOf(radius, detail));
    }
    case 'hull':
      return new ConvexGeometry(shape.points.map(([x, y, z]) => new Vector3(x, y, z)));
  }
}

/**
 * Assigns every triangle to the face that it looks towards most, and gives its corners their places on that
 * face.
 * @param half the half extents of the shape.
 */
function addFaces(geometry: BufferGeometry, half: Vector3): void {
  const position = geometry.getAttribute('position');
  const face = new Float32Array(position.count * 2);
  const corners = [new Vector3(), new Vector3(), new Vector3()];
  const normal = new Vector3();
  const edge = new Vector3();
  for (let i = 0; i < position.count; i += 3) {
    corners.forEach((corner, k) => corner.fromBufferAttribute(position, i + k));
    normal.subVectors(corners[1], corners[0]).cross(edge.subVectors(corners[2], corners[0]));
    const [right, up] = faceAxes(normal);
    const axis = mostAlong(normal);
    const size = hasMark(half, axis) ? markHalf(half, axis) : 0;
    corners.forEach((corner, k) => {
      // Beyond the border of any mark, if the side has none.
      face[(i + k) * 2] = size > 0 ? corner.dot(right) / size : 9;
      face[(i + k) * 2 + 1] = size > 0 ? corner.dot(up) / size : 9;
    });
  }
  geometry.setAttribute('face', new BufferAttribute(face, 2));
}

/** The axis that a normal points along most: y before x before z. */
function mostAlong({ x, y, z }: Vector3): number {
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (most === Math.abs(y)) return 1;
  return most === Math.abs(x) ? 0 : 2;
}

/** Returns the directions to the right and up on the face with this normal, as seen from outside. */
function faceAxes(normal: Vector3): readonly [right: Vector3, up: Vector3] {
  const axis = mostAlong(normal);
  const sign = normal.getComponent(axis) > 0 ? 1 : -1;
  if (axis === 1) return [new Vector3(1, 0, 0), new Vector3(0, 0, -sign)];
  if (axis === 0) return [new Vector3(0, 0, -sign), new Vector3(0, 1, 0)];
  return [new Vector3(sign, 0, 0), new Vector3(0, 1, 0)];
}
