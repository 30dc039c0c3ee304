/** Degrees, vertically, of a picture that is wide enough. */
const VERTICAL = 60;
/** Degrees, horizontally, that a picture shows at the least: a friend and the cubes beside the friend. */
const LEAST_ACROSS = 44;
/** Degrees, vertically: more would stretch what is at the upper and lower edges. */
const MOST_VERTICAL = 83;

/**
 * Returns the vertical field of view of a picture, in degrees. A phone held upright would show only 30° from left to
 * right, too little to see whom one plays with; so its picture is opened in both directions.
 * @param aspect width divided by height.
 */
export function fieldOfView(aspect: number): number {
  const across = Math.tan((LEAST_ACROSS * Math.PI) / 360);
  const wanted = (Math.atan(across / aspect) * 360) / Math.PI;
  return Math.min(MOST_VERTICAL, Math.max(VERTICAL, wanted));
}

/** Returns half of a picture's horizontal field of view, in radians. */
export function halfWidth(aspect: number): number {
  return Math.atan(Math.tan((fieldOfView(aspect) * Math.PI) / 360) * aspect);
}

/** The same for a picture that fills the window. */
export function halfWidthOfWindow(): number {
  return halfWidth(innerWidth / Math.max(1, innerHeight));
}
