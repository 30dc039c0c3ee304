import type { ReadonlyVector } from '../../../core/base/math.ts';

/**
 * Spreads a line (x, y, z per point) evenly over the points of `out`. Does nothing if the line has no points.
 */
export function sampleLine(points: Float32Array, out: Float32Array): void {
  const last = points.length / 3 - 1;
  if (last < 0) return;
  const count = out.length / 3;
  for (let i = 0; i < count; i++) {
    const along = count > 1 ? (last * i) / (count - 1) : 0;
    const before = Math.min(last, Math.floor(along));
    const after = Math.min(last, before + 1);
    for (let axis = 0; axis < 3; axis++) {
      const from = points[before * 3 + axis];
      out[i * 3 + axis] = from + (points[after * 3 + axis] - from) * (along - before);
    }
  }
}

/**
 * Writes `count` points into `out`, from point `first` on: a curve that leaves `start` towards `bend` and
 * ends at `end`.
 */
export function bentLine(
  start: ReadonlyVector,
  bend: ReadonlyVector,
  end: ReadonlyVector,
  out: Float32Array,
  first: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const t = i / (count - 1);
    const a = (1 - t) * (1 - t);
    const b = 2 * t * (1 - t);
    const c = t * t;
    const at = (first + i) * 3;
    out[at] = a * start.x + b * bend.x + c * end.x;
    out[at + 1] = a * start.y + b * bend.y + c * end.y;
    out[at + 2] = a * start.z + b * bend.z + c * end.z;
  }
}
