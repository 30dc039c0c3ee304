import { describe, expect, test } from 'vitest';
import type { Pose, Quaternion, Vector } from '../../../src/core/base/math.ts';
import {
  addScaled,
  angleBetween,
  composePose,
  conjugate,
  copyPose,
  copyQuaternion,
  copyVector,
  distance,
  dot,
  fromAxisAngle,
  length,
  lerpPose,
  lerpVector,
  lookAt,
  multiply,
  nlerp,
  normalize,
  pose,
  quaternion,
  relativePose,
  rotate,
  rotateBack,
  vector,
} from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';

const X = vector(1, 0, 0);
const Y = vector(0, 1, 0);
const Z = vector(0, 0, 1);
const FORWARD = vector(0, 0, -1);

function turn(axis: Vector, angle: number): Quaternion {
  return fromAxisAngle(axis, angle, quaternion());
}

function anyVector(random: Random, size = 5): Vector {
  return vector(random.between(-size, size), random.between(-size, size), random.between(-size, size));
}

function anyRotation(random: Random): Quaternion {
  const q = quaternion(
    random.between(-1, 1),
    random.between(-1, 1),
    random.between(-1, 1),
    random.between(-1, 1),
  );
  return normalize(q, q);
}

function anyPose(random: Random): Pose {
  return { position: anyVector(random), rotation: anyRotation(random) };
}

function expectVector(actual: Vector, x: number, y: number, z: number): void {
  expect(distance(actual, vector(x, y, z)), JSON.stringify(actual)).toBeLessThan(1e-9);
}

/** The same rotation, whichever of the two quaternions stands for it. */
function expectRotation(actual: Quaternion, expected: Quaternion): void {
  expect(Math.abs(dot(actual, expected)), JSON.stringify([actual, expected])).toBeCloseTo(1, 9);
}

function expectPose(actual: Pose, expected: Pose): void {
  expectVector(actual.position, expected.position.x, expected.position.y, expected.position.z);
  expectRotation(actual.rotation, expected.rotation);
}

describe('vectors', () => {
  test('length, distance, addScaled and lerp', () => {
    expect(length(vector(2, 3, 6))).toBe(7);
    expect(distance(vector(1, 1, 1), vector(3, 4, 7))).toBe(7);
    expect(addScaled(vector(1, 2, 3), vector(4, 5, 6), 2, vector())).toEqual(vector(9, 12, 15));
    expect(lerpVector(vector(0, 2, 4), vector(4, 2, 0), 0.25, vector())).toEqual(vector(1, 2, 3));
  });

  test('copies are separate', () => {
    const from = { position: vector(1, 2, 3), rotation: quaternion(0.5, -0.5, 0.5, 0.5) };
    const to = copyPose(from, pose());
    expect(to).toEqual(from);
    copyVector(X, to.position);
    copyQuaternion(quaternion(), to.rotation);
    expect(from).toEqual({ position: vector(1, 2, 3), rotation: quaternion(0.5, -0.5, 0.5, 0.5) });
  });
});

