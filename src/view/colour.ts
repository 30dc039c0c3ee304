import { Color, LinearSRGBColorSpace } from 'three';

/** Red, green and blue, 0 to 1. */
export type Rgb = readonly [number, number, number];

/** The display values of a colour, given as '#rrggbb'. */
export function displayValues(hex: string): Rgb {
  // Naming this colour space keeps three from converting.
  const { r, g, b } = new Color().setStyle(hex, LinearSRGBColorSpace);
  return [r, g, b];
}

/** A colour ('#rrggbb') as daylight.ts reckons with it: the squares of its display values. */
export function paint(hex: string): Rgb {
  const [r, g, b] = displayValues(hex);
  return [r * r, g * g, b * b];
}
