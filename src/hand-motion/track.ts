import type { Pose } from '../core/base/math.ts';
import { lerpPose, normalize, pose, setQuaternion, setVector } from '../core/base/math.ts';

/** The tracked parts of a player, in the order of a row. */
export const PARTS = ['head', 'left', 'right'] as const;
export type Part = (typeof PARTS)[number];

/** Numbers in a row: the time in seconds, then a position (x, y, z) and a rotation (x, y, z, w) of each part. */
export const ROW = 22;
const PART = 7;
const ROTATION = 3;

/**
 * Motion of a head and two hands: frames, each at its own time, unevenly spaced. Metres and unit quaternions,
 * right-handed, y up, -z forward, as in WebXR.
 */
export class MotionTrack {
  readonly #rows: Float32Array;
  readonly #next = pose();
  /** Frames in the track. */
  readonly length: number;

  /** @param rows of ROW numbers each, at least four, their times rising. They are kept, and not to be changed. */
  constructor(rows: Float32Array) {
    this.#rows = rows;
    this.length = rows.length / ROW;
    if (!Number.isInteger(this.length) || this.length < 4)
      throw new RangeError(
        `A track has four rows of ${ROW} numbers at least, and not ${rows.length} numbers.`,
      );
  }

  /** The time of a frame in seconds. */
  time(index: number): number {
    return this.#rows[index * ROW];
  }

  /** The time of the last frame in seconds. */
  get end(): number {
    return this.time(this.length - 1);
  }

  /** Fills in the pose in one frame, and returns it. */
  frame(index: number, part: Part, out: Pose): Pose {
    const rows = this.#rows;
    const at = index * ROW + 1 + PARTS.indexOf(part) * PART;
    setVector(out.position, rows[at], rows[at + 1], rows[at + 2]);
    setQuaternion(out.rotation, rows[at + 3], rows[at + 4], rows[at + 5], rows[at + 6]);
    return out;
  }

  /** The index of the last frame at a time or before it; 0 if there is none. */
  frameBefore(seconds: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time(middle) <= seconds) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Fills in the pose at any time, along straight lines from frame to frame, and returns it. */
  at(seconds: number, part: Part, out: Pose): Pose {
    const index = Math.min(this.length - 2, this.frameBefore(seconds));
    const [from, to] = [this.time(index), this.time(index + 1)];
    const share = (seconds - from) / (to - from);
    return lerpPose(
      this.frame(index, part, out),
      this.frame(index + 1, part, this.#next),
      Math.max(0, share),
      out,
    );
  }

  /**
   * Fills in the pose at any time, along a curve through the frames, and returns it: cubic Hermite, its direction
   * in each frame that of the parabola through the frame and its two neighbours.
   */
  smoothAt(seconds: number, part: Part, out: Pose): Pose {
    const index = Math.max(1, Math.min(this.length - 3, this.frameBefore(seconds)));
    const at = index * ROW + 1 + PARTS.indexOf(part) * PART;
    for (let i = 0; i < 4; i++) times[i] = this.time(index - 1 + i);
    for (let field = 0; field < PART; field++) {
      for (let i = 0; i < 4; i++) {
        const sign = field < ROTATION ? 1 : this.#sign(at, at + (i - 1) * ROW);
        points[i] = sign * this.#rows[at + (i - 1) * ROW + field];
      }
      curved[field] = hermite(seconds);
    }
    setVector(out.position, curved[0], curved[1], curved[2]);
    setQuaternion(out.rotation, curved[3], curved[4], curved[5], curved[6]);
    normalize(out.rotation, out.rotation);
    return out;
  }

  /**
   * The sign that brings another rotation nearer to a rotation. Both are given by the index at which their poses begin.
   */
  #sign(at: number, other: number): 1 | -1 {
    let dot = 0;
    for (let i = ROTATION; i < PART; i++) dot += this.#rows[at + i] * this.#rows[other + i];
    return dot < 0 ? -1 : 1;
  }
}

/** Between the second and the third of `points` at `times`. */
function hermite(time: number): number {
  const span = times[2] - times[1];
  const u = (time - times[1]) / span;
  const v = 1 - u;
  return (
    points[1] * v * v * (1 + 2 * u) +
    points[2] * u * u * (3 - 2 * u) +
    span * u * v * (slope(1) * v - slope(2) * u)
  );
}

function slope(i: number): number {
  const [before, after] = [times[i] - times[i - 1], times[i + 1] - times[i]];
  const [down, up] = [(points[i] - points[i - 1]) / before, (points[i + 1] - points[i]) / after];
  return (down * after + up * before) / (before + after);
}

const times = new Float64Array(4);
const points = new Float64Array(4);
const curved = new Float64Array(PART);
