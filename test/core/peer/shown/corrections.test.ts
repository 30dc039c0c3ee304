import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import type { Quaternion, ReadonlyQuaternion, Vector } from '../../../../src/core/base/math.ts';
import { angleBetween, distance, fromAxisAngle, quaternion, vector } from '../../../../src/core/base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../../../src/core/base/state.ts';
import { Corrections } from '../../../../src/core/peer/shown/corrections.ts';

const COUNT = 3;
const BODY = 1 as BodyId;
const AXIS = vector(0.6, 0.8, 0);

/** Motions of all bodies at this place and turn. */
function motions(x: number, angle = 0): Float32Array {
  const motion = new Float32Array(COUNT * STRIDE);
  const q = fromAxisAngle(AXIS, angle, quaternion());
  for (let body = 0; body < COUNT; body++) {
    motion[body * STRIDE] = x;
    motion.set([q.x, q.y, q.z, q.w], body * STRIDE + MOTION.rotation);
  }
  return motion;
}

function shown(
  corrections: Corrections,
  motion: Float32Array,
  body = BODY,
): {
  position: Vector;
  rotation: Quaternion;
} {
  const out = new Float32Array(COUNT * POSE_STRIDE);
  corrections.show(body, motion, out);
  const [x, y, z, qx, qy, qz, qw] = out.subarray(body * POSE_STRIDE);
  return { position: vector(x, y, z), rotation: quaternion(qx, qy, qz, qw) };
}

function turned(angle: number): ReadonlyQuaternion {
  return fromAxisAngle(AXIS, angle, quaternion());
}

/** Corrections in which the body was moved from one motion to another just now. */
function corrected(from: Float32Array, to: Float32Array): Corrections {
  const corrections = new Corrections(COUNT);
  corrections.moved(BODY, from, to);
  return corrections;
}

describe('Corrections', () => {
  test('without one, a body is drawn where it is', () => {
    const { position, rotation } = shown(new Corrections(COUNT), motions(2, 1));
    expect(position).toEqual(vector(2, 0, 0));
    expect(angleBetween(rotation, turned(1))).toBeLessThan(1e-3);
  });

  test('a corrected body is drawn where it was at first, and the others where they are', () => {
    const [from, to] = [motions(2, 1), motions(2.3, 1.5)];
    const corrections = corrected(from, to);
    const { position, rotation } = shown(corrections, to);
    expect(distance(position, vector(2, 0, 0))).toBeLessThan(1e-6);
    expect(angleBetween(rotation, turned(1))).toBeLessThan(1e-3);
    expect(shown(corrections, to, 0 as BodyId).position.x).toBeCloseTo(2.3, 6);
  });

  test('it comes to where it is, steadily, and stays there', () => {
    const [from, to] = [motions(2, 1), motions(2.3, 1.5)];
    const corrections = corrected(from, to);
    let [off, angle] = [0.3, 0.5];
    for (let frame = 0; frame < 60; frame++) {
      corrections.decay(1 / 60);
      const { position, rotation } = shown(corrections, to);
      const left = 2.3 - position.x;
      expect(left).toBeLessThan(Math.max(off, 1e-6));
      expect(angleBetween(rotation, turned(1.5))).toBeLessThan(angle + 1e-3);
      [off, angle] = [left, angleBetween(rotation, turned(1.5))];
    }
    expect(off).toBeCloseTo(0, 6);
  });

  test('eases a fifth of what is left in a frame of 90 Hz, and as much in the same time at any rate', () => {
    const [from, to] = [motions(0, 0), motions(0.5, 0.8)];
    for (const rate of [30, 60, 72, 90, 120]) {
      const corrections = corrected(from, to);
      for (let frame = 0; frame < rate / 10; frame++) corrections.decay(1 / rate);
      const after = shown(corrections, to);
      // A tenth of a second is 9 frames of 90 Hz; 72 Hz makes it 7.2, and 8 of them a little more.
      const seconds = Math.ceil(rate / 10) / rate;
      const left = 0.8 ** (90 * seconds);
      expect(0.5 - after.position.x, `${rate} Hz`).toBeCloseTo(0.5 * left, 6);
      expect(angleBetween(after.rotation, turned(0.8)), `${rate} Hz`).toBeCloseTo(0.8 * left, 2);
    }
  });

  test('one after another, the drawn body never jumps', () => {
    const corrections = new Corrections(COUNT);
    let motion = motions(0, 0);
    let before = shown(corrections, motion);
    for (const [x, angle] of [
      [0.2, 0.3],
      [-0.1, -0.5],
      [0.3, 2],
      [0.25, 3.5],
    ]) {
      const next = motions(x, angle);
      corrections.moved(BODY, motion, next);
      motion = next;
      const after = shown(corrections, motion);
      expect(distance(after.position, before.position)).toBeLessThan(1e-5);
      expect(angleBetween(after.rotation, before.rotation)).toBeLessThan(2e-3);
      corrections.decay(1 / 60);
      before = shown(corrections, motion);
    }
  });

  test('a turn is eased the shorter way', () => {
    const [from, to] = [motions(0, 0), motions(0, 2 * Math.PI - 0.4)];
    const corrections = corrected(from, to);
    for (let frame = 0; frame < 6; frame++) {
      corrections.decay(1 / 60);
      expect(angleBetween(shown(corrections, to).rotation, turned(0))).toBeLessThan(0.4);
    }
  });

  test('of more than three metres is not eased, and is forgotten', () => {
    const [from, to] = [motions(0), motions(3.1)];
    const corrections = corrected(from, to);
    expect(shown(corrections, to).position.x).toBeCloseTo(3.1, 6);
    corrections.moved(BODY, to, motions(3.2));
    expect(shown(corrections, motions(3.2)).position.x).toBeCloseTo(3.1, 6);
  });

  test('can be forgotten, for one body or for all', () => {
    const [from, to] = [motions(0), motions(0.5)];
    const corrections = corrected(from, to);
    corrections.moved(2 as BodyId, from, to);
    corrections.forget(BODY);
    expect(shown(corrections, to).position.x).toBeCloseTo(0.5, 6);
    expect(shown(corrections, to, 2 as BodyId).position.x).toBeCloseTo(0, 6);
    corrections.clear();
    expect(shown(corrections, to, 2 as BodyId).position.x).toBeCloseTo(0.5, 6);
  });
});

describe('[A14.7] a struck body', () => {
  test.each([
    [2.9, 2],
    [3.1, 5.1],
  ])('that is %f m from where it was drawn is drawn at %f m', (away, at) => {
    for (const isActive of [false, true]) {
      const corrections = isActive ? corrected(motions(2), motions(2.1)) : new Corrections(COUNT);
      const poses = new Float32Array(COUNT * POSE_STRIDE);
      poses[BODY * POSE_STRIDE] = 2;
      corrections.keepDrawn(BODY, poses, motions(2 + away));
      expect(shown(corrections, motions(2 + away)).position.x).toBeCloseTo(at, 5);
    }
  });
});
