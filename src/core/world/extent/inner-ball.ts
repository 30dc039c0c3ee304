import type { ReadonlyVector } from '../../base/math.ts';
import { rotate, vector } from '../../base/math.ts';
import type { ConvexShape, Point, Shape } from '../shape.ts';

/**
 * Six times the volume of a tetrahedron, as a share of the cube of its length: points that span no more than that are
 * flat. Engines fail on such hulls.
 */
const LEAST_VOLUME = 1e-6;

/** A ball inside a shape, in the shape's frame and in metres. */
export type InnerBall = { readonly centre: ReadonlyVector; readonly radius: number };

/** A ball of radius 0 in the middle. */
const NO_BALL: InnerBall = { centre: vector(), radius: 0 };

/** A ball that is surely inside a shape, in its frame; that of a compound is inside its first part. */
export function ballInside(shape: Shape): InnerBall {
  if (shape.kind !== 'compound') return ballInConvex(shape);
  const [{ shape: part, pose: where }] = shape.parts;
  const { centre, radius } = ballInConvex(part);
  const { x, y, z } = rotate(where.rotation, centre, vector());
  const { position } = where;
  return { centre: vector(position.x + x, position.y + y, position.z + z), radius };
}

function ballInConvex(shape: ConvexShape): InnerBall {
  return shape.kind === 'hull' ? ballInHull(shape.points) : { centre: vector(), radius: radiusAbout(shape) };
}

/** The radius in metres of the largest ball about the centre of a shape. */
function radiusAbout(shape: Exclude<ConvexShape, { kind: 'hull' }>): number {
  switch (shape.kind) {
    case 'box':
      return Math.min(...shape.halfExtents);
    case 'ball':
    case 'capsule':
      return shape.radius;
    case 'cylinder':
      return Math.min(shape.radius, shape.halfHeight);
    case 'cone': {
      const { radius: r, halfHeight: h } = shape;
      return Math.min(h, (r * h) / Math.sqrt(r * r + 4 * h * h));
    }
  }
}

/**
 * A ball inside the convex hull of points. It touches the faces of one tetrahedron of them, so the hull may have room
 * for a larger one. The time grows in proportion to the points.
 * @returns a ball of radius 0 if the points are flat, or fewer than four.
 */
export function ballInHull(points: readonly Point[]): InnerBall {
  if (points.length < 4) return NO_BALL;
  const a = farthest(points, (point) => lengthOf(minus(point, points[0])));
  const b = farthest(points, (point) => lengthOf(minus(point, a)));
  const along = minus(b, a);
  const c = farthest(points, (point) => lengthOf(cross(along, minus(point, a))));
  const upright = cross(along, minus(c, a));
  const d = farthest(points, (point) => Math.abs(dot(upright, minus(point, a))));
  const volume = Math.abs(dot(upright, minus(d, a)));
  const long = lengthOf(along);
  if (!(volume > LEAST_VOLUME * long * long * long)) return NO_BALL;
  // Twice the area of the face opposite each corner.
  const areas = [areaOf(b, c, d), areaOf(a, c, d), areaOf(a, b, d), areaOf(a, b, c)];
  const whole = areas.reduce((sum, area) => sum + area);
  const middle = [0, 1, 2].map(
    (axis) => [a, b, c, d].reduce((sum, corner, i) => sum + corner[axis] * areas[i], 0) / whole,
  );
  return { centre: vector(middle[0], middle[1], middle[2]), radius: volume / whole };
}

/** The point for which a measure is greatest; the first of equal ones. */
function farthest(points: readonly Point[], measure: (point: Point) => number): Point {
  let [most, found] = [-Infinity, points[0]];
  for (const point of points) {
    const value = measure(point);
    if (value > most) [most, found] = [value, point];
  }
  return found;
}

function areaOf(a: Point, b: Point, c: Point): number {
  return lengthOf(cross(minus(b, a), minus(c, a)));
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function lengthOf(a: Point): number {
  return Math.sqrt(dot(a, a));
}
