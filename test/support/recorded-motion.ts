import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pose } from '../../src/core/base/math.ts';
import { dot, lerpPose, normalize, pose, setQuaternion, setVector } from '../../src/core/base/math.ts';

/** A minute of a person's head and hands in fast play; it lies beside the project, where there is one. */
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = join(PROJECT, '..', 'shared', 'data', 'quest2-touch-motion.f32');
/** Numbers in a row: the time in seconds, then for each of three parts a position and a rotation. */
const ROW = 22;

/** The parts of the person. */
export type Part = 'head' | 'left' | 'right';
const FIRST: Record<Part, number> = { head: 1, left: 8, right: 15 };

export const hasRecordedMotion = existsSync(FILE);

/** A recorded motion: frames, each at its own time in seconds, unevenly spaced at about 89 Hz. */
export type RecordedMotion = {
  readonly times: readonly number[];
  /** The pose in one frame. */
  frame(index: number, part: Part, out: Pose): Pose;
  /** The pose at a time in between, along straight lines from frame to frame. */
  at(seconds: number, part: Part, out: Pose): Pose;
  /** The same along a curve through the frames, the direction of which in each is that of its neighbours. */
  smoothAt(seconds: number, part: Part, out: Pose): Pose;
  /** The last frame at a time or before. */
  frameBefore(seconds: number): number;
};

export function readRecordedMotion(): RecordedMotion {
  const bytes = readFileSync(FILE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = Float32Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true));
  const times = Array.from({ length: numbers.length / ROW }, (_, i) => numbers[i * ROW]);
  const next = pose();
  const four = [pose(), pose(), pose(), pose()];
  const frame = (index: number, part: Part, out: Pose): Pose => {
    const [x, y, z, ...rotation] = numbers.subarray(index * ROW + FIRST[part], index * ROW + FIRST[part] + 7);
    setVector(out.position, x, y, z);
    setQuaternion(out.rotation, rotation[0], rotation[1], rotation[2], rotation[3]);
    return out;
  };
  const frameBefore = (seconds: number): number => {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= seconds) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const at = (seconds: number, part: Part, out: Pose): Pose => {
    const index = Math.min(times.length - 2, frameBefore(seconds));
    const share = (seconds - times[index]) / (times[index + 1] - times[index]);
    return lerpPose(frame(index, part, out), frame(index + 1, part, next), share, out);
  };
  const smoothAt = (seconds: number, part: Part, out: Pose): Pose => {
    const index = Math.max(1, Math.min(times.length - 3, frameBefore(seconds)));
    return curve(
      times.slice(index - 1, index + 3),
      four.map((p, i) => frame(index - 1 + i, part, p)),
      seconds,
      out,
    );
  };
  return { times, frame, frameBefore, at, smoothAt };
}

/** Between the second and the third of four poses, by cubic Hermite, their times being uneven. */
function curve(times: readonly number[], poses: readonly Pose[], time: number, out: Pose): Pose {
  const rows = poses.map((p) => numbersOf(p, poses[1]));
  const span = times[2] - times[1];
  const u = (time - times[1]) / span;
  const slope = (k: number, i: number): number => {
    const [before, after] = [times[i] - times[i - 1], times[i + 1] - times[i]];
    const [down, up] = [(rows[i][k] - rows[i - 1][k]) / before, (rows[i + 1][k] - rows[i][k]) / after];
    return (down * after + up * before) / (before + after);
  };
  const [x, y, z, ...rotation] = rows[1].map(
    (from, k) =>
      from * (1 - u) ** 2 * (1 + 2 * u) +
      rows[2][k] * u ** 2 * (3 - 2 * u) +
      span * u * (1 - u) * (slope(k, 1) * (1 - u) - slope(k, 2) * u),
  );
  setVector(out.position, x, y, z);
  setQuaternion(out.rotation, rotation[0], rotation[1], rotation[2], rotation[3]);
  normalize(out.rotation, out.rotation);
  return out;
}

/** The seven numbers of a pose; of the two signs of its rotation the one that is nearer to another pose's. */
function numbersOf({ position: p, rotation: q }: Pose, near: Pose): number[] {
  const sign = dot(q, near.rotation) < 0 ? -1 : 1;
  return [p.x, p.y, p.z, sign * q.x, sign * q.y, sign * q.z, sign * q.w];
}
