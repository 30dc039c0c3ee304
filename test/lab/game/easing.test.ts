import { describe, expect, it } from 'vitest';
import { angleBetween, quaternion } from '../../../src/core/base/math.ts';
import { Easing } from '../../../src/lab/game/easing.ts';
import { rotationAt } from '../../../src/lab/game/poses.ts';

const poseAt = (x: number, degrees = 0): Float32Array => {
  const half = (degrees * Math.PI) / 360;
  return Float32Array.of(x, 0, 0, 0, Math.sin(half), 0, Math.cos(half));
};
const degreesOf = (poses: Float32Array): number =>
  (angleBetween(rotationAt(poses, 3, quaternion()), quaternion()) * 180) / Math.PI;

describe('a correction of what is drawn', () => {
  it('is taken back by a tenth in each tick, in position and in rotation', () => {
    const easing = new Easing(1);
    easing.correct(poseAt(1, 10), poseAt(0, 0));
    const [xs, turns]: [number[], number[]] = [[], []];
    for (let tick = 0; tick < 3; tick++) {
      const drawn = poseAt(0, 0);
      easing.apply(drawn);
      xs.push(drawn[0]);
      turns.push(degreesOf(drawn));
    }
    xs.forEach((x, i) => expect(x).toBeCloseTo(0.9 ** (i + 1), 5));
    turns.forEach((turn, i) => expect(turn).toBeCloseTo(10 * 0.9 ** (i + 1), 1));
  });

  it('adds to the one before it', () => {
    const easing = new Easing(1);
    easing.correct(poseAt(1), poseAt(0));
    easing.apply(poseAt(0));
    easing.correct(poseAt(0), poseAt(0.5));
    const drawn = poseAt(0.5);
    easing.apply(drawn);
    expect(drawn[0]).toBeCloseTo(0.5 + (0.9 - 0.5) * 0.9, 5);
  });

  it('beyond two metres is shown at once', () => {
    const easing = new Easing(1);
    easing.correct(poseAt(2.1, 30), poseAt(0));
    const drawn = poseAt(0);
    easing.apply(drawn);
    expect(drawn[0]).toBe(0);
    expect(degreesOf(drawn)).toBeCloseTo(0, 3);
  });

  it('is shown at once with a share of 1', () => {
    const easing = new Easing(1, 1);
    easing.correct(poseAt(1, 90), poseAt(0));
    const drawn = poseAt(0);
    easing.apply(drawn);
    expect([drawn[0], degreesOf(drawn)]).toEqual([0, 0]);
  });
});
