import { describe, expect, test } from 'vitest';
import { angleBetween, fromAxisAngle, quaternion, vector } from '../../../../src/core/base/math.ts';
import type { Quaternion, ReadonlyVector } from '../../../../src/core/base/math.ts';
import { TICK_RATE, TICK_SECONDS } from '../../../../src/core/base/constants.ts';
import { MOTION, STRIDE } from '../../../../src/core/base/state.ts';
import { coast, curveMotion } from '../../../../src/core/peer/shown/motion-curve.ts';

const AXIS = vector(0.6, 0, 0.8);
const STILL = vector();

function motionOf(at: ReadonlyVector, linear: ReadonlyVector, angle = 0, spin = 0): Float32Array {
  const q = fromAxisAngle(AXIS, angle, quaternion());
  const motion = new Float32Array(STRIDE);
  motion.set([at.x, at.y, at.z, q.x, q.y, q.z, q.w, linear.x, linear.y, linear.z]);
  motion.set([AXIS.x * spin, AXIS.y * spin, AXIS.z * spin], MOTION.angular);
  return motion;
}

function curve(from: Float32Array, to: Float32Array, ticks: number, span: number): Float32Array {
  const out = new Float32Array(STRIDE);
  curveMotion(from, to, 0, ticks, span, TICK_SECONDS, out);
  return out;
}

function rotationOf([, , , x, y, z, w]: Float32Array): Quaternion {
  return { x, y, z, w };
}

describe('[T7] the curve between two states', () => {
  const from = motionOf(vector(1, 2, 3), vector(3, 1, 0), 0.5, 2);
  const to = motionOf(vector(1.5, 2.1, 3), vector(2, -1, 1), 0.9, 3);

  test('[T7.3] has the positions and velocities of both, and is the second one bit for bit at its end', () => {
    const begin = curve(from, to, 0, 12);
    for (let i = 0; i < STRIDE; i++) expect(begin[i]).toBeCloseTo(from[i], 6);
    expect(curve(from, to, 12, 12)).toEqual(to);
    const last = curve(from, to, 12 - 1e-6, 12);
    for (let i = 0; i < STRIDE; i++) expect(last[i]).toBeCloseTo(to[i], 4);
  });

  test('[T7.3] has the velocity that its places say', () => {
    for (let ticks = 1; ticks < 12; ticks++) {
      const [a, b] = [curve(from, to, ticks - 0.05, 12), curve(from, to, ticks + 0.05, 12)];
      const now = curve(from, to, ticks, 12);
      for (let i = 0; i < 3; i++)
        expect(now[MOTION.linear + i]).toBeCloseTo((b[i] - a[i]) * 10 * TICK_RATE, 1);
    }
  });

  test('[T7.3] follows a throw and a spin exactly', () => {
    const spun = motionOf(vector(0.5, 1, 0), vector(3, 0, 0), 1.5, 9);
    const begun = motionOf(vector(0, 1, 0), vector(3, 0, 0), 0, 9);
    for (let ticks = 0; ticks <= 10; ticks++) {
      const now = curve(begun, spun, ticks, 10);
      expect(now[0]).toBeCloseTo(ticks * 0.05, 5);
      const turned = fromAxisAngle(AXIS, ticks * 0.15, quaternion());
      expect(angleBetween(rotationOf(now), turned)).toBeLessThan(0.002);
    }
  });

  test.each([
    [0.5, -6, 0.25, 0],
    [0.25, -5, 0.25, 3],
    [1, -6, 0.3, 2],
    [0.25, 0, 0.4, 6],
  ])(
    '[T7.3] from %d m at %d m/s to %d m at %d m/s it does not go below the lower',
    (high, falls, low, rises) => {
      const begins = motionOf(vector(0, high, 0), vector(0, falls, 0));
      const ends = motionOf(vector(0, low, 0), vector(0, rises, 0));
      for (let ticks = 0; ticks <= 12; ticks++)
        expect(curve(begins, ends, ticks, 12)[1]).toBeGreaterThan(Math.min(high, low) - 1e-6);
    },
  );
});

describe('[T7] a body that coasts', () => {
  const out = new Float32Array(STRIDE);

  test('[T7.4] keeps its velocity and its spin', () => {
    const from = motionOf(vector(1, 2, 3), vector(3, 1, 0), 0, 3);
    coast(from, motionOf(STILL, STILL), 0, 6, TICK_SECONDS, out);
    expect([...out.subarray(0, 3)]).toEqual([expect.closeTo(1.3, 5), expect.closeTo(2.1, 5), 3]);
    expect(angleBetween(rotationOf(out), fromAxisAngle(AXIS, 0.3, quaternion()))).toBeLessThan(0.002);
  });

  test('[T7.4] falls no lower than the engine has it', () => {
    const from = motionOf(vector(0, 0.3, 0), vector(3, -6, 0));
    coast(from, motionOf(vector(0, 0.25, 0), STILL), 0, 6, TICK_SECONDS, out);
    expect([out[0], out[1], out[MOTION.linear + 1]]).toEqual([expect.closeTo(0.3, 5), 0.25, 0]);
  });
});
