import type { Matrix4 } from 'three';
import { Vector3 } from 'three';
import type { ReadonlyVector } from '../../../core/base/math.ts';

/** A place on a panel. */
export type PanelHit = {
  /** Pixels of the panel's picture, from its left and its upper edge. */
  x: number;
  y: number;
  /**
   * Metres. For a ray: from its start to the panel. For a fingertip: its distance in front of the panel,
   * negative behind it.
   */
  distance: number;
};

/** A panel's size in metres, and its pixels per metre. */
export type PanelSize = { readonly width: number; readonly height: number; readonly density: number };

const from = new Vector3();
const along = new Vector3();

/**
 * Writes where a ray meets the front of a panel.
 * @param toPanel from the world to the panel's frame: its middle is the origin, x is right, y is up.
 * @param direction of length 1.
 * @returns false if the ray does not meet it.
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
 * Writes where a fingertip is in front of a panel or behind it.
 * @returns false if it is beside the panel.
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
