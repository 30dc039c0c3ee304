/** The share of the way to the rim in which a thumb that only rests moves nothing. */
const DEAD_ZONE = 0.14;

/** How far a stick is pushed to the right and forward: together no longer than 1. */
export type Deflection = { readonly right: number; readonly forward: number };

/**
 * A thumb on a stick on the screen.
 * @param x pixels to the right of the stick's middle.
 * @param y pixels below it.
 * @param radius pixels from the middle to the rim, where the stick is pushed fully; farther is no more.
 */
export function deflection(x: number, y: number, radius: number): Deflection {
  const way = Math.hypot(x, y);
  const pushed = Math.min(1, (way / radius - DEAD_ZONE) / (1 - DEAD_ZONE));
  if (!(pushed > 0)) return { right: 0, forward: 0 };
  return { right: (x / way) * pushed, forward: (-y / way) * pushed };
}
