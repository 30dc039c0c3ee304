import type { ReadonlyPose } from '../base/math.ts';

/** A point in metres, in the frame of a body. */
export type Point = readonly [number, number, number];

/** A shape in one piece. Lengths are in metres; the axis of a capsule, a cylinder and a cone is y. */
export type ConvexShape =
  | { readonly kind: 'box'; readonly halfExtents: Point }
  | { readonly kind: 'ball'; readonly radius: number }
  /** A cylinder with a half ball on each end; `halfHeight` is that of the cylinder. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly halfHeight: number }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly halfHeight: number }
  /** The tip is up; the centre is at half the height. */
  | { readonly kind: 'cone'; readonly radius: number; readonly halfHeight: number }
  /** The convex hull of points about the body's centre. */
  | { readonly kind: 'hull'; readonly points: readonly Point[] };

/** A part of a compound, and where it is in the frame of the body. */
export type ShapePart = { readonly shape: ConvexShape; readonly pose: ReadonlyPose };

/** The shape of a body. */
export type Shape = ConvexShape | { readonly kind: 'compound'; readonly parts: readonly ShapePart[] };

/** The shape of something that never moves. */
export type StaticShape =
  | ConvexShape
  /**
   * Triangles, as flat lists: three numbers of each vertex, three indices of each triangle, counter-clockwise from
   * outside. Bodies fall through triangles that are the other way round.
   */
  | { readonly kind: 'mesh'; readonly vertices: readonly number[]; readonly triangles: readonly number[] }
  /**
   * Ground over a rectangle around the centre, `size` metres long along x and z, of `columns` cells along x and `rows`
   * cells along z. `heights` has (rows + 1) rows of (columns + 1) heights each, in metres: first the row at the least z,
   * and in each row first the height at the least x.
   */
  | {
      readonly kind: 'height field';
      readonly columns: number;
      readonly rows: number;
      readonly heights: readonly number[];
      readonly size: readonly [number, number];
    };
