/**
 * Writes a pose as a 4 by 4 matrix, column by column.
 * @param poses position and unit quaternion, starting at index `from`.
 * @param at index of the first number in `out`.
 */
export function writeMatrix(
  poses: ArrayLike<number>,
  from: number,
  out: { [index: number]: number },
  at: number,
): void {
  const x = poses[from + 3];
  const y = poses[from + 4];
  const z = poses[from + 5];
  const w = poses[from + 6];
  out[at] = 1 - 2 * (y * y + z * z);
  out[at + 1] = 2 * (x * y + w * z);
  out[at + 2] = 2 * (x * z - w * y);
  out[at + 3] = 0;
  out[at + 4] = 2 * (x * y - w * z);
  out[at + 5] = 1 - 2 * (x * x + z * z);
  out[at + 6] = 2 * (y * z + w * x);
  out[at + 7] = 0;
  out[at + 8] = 2 * (x * z + w * y);
  out[at + 9] = 2 * (y * z - w * x);
  out[at + 10] = 1 - 2 * (x * x + y * y);
  out[at + 11] = 0;
  out[at + 12] = poses[from];
  out[at + 13] = poses[from + 1];
  out[at + 14] = poses[from + 2];
  out[at + 15] = 1;
}
