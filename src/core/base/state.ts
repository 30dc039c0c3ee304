/**
 * The layout of a body's motion in typed arrays: 13 numbers a body, as the engine gives them (MOTION, floats)
 * and as peers agree on them (STATE, whole numbers on the grids of [W2]).
 */

/** Numbers per body in a motion or a state. */
export const STRIDE = 13;

/** Offsets in a motion: metres, unit quaternion, metres per second, radians per second. */
export const MOTION = { position: 0, rotation: 3, linear: 7, angular: 10 } as const;

/**
 * Offsets in a state: position on its grid; the rotation as the index of its largest component and the three
 * others on their grid; the velocities on theirs.
 */
export const STATE = { position: 0, largest: 3, rotation: 4, linear: 7, angular: 10 } as const;

/** Numbers per body in a drawn pose: position, then rotation. */
export const POSE_STRIDE = 7;

/** Copies a body's STRIDE numbers. A loop, since `set` of a typed array takes longer than so few. */
export function copyState(from: Int32Array, at: number, to: Int32Array, out: number): void {
  for (let i = 0; i < STRIDE; i++) to[out + i] = from[at + i];
}

/** A state's velocities become 0. */
export function halt(state: Int32Array): void {
  for (let i = STATE.linear; i < STRIDE; i++) state[i] = 0;
}

/** True if STRIDE numbers are the same in two places. */
export function sameState(a: Int32Array, at: number, b: Int32Array, from: number): boolean {
  for (let i = 0; i < STRIDE; i++) if (a[at + i] !== b[from + i]) return false;
  return true;
}
