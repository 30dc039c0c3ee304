import type { ReadonlyPose, ReadonlyQuaternion, ReadonlyVector, Vector } from '../../base/math.ts';
import { rotate, rotateBack, setVector, vector } from '../../base/math.ts';
import type { ConvexShape, Shape } from '../shape.ts';

/**
 * How far a shape reaches: pure functions of its data, the same on every peer. They are called for bodies in hands, and
 * make no garbage.
 */

/** Metres from the centre of a body of this rotation down to its lowest point; negative if that is above the centre. */
export function reachBelow(shape: Shape, rotation: ReadonlyQuaternion): number {
  return reachAlong(shape, rotateBack(rotation, DOWN, downwards));
}

/**
 * Half the size of the box around a shape, along the shape's own axes and about its centre, in metres.
 * @param out gets the half sizes.
 */
export function halfSize(shape: Shape, out: Vector): Vector {
  return setVector(
    out,
    Math.max(reachAlong(shape, RIGHT), reachAlong(shape, LEFT)),
    Math.max(reachAlong(shape, UP), reachAlong(shape, DOWN)),
    Math.max(reachAlong(shape, BACK), reachAlong(shape, FRONT)),
  );
}

/**
 * Metres from a point to the box around a shape along the shape's own axes, as `halfSize` has it; negative inside. For
 * a box this is the distance to its surface; for other shapes it is a little less. A compound is as near as its nearest
 * part.
 * @param centre of the body, and @param rotation of the body.
 */
export function distanceToBody(
  shape: Shape,
  centre: ReadonlyVector,
  rotation: ReadonlyQuaternion,
  point: ReadonlyVector,
): number {
  toFrame(centre, rotation, point, offset);
  if (shape.kind !== 'compound') return distanceToBox(shape, offset);
  let least = Infinity;
  for (const { shape: part, pose } of shape.parts) {
    least = Math.min(least, distanceToBox(part, toFrame(pose.position, pose.rotation, offset, inPart)));
  }
  return least;
}

/**
 * The point of a body, or of its nearest part, that is nearest to a point; that point itself if it is inside. Shapes count
 * as the boxes around them, but balls as balls.
 * @param at the body's pose.
 * @param out gets the nearest point, in the body's frame.
 */
export function nearestInBody(shape: Shape, at: ReadonlyPose, point: ReadonlyVector, out: Vector): Vector {
  toFrame(at.position, at.rotation, point, offset);
  if (shape.kind !== 'compound') return clampToShape(shape, offset, out);
  let least = Infinity;
  for (const { shape: part, pose } of shape.parts) {
    toFrame(pose.position, pose.rotation, offset, inPart);
    const metres = distanceToBox(part, inPart);
    if (metres >= least) continue;
    least = metres;
    rotate(pose.rotation, clampToShape(part, inPart, inPart), out);
    setVector(out, out.x + pose.position.x, out.y + pose.position.y, out.z + pose.position.z);
  }
  return out;
}

/** Puts a point into the frame of a body or a part at this place, with this rotation. */
function toFrame(
  { x, y, z }: ReadonlyVector,
  rotation: ReadonlyQuaternion,
  point: ReadonlyVector,
  out: Vector,
): Vector {
  return rotateBack(rotation, setVector(out, point.x - x, point.y - y, point.z - z), out);
}

/**
 * The point of a shape's box that is nearest to a point; of a ball, the point on the way to its middle.
 * @param point in the shape's frame. @param out likewise; it may be the point itself.
 */
function clampToShape(shape: ConvexShape, point: ReadonlyVector, out: Vector): Vector {
  const { x, y, z } = point;
  if (shape.kind === 'ball') {
    const share = Math.min(1, shape.radius / Math.max(Math.sqrt(x * x + y * y + z * z), 1e-9));
    return setVector(out, x * share, y * share, z * share);
  }
  // A hull need not lie about its origin.
  return setVector(
    out,
    Math.max(-convexReach(shape, LEFT), Math.min(convexReach(shape, RIGHT), x)),
    Math.max(-convexReach(shape, DOWN), Math.min(convexReach(shape, UP), y)),
    Math.max(-convexReach(shape, FRONT), Math.min(convexReach(shape, BACK), z)),
  );
}

/** @param point in the shape's frame. */
function distanceToBox(shape: ConvexShape, point: ReadonlyVector): number {
  halfSize(shape, half);
  const x = Math.abs(point.x) - half.x;
  const y = Math.abs(point.y) - half.y;
  const z = Math.abs(point.z) - half.z;
  if (x <= 0 && y <= 0 && z <= 0) return Math.max(x, y, z);
  const [ox, oy, oz] = [Math.max(0, x), Math.max(0, y), Math.max(0, z)];
  return Math.sqrt(ox * ox + oy * oy + oz * oz);
}

/**
 * Metres from a shape's origin to the plane that touches it in this direction: the support function.
 * @param direction in the shape's frame, of unit length.
 */
function reachAlong(shape: Shape, direction: ReadonlyVector): number {
  if (shape.kind !== 'compound') return convexReach(shape, direction);
  let most = -Infinity;
  for (const { shape: part, pose } of shape.parts) {
    const { x, y, z } = pose.position;
    const away = x * direction.x + y * direction.y + z * direction.z;
    most = Math.max(most, away + convexReach(part, rotateBack(pose.rotation, direction, inPart)));
  }
  return most;
}

function convexReach(shape: ConvexShape, { x, y, z }: ReadonlyVector): number {
  switch (shape.kind) {
    case 'box': {
      const half = shape.halfExtents;
      return Math.abs(x) * half[0] + Math.abs(y) * half[1] + Math.abs(z) * half[2];
    }
    case 'ball':
      return shape.radius;
    case 'capsule':
      return shape.radius + Math.abs(y) * shape.halfHeight;
    case 'cylinder':
      return shape.radius * Math.sqrt(x * x + z * z) + Math.abs(y) * shape.halfHeight;
    case 'cone':
      return Math.max(y * shape.halfHeight, shape.radius * Math.sqrt(x * x + z * z) - y * shape.halfHeight);
    case 'hull': {
      let most = -Infinity;
      for (const point of shape.points) most = Math.max(most, point[0] * x + point[1] * y + point[2] * z);
      return most;
    }
  }
}

const RIGHT = vector(1, 0, 0);
const LEFT = vector(-1, 0, 0);
const UP = vector(0, 1, 0);
const DOWN = vector(0, -1, 0);
const BACK = vector(0, 0, 1);
const FRONT = vector(0, 0, -1);
/** Work space of single calls. */
const downwards = vector();
const inPart = vector();
const offset = vector();
const half = vector();
