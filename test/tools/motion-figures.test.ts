import { describe, expect, test } from 'vitest';
import { fromAxisAngle, quaternion, vector } from '../../src/core/base/math.ts';
import { MotionTrack, PARTS } from '../../src/hand-motion/track.ts';
import { motionFigures, QUANTITIES, SHARES } from '../../src/tools/motion/figures.ts';
import { describeMotion } from '../../src/tools/motion/motion-bench.ts';

/** Metres from the centre, and radians a second: on a circle speed, acceleration and jerk are known. */
const RADIUS = 0.5;
const RATE = 8;

/** A head and two hands on a circle, turning with it, 90 frames a second of which every third comes 2 ms late. */
const circle = new MotionTrack(
  Float32Array.from(
    Array.from({ length: 900 }, (_, i) => {
      const time = i / 90 + (i % 3 === 0 ? 0.002 : 0);
      const { x, y, z, w } = fromAxisAngle(vector(0, 0, 1), RATE * time, quaternion());
      const [cosine, sine] = [Math.cos(RATE * time), Math.sin(RATE * time)];
      return [time, ...PARTS.flatMap(() => [RADIUS * cosine, 1 + RADIUS * sine, 0, x, y, z, w])];
    }).flat(),
  ),
);

describe('the figures of a motion', () => {
  const figures = motionFigures(circle);

  test.each([
    ['speed', RADIUS * RATE],
    ['acceleration', RADIUS * RATE ** 2],
    ['jerk', RADIUS * RATE ** 3],
    ['angularSpeed', RATE],
  ] as const)('on a circle: the %s is %f', (quantity, expected) => {
    for (const part of PARTS) {
      const [least, median, most] = [0.01, 0.5, 0.99].map(
        (share) => figures.parts[part][quantity][SHARES.findIndex((each) => each === share)],
      );
      expect(Math.abs(median / expected - 1)).toBeLessThan(0.02);
      expect(least).toBeGreaterThan(0.9 * expected);
      expect(most).toBeLessThan(1.1 * expected);
    }
  });

  test('have the milliseconds from frame to frame', () => {
    expect(figures.frames).toBe(900);
    expect(figures.intervals[0]).toBeCloseTo(1000 / 90 - 2, 2);
    expect(figures.intervals[SHARES.length - 1]).toBeCloseTo(1000 / 90 + 2, 2);
  });

  test('are told side by side, or alone where there is nothing to compare with', () => {
    const alone = describeMotion({ generated: figures, recorded: null });
    expect(alone.split('\n').filter((line) => line.includes('generated'))).toHaveLength(
      1 + 3 * QUANTITIES.length,
    );
    expect(alone).not.toContain('recorded');
    const both = describeMotion({ generated: figures, recorded: figures });
    expect(both.split('\n').filter((line) => line.startsWith('off by'))).toHaveLength(
      1 + 3 * QUANTITIES.length,
    );
    expect(both).toContain(' 0 %');
    expect(both).toContain('right: jerk, m/s³');
  });
});
