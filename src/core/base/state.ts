/**
 * The layout of bodies in typed arrays, 13 numbers each: a motion has the engine's floats (MOTION), a state has the
 * whole numbers on the grids of [W2] that peers exchange (STATE).
 */

/** Numbers of each body in a motion or a state. */
export const STRIDE = 13;

/** Offsets in a motion: position in metres, unit quaternion, linear velocity in m/s, angular velocity in rad/s. */
export const MOTION = { position: 0, rotation: 3, linear: 7, angular: 10 } as const;

/**
 * Offsets in a state, in steps of the grids of [W2]: position; the index of the rotation's largest component; its three
 * other components; the velocities.
 */
export const STATE = { position: 0, largest: 3, rotation: 4, linear: 7, angular: 10 } as const;

/** Numbers of each body in a drawn pose: three of the position, four of the rotation. */
export const POSE_STRIDE = 7;

/** Copies a body's STRIDE numbers from `from[at]` on to `to[out]` on. A loop: TypedArray.set is slower for so few. */
export function copyState(from: Int32Array, at: number, to: Int32Array, out: number): void {
  for (let i = 0; i < STRIDE; i++) to[out + i] = from[at + i];
}

/** Sets the velocities of a state (at index 0) to 0. */
export function halt(state: Int32Array): void {
  for (let i = STATE.linear; i < STRIDE; i++) state[i] = 0;
}

/** True if the STRIDE numbers at `a[at]` and `b[from]` are the same. */
export function sameState(a: Int32Array, at: number, b: Int32Array, from: number): boolean {
  for (let i = 0; i < STRIDE; i++) if (a[at + i] !== b[from + i]) return false;
  return true;
}