describe('rotations', () => {
  test('are right-handed', () => {
    expectVector(rotate(turn(Y, Math.PI / 2), Z, vector()), 1, 0, 0);
    expectVector(rotate(turn(X, Math.PI / 2), Y, vector()), 0, 0, 1);
    expectVector(rotate(turn(Z, Math.PI / 2), X, vector()), 0, 1, 0);
  });

  test('multiply turns by the second, then by the first', () => {
    const q = multiply(turn(Y, Math.PI / 2), turn(X, Math.PI / 2), quaternion());
    expectVector(rotate(q, Y, vector()), 1, 0, 0);
  });

  test('multiply and rotate may write over what they read', () => {
    const random = new Random(1);
    const [a, b, v] = [anyRotation(random), anyRotation(random), anyVector(random)];
    const product = multiply(a, b, quaternion());
    expect(multiply(a, b, { ...a })).toEqual(product);
    const [intoA, intoB, intoV] = [{ ...a }, { ...b }, { ...v }];
    expect(multiply(intoA, b, intoA)).toEqual(product);
    expect(multiply(a, intoB, intoB)).toEqual(product);
    expect(rotate(a, intoV, intoV)).toEqual(rotate(a, v, vector()));
    const back = { ...v };
    expect(rotateBack(a, back, back)).toEqual(rotateBack(a, v, vector()));
  });

  test('keep lengths, and rotateBack and conjugate invert them', () => {
    const random = new Random(2);
    for (let i = 0; i < 200; i++) {
      const [q, v] = [anyRotation(random), anyVector(random)];
      const turned = rotate(q, v, vector());
      expect(length(turned)).toBeCloseTo(length(v), 9);
      expectVector(rotateBack(q, turned, vector()), v.x, v.y, v.z);
      expectVector(rotate(conjugate(q, quaternion()), turned, vector()), v.x, v.y, v.z);
    }
  });

  test('normalize gives unit length, or the identity for length 0', () => {
    expect(normalize(quaternion(0, 3, 0, 4), quaternion())).toEqual(quaternion(0, 0.6, 0, 0.8));
    for (const nothing of [quaternion(0, 0, 0, 0), quaternion(NaN, 0, 0, 1), quaternion(1e-12, 0, 0, 0)]) {
      expect(normalize(nothing, quaternion(1, 1, 1, 1))).toEqual(quaternion());
    }
  });

  test('angleBetween measures the shorter way, and both quaternions of a rotation are the same', () => {
    expect(angleBetween(turn(Y, 0.3), turn(Y, 1.1))).toBeCloseTo(0.8, 9);
    expect(angleBetween(turn(Y, 0.1), turn(Y, 2 * Math.PI - 0.1))).toBeCloseTo(0.2, 9);
    expect(angleBetween(quaternion(), quaternion(0, 0, 0, -1))).toBe(0);
    expect(angleBetween(quaternion(), quaternion(0, 0, 0, 1.0000001))).toBe(0);
    expect(angleBetween(quaternion(), turn(Z, Math.PI))).toBeCloseTo(Math.PI, 9);
  });

  test('nlerp starts, ends and halves where it should, the shorter way', () => {
    const [a, b] = [turn(Y, 0.2), turn(Y, 1.0)];
    const minusB = quaternion(-b.x, -b.y, -b.z, -b.w);
    for (const end of [b, minusB]) {
      expectRotation(nlerp(a, end, 0, quaternion()), a);
      expectRotation(nlerp(a, end, 0.5, quaternion()), turn(Y, 0.6));
      expectRotation(nlerp(a, end, 1, quaternion()), b);
    }
  });

  test('nlerp gives unit length, and may write over what it reads', () => {
    const random = new Random(3);
    for (let i = 0; i < 200; i++) {
      const [a, b, t] = [anyRotation(random), anyRotation(random), random.next()];
      const between = nlerp(a, b, t, quaternion());
      expect(dot(between, between)).toBeCloseTo(1, 9);
      const into = { ...a };
      expect(nlerp(into, b, t, into)).toEqual(between);
    }
  });
});

describe('lookAt', () => {
  test('turns forward to the target, without roll', () => {
    const random = new Random(4);
    for (let i = 0; i < 200; i++) {
      const [from, to] = [anyVector(random), anyVector(random)];
      const q = lookAt(from, to, quaternion());
      const forward = rotate(q, FORWARD, vector());
      const size = distance(from, to);
      expectVector(forward, (to.x - from.x) / size, (to.y - from.y) / size, (to.z - from.z) / size);
      expect(rotate(q, X, vector()).y, 'the right hand is level').toBeCloseTo(0, 9);
      expect(rotate(q, Y, vector()).y, 'up is up').toBeGreaterThanOrEqual(0);
    }
  });

  test.each([
    ['up', 1],
    ['down', -1],
  ])('looks straight %s', (_, y) => {
    expectVector(rotate(lookAt(vector(), vector(0, y, 0), quaternion()), FORWARD, vector()), 0, y, 0);
  });
});

describe('poses', () => {
  test('composePose places the local pose in the frame of its parent', () => {
    const parent = { position: vector(1, 0, 0), rotation: turn(Y, Math.PI / 2) };
    const local = { position: vector(0, 0, -2), rotation: turn(Y, Math.PI / 2) };
    expectPose(composePose(parent, local, pose()), {
      position: vector(-1, 0, 0),
      rotation: turn(Y, Math.PI),
    });
  });

  test('relativePose and composePose are inverse', () => {
    const random = new Random(5);
    for (let i = 0; i < 200; i++) {
      const [parent, world] = [anyPose(random), anyPose(random)];
      const local = relativePose(parent, world, pose());
      expectPose(composePose(parent, local, pose()), world);
      expectPose(relativePose(parent, composePose(parent, local, pose()), pose()), local);
    }
  });

  test('composePose may write over the local pose', () => {
    const random = new Random(6);
    const [parent, local] = [anyPose(random), anyPose(random)];
    const expected = composePose(parent, local, pose());
    expect(composePose(parent, local, local)).toEqual(expected);
  });

  test('lerpPose lies between', () => {
    const a = { position: vector(0, 0, 0), rotation: turn(Z, 0) };
    const b = { position: vector(2, 4, 6), rotation: turn(Z, 1) };
    expectPose(lerpPose(a, b, 0.5, pose()), { position: vector(1, 2, 3), rotation: turn(Z, 0.5) });
  });
});
