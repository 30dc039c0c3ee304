import type { ReadonlyVector } from '../../core/base/math.ts';

/** A place at the picture's edge, from -1 at the left or lower edge to 1 at the right or upper edge. */
export type EdgePlace = { readonly x: number; readonly y: number };

/** An arrow: a drop that points to the right, as SVG path data in a square of DROP_BOX. */
export const DROP = 'M40 20 29.4 9.1A15.2 15.2 0 1 0 29.4 30.9Z';
export const DROP_BOX = 40;

/** Where the arrow to somebody behind is. */
const BEHIND = 0.45;

/**
 * Returns the place at the edge of the picture where the arrow to a point out of sight belongs: the player turns that
 * way to see the point. Null if the point is in the picture.
 * @param at in the camera's space: to the right, up, and backwards.
 * @param tangent of half the vertical field of view.
 * @param aspect width of the picture divided by its height.
 */
export function edgePlace({ x, y, z }: ReadonlyVector, tangent: number, aspect: number): EdgePlace | null {
  const [across, up] = [x / (tangent * aspect), y / tangent];
  if (z < 0 && Math.abs(across) <= -z && Math.abs(up) <= -z) return null;
  // A player turns round to see a friend behind it: so the arrow is at a side, and above the half that thumbs cover.
  if (z >= 0) return { x: x < 0 ? -1 : 1, y: BEHIND };
  const size = Math.max(Math.abs(across), Math.abs(up));
  return { x: across / size, y: up / size };
}
