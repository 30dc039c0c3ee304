/** The fraction of the radius in which a resting thumb moves nothing. */
const DEAD_ZONE = 0.14;

/** How far a stick is pushed to the right and forward, -1 to 1; as a vector no longer than 1. */
export type Deflection = { readonly right: number; readonly forward: number };

/**
 * Returns the push of a stick on the screen.
 * @param x pixels to the right of the stick's middle.
 * @param y pixels below it.
 * @param radius pixels from the middle to the rim, where the push is full; farther is the same.
 */
export function deflection(x: number, y: number, radius: number): Deflection {
  const way = Math.hypot(x, y);
  const pushed = Math.min(1, (way / radius - DEAD_ZONE) / (1 - DEAD_ZONE));
  if (!(pushed > 0)) return { right: 0, forward: 0 };
  return { right: (x / way) * pushed, forward: (-y / way) * pushed };
}
