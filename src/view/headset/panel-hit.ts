import type { Matrix4 } from 'three';
import { Vector3 } from 'three';
import type { ReadonlyVector } from '../../core/base/math.ts';

/** A place on a panel. */
export type PanelHit = {
  /** Pixels of the panel's picture, from its left and from its top. */
  x: number;
  y: number;
  /**
   * Metres: along a ray from where it begins to the panel; of a fingertip how far it is in front of the panel,
   * less than 0 once it has gone through.
   */
  distance: number;
};

/** What a panel measures: in metres, and of each metre so many pixels. */
export type PanelSize = { readonly width: number; readonly height: number; readonly density: number };

const from = new Vector3();
const along = new Vector3();

/**
 * Where a ray meets the front of a panel.
 * @param toPanel from the world to the panel's frame: its middle at the origin, x to the right, y up.
 * @param direction of length 1.
 * @returns false if it does not.
 */
export function rayHit(
  toPanel: Matrix4,
  size: PanelSize,
  origin: ReadonlyVector,
  direction: ReadonlyVector,
  out: PanelHit,
): boolean {
  from.copy(origin).applyMatrix4(toPanel);
  along.copy(direction).transformDirection(toPanel);
  if (!(from.z > 0 && along.z < 0)) return false;
  const distance = from.z / -along.z;
  return place(from.x + along.x * distance, from.y + along.y * distance, distance, size, out);
}

/**
 * Where a fingertip is before a panel, or behind it.
 * @returns false if it is beside it.
 */
export function touchHit(toPanel: Matrix4, size: PanelSize, tip: ReadonlyVector, out: PanelHit): boolean {
  from.copy(tip).applyMatrix4(toPanel);
  return place(from.x, from.y, from.z, size, out);
}

function place(x: number, y: number, distance: number, size: PanelSize, out: PanelHit): boolean {
  const [right, up] = [x + size.width / 2, y + size.height / 2];
  if (!(right >= 0 && right <= size.width && up >= 0 && up <= size.height)) return false;
  out.x = right * size.density;
  out.y = (size.height - up) * size.density;
  out.distance = distance;
  return true;
}
