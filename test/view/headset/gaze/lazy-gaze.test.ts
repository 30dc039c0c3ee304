import { expect, test } from 'vitest';
import { fromAxisAngle, multiply, quaternion, vector } from '../../../../src/core/base/math.ts';
import { LazyGaze } from '../../../../src/view/headset/gaze/lazy-gaze.ts';

const FRAME = 1 / 90;

function looking(yaw: number, pitch: number) {
  const turn = fromAxisAngle(vector(0, 1, 0), yaw, quaternion());
  return multiply(turn, fromAxisAngle(vector(1, 0, 0), pitch, quaternion()), quaternion());
}

function follow(gaze: LazyGaze, yaw: number, pitch: number, seconds: number): void {
  for (let i = 0; i < seconds / FRAME; i++) gaze.update(looking(yaw, pitch), FRAME);
}

test('it begins before the eyes, and small turns of the head leave it there', () => {
  const gaze = new LazyGaze();
  gaze.update(looking(2, -0.3), FRAME);
  expect(gaze.yaw).toBeCloseTo(2);
  expect(gaze.pitch).toBeCloseTo(-0.3);
  follow(gaze, 2.12, -0.2, 3);
  expect(gaze.yaw).toBeCloseTo(2);
  expect(gaze.pitch).toBeCloseTo(-0.3);
});

test('it follows a wide turn softly, and comes before the eyes again', () => {
  const gaze = new LazyGaze();
  gaze.update(looking(0, 0), FRAME);
  gaze.update(looking(0.5, 0), FRAME);
  expect(gaze.yaw).toBeGreaterThan(0);
  expect(gaze.yaw).toBeLessThan(0.1);
  follow(gaze, 0.5, 0, 2);
  expect(gaze.yaw).toBeCloseTo(0.5, 1);
});

test('it takes the short way round, and never lags far behind', () => {
  const gaze = new LazyGaze();
  gaze.update(looking(3, 0), FRAME);
  follow(gaze, -3, 0, FRAME * 3);
  expect(Math.abs(gaze.yaw)).toBeGreaterThan(3);
  gaze.update(looking(0.2, 0), FRAME);
  const behind = Math.abs(gaze.yaw - 0.2);
  expect(behind).toBeLessThan(0.71);
});

test('a head that looks straight down keeps its direction', () => {
  const gaze = new LazyGaze();
  gaze.update(looking(1, 0), FRAME);
  follow(gaze, 1, -Math.PI / 2, 2);
  expect(gaze.yaw).toBeCloseTo(1, 1);
  expect(gaze.pitch).toBeLessThan(-1.4);
});

test('after a pause it begins before the eyes anew', () => {
  const gaze = new LazyGaze();
  gaze.update(looking(0, 0), FRAME);
  gaze.restart();
  gaze.update(looking(2.5, 0.1), FRAME);
  expect(gaze.yaw).toBeCloseTo(2.5);
});
