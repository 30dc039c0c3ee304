import { describe, expect, test } from 'vitest';
import { angleBetween, distance, fromAxisAngle, pose, quaternion, vector } from '../../src/core/base/math.ts';
import { MotionTrack, PARTS, ROW } from '../../src/hand-motion/track.ts';

/** Uneven frames of a hand on a parabola that turns evenly; each part a metre further out. */
const TIMES = [0.01, 0.02, 0.032, 0.041, 0.052, 0.06];
const turnAt = (seconds: number) => fromAxisAngle(vector(0, 1, 0), 4 * seconds, quaternion());
const track = new MotionTrack(
  Float32Array.from(
    TIMES.flatMap((time, i) => [
      time,
      ...PARTS.flatMap((_, part) => {
        // Both signs are the same rotation.
        const [sign, { x, y, z, w }] = [i % 2 === 0 ? 1 : -1, turnAt(time)];
        return [part + 100 * time * time, 1, -time, sign * x, sign * y, sign * z, sign * w];
      }),
    ]),
  ),
);

describe('a motion track', () => {
  test('has its frames as they were given', () => {
    expect(track.length).toBe(6);
    expect(track.end).toBeCloseTo(0.06, 6);
    expect(track.frame(2, 'right', pose()).position.x).toBeCloseTo(2 + 100 * 0.032 ** 2, 5);
    expect(track.frame(0, 'left', pose()).position.x).toBeCloseTo(1.01, 5);
  });

  test('finds the frame at a time or before it', () => {
    expect([0, 0.0101, 0.0399, 0.0411, 9].map((seconds) => track.frameBefore(seconds))).toEqual([
      0, 0, 2, 3, 5,
    ]);
  });

  test('between frames is on a straight line, or on a curve that follows a parabola', () => {
    const straight = track.at(0.026, 'head', pose());
    expect(straight.position.x).toBeCloseTo((100 * (0.02 ** 2 + 0.032 ** 2)) / 2, 5);
    for (const seconds of [0.021, 0.026, 0.035, 0.05]) {
      const curved = track.smoothAt(seconds, 'head', pose());
      expect(distance(curved.position, vector(100 * seconds ** 2, 1, -seconds)), `${seconds}`).toBeLessThan(
        1e-5,
      );
      for (const { rotation } of [curved, track.at(seconds, 'head', pose())])
        expect(angleBetween(rotation, turnAt(seconds)), `${seconds}`).toBeLessThan(0.001);
    }
  });

  test('before its first frame stands still there', () => {
    expect(track.at(0, 'head', pose())).toEqual(track.at(track.time(0), 'head', pose()));
  });

  test('of too few numbers is refused', () => {
    expect(() => new MotionTrack(new Float32Array(3 * ROW))).toThrow(RangeError);
    expect(() => new MotionTrack(new Float32Array(5 * ROW + 1))).toThrow(RangeError);
  });
});
