import type { Pose } from '../../core/base/math.ts';
import { conjugate, length, multiply, pose, quaternion, vector } from '../../core/base/math.ts';
import type { MotionTrack, Part } from '../../hand-motion/track.ts';

/** The shares of frames, 0 to 1, for which figures give quantiles: the value that so many frames do not exceed. */
export const SHARES = [
  0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99,
] as const;

/** The measures of a part in each frame: differences from frame to frame, as uneven as they are. */
export const QUANTITIES = ['speed', 'acceleration', 'jerk', 'angularSpeed'] as const;
export type Quantity = (typeof QUANTITIES)[number];
export const QUANTITY_NAMES: Readonly<Record<Quantity, string>> = {
  speed: 'speed',
  acceleration: 'acceleration',
  jerk: 'jerk',
  angularSpeed: 'angular speed',
};
export const UNITS: Readonly<Record<Quantity, string>> = {
  speed: 'm/s',
  acceleration: 'm/s²',
  jerk: 'm/s³',
  angularSpeed: 'rad/s',
};

/** How a track moves: quantiles, each at the SHARES. */
export type MotionFigures = {
  readonly frames: number;
  /** Milliseconds from frame to frame. */
  readonly intervals: readonly number[];
  readonly parts: Readonly<Record<Part, Readonly<Record<Quantity, readonly number[]>>>>;
};

/** Measures a track, from frame to frame: where a hand is lost and found again it is fast. */
export function motionFigures(track: MotionTrack): MotionFigures {
  const intervals = Array.from({ length: track.length - 1 }, (_, i) => track.time(i + 1) - track.time(i));
  const of = (part: Part): Record<Quantity, number[]> => partFigures(track, part, intervals);
  return {
    frames: track.length,
    intervals: quantiles(intervals.map((seconds) => seconds * 1000)),
    parts: { head: of('head'), left: of('left'), right: of('right') },
  };
}

function partFigures(
  track: MotionTrack,
  part: Part,
  intervals: readonly number[],
): Record<Quantity, number[]> {
  const poses = Array.from({ length: track.length }, (_, i) => track.frame(i, part, pose()));
  const velocities = derivative(
    poses.map(({ position: { x, y, z } }, i) => ({ time: track.time(i), value: [x, y, z] })),
  );
  const accelerations = derivative(velocities);
  const sizes = (samples: readonly Sample[]): number[] => quantiles(samples.map(({ value }) => size(value)));
  return {
    speed: sizes(velocities),
    acceleration: sizes(accelerations),
    jerk: sizes(derivative(accelerations)),
    angularSpeed: quantiles(intervals.map((seconds, i) => turn(poses[i], poses[i + 1]) / seconds)),
  };
}

/** Three coordinates at a time in seconds. */
type Sample = { readonly time: number; readonly value: readonly number[] };

/** The differences of neighbours, each divided by the seconds between them, at the time in the middle. */
function derivative(samples: readonly Sample[]): Sample[] {
  return samples.slice(1).map((to, i) => {
    const from = samples[i];
    const seconds = to.time - from.time;
    return {
      time: (from.time + to.time) / 2,
      value: to.value.map((value, axis) => (value - from.value[axis]) / seconds),
    };
  });
}

function size([x, y, z]: readonly number[]): number {
  return length(vector(x, y, z));
}

/** Radians from one pose to another, computed from the sine: the cosine of a small angle has few exact digits. */
function turn(from: Pose, to: Pose): number {
  const { x, y, z, w } = multiply(to.rotation, conjugate(from.rotation, back), between);
  return 2 * Math.atan2(size([x, y, z]), Math.abs(w));
}

function quantiles(values: number[]): number[] {
  values.sort((a, b) => a - b);
  return SHARES.map((share) => values[Math.min(values.length - 1, Math.floor(share * values.length))]);
}

const back = quaternion();
const between = quaternion();
