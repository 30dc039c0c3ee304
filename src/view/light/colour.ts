import { Color, LinearSRGBColorSpace } from 'three';

/** Red, green and blue, 0 to 1. */
export type Rgb = readonly [number, number, number];

/** Returns the display values of a colour, given as '#rrggbb'. */
export function displayValues(hex: string): Rgb {
  // This colour space makes three skip its conversion.
  const { r, g, b } = new Color().setStyle(hex, LinearSRGBColorSpace);
  return [r, g, b];
}

/** Returns a colour ('#rrggbb') in the units of daylight.ts: the squares of its display values. */
export function paint(hex: string): Rgb {
  const [r, g, b] = displayValues(hex);
  return [r * r, g * g, b * b];
}
