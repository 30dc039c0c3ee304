import { describe, expect, test } from 'vitest';
import type { Quaternion, Vector } from '../../../src/core/base/math.ts';
import {
  addScaled,
  angleBetween,
  composePose,
  distance,
  fromAxisAngle,
  multiply,
  normalize,
  pose,
  quaternion,
  rotate,
  setQuaternion,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import type { FingerState } from '../../../src/input/headset/fingers.ts';
import {
  fingerState,
  JOINT_NUMBERS,
  moveJoints,
  readFingers,
  readPalm,
} from '../../../src/input/headset/fingers.ts';
import { handControls } from '../../../src/input/headset/hand-controls.ts';

const [WRIST, THUMB_TIP, INDEX_TIP, MIDDLE_TIP] = [0, 4, 9, 14];
/** Metres: the bones of a finger from the knuckle on; the palm is 9.5 cm long. */
const BONES = [0.045, 0.025, 0.02];
const PALM = 0.095;
/** Radians by which the two joints of a finger are bent. */
type Bend = readonly [number, number];
const STRAIGHT: Bend = [0, 0];
const RELAXED: Bend = [0.6, 0.35];
const CURLED: Bend = [1.75, 1.05];

function put(
  joints: Float32Array,
  joint: number,
  at: Readonly<Vector>,
  rotation: Readonly<Quaternion>,
): void {
  [vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)].forEach((axis, column) => {
    const { x, y, z } = rotate(rotation, axis, axis);
    joints.set([x, y, z, 0], joint * 16 + column * 4);
  });
  joints.set([at.x, at.y, at.z, 1], joint * 16 + 12);
}

/**
 * A right hand with its wrist at the origin and its palm down: the fingers point along -z and bend downwards.
 */
function hand(bends: readonly Bend[], thumbTip: Readonly<Vector> = vector(-0.06, 0, -0.07)): Float32Array {
  const joints = new Float32Array(JOINT_NUMBERS);
  for (let joint = 0; joint < 25; joint++) put(joints, joint, vector(), quaternion());
  bends.forEach((bend, finger) => {
    const at = vector(-0.03 + finger * 0.02, 0, -PALM);
    const bone = 6 + finger * 5;
    put(joints, bone - 1, vector(at.x, 0, -0.03), quaternion());
    let angle = 0;
    [0, ...bend, 0].forEach((more, i) => {
      angle -= more;
      const rotation = fromAxisAngle(vector(1, 0, 0), angle, quaternion());
      put(joints, bone + i, at, rotation);
      addScaled(at, rotate(rotation, vector(0, 0, -1), vector()), BONES[i] ?? 0, at);
    });
  });
  put(joints, THUMB_TIP, thumbTip, quaternion());
  return joints;
}

const all = (bend: Bend): Bend[] => [bend, bend, bend, bend];

function tipOf(joints: Float32Array, joint: number): Vector {
  return vector(joints[joint * 16 + 12], joints[joint * 16 + 13], joints[joint * 16 + 14]);
}

/** A relaxed hand whose thumb is `apart` metres from the index finger's tip. */
function pinching(apart: number): Float32Array {
  const tip = tipOf(hand(all(RELAXED)), INDEX_TIP);
  return hand(all(RELAXED), vector(tip.x - apart, tip.y, tip.z));
}

function read(joints: Float32Array, state: FingerState = fingerState()) {
  const controls = handControls();
  readFingers(joints, state, controls);
  return controls;
}

describe('a pinch', () => {
  test.each([
    [0.005, 1],
    [0.01, 1],
    [0.025, 0.5],
    [0.04, 0],
    [0.1, 0],
  ])('of %d m is a grip of %d', (apart, grip) => {
    expect(read(pinching(apart)).grip).toBeCloseTo(grip, 4);
  });

  test('that has closed opens only when the tips are clearly apart', () => {
    const state = fingerState();
    const grip = (apart: number): number => read(pinching(apart), state).grip;
    expect(grip(0.019)).toBeLessThan(0.75);
    expect(grip(0.017)).toBeGreaterThan(0.75);
    expect(grip(0.027)).toBeGreaterThan(0.75);
    expect(grip(0.031)).toBeGreaterThan(0.6);
    expect(grip(0.033)).toBeLessThan(0.6);
    expect(grip(0.027)).toBeLessThan(0.6);
  });
});

describe('a fist', () => {
  test('is a grip, also with the thumb away', () => {
    expect(read(hand(all(CURLED)))).toMatchObject({ grip: 1, trigger: 0, pointing: false });
  });

  test('is no fist while one finger is stretched, or all are only relaxed', () => {
    expect(read(hand(all(RELAXED))).grip).toBe(0);
    for (let finger = 0; finger < 4; finger++) {
      expect(read(hand(all(CURLED).with(finger, STRAIGHT))).grip).toBe(0);
    }
  });

  test('opens later than it closes', () => {
    const half: Bend = [1.25, 0.7];
    const state = fingerState();
    expect(read(hand(all(half)), state).grip).toBeLessThan(0.6);
    read(hand(all(CURLED)), state);
    expect(read(hand(all(half)), state).grip).toBeGreaterThan(0.6);
    read(hand(all(RELAXED)), state);
    expect(read(hand(all(half)), state).grip).toBeLessThan(0.6);
  });
});

describe('the thumb on the middle finger', () => {
  /** The index finger is stretched, and the thumb is so many metres from the middle finger's tip. */
  const tapping = (apart: number, index: Bend = STRAIGHT): Float32Array => {
    const bends = [index, RELAXED, RELAXED, RELAXED];
    const { x, y, z } = tipOf(hand(bends), MIDDLE_TIP);
    return hand(bends, vector(x, y - apart, z));
  };

  test('is a button, which is up again only when the tips are clearly apart, and no grip', () => {
    const state = fingerState();
    const isDown = (apart: number): boolean => read(tapping(apart), state).down.lower;
    expect([0.04, 0.02, 0.008, 0.02, 0.03, 0.02].map(isDown)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(read(tapping(0.008))).toMatchObject({ grip: 0, pinch: 0 });
  });

  test('is none in a pinch of three fingers, or in a fist', () => {
    const { x, y, z } = tipOf(hand(all(RELAXED)), MIDDLE_TIP);
    const three = read(hand(all(RELAXED), vector(x - 0.01, y, z)));
    expect([three.down.lower, three.pinch > 0]).toEqual([false, true]);
    const fist = hand(all(CURLED), tipOf(hand(all(CURLED)), MIDDLE_TIP));
    expect(read(fist).down.lower).toBe(false);
  });
});

describe('fingers', () => {
  test('point if the index finger is stretched, and not while they pinch', () => {
    expect(read(hand([STRAIGHT, CURLED, CURLED, CURLED])).pointing).toBe(true);
    expect(read(hand([CURLED, STRAIGHT, STRAIGHT, STRAIGHT])).pointing).toBe(false);
    const tip = tipOf(hand(all(STRAIGHT)), INDEX_TIP);
    expect(read(hand(all(STRAIGHT), tip)).pointing).toBe(false);
  });

  test('have the thumb up if it leaves a fist, and not in an open hand', () => {
    const up = vector(-0.05, 0.06, -0.08);
    const over = vector(-0.02, -0.035, -0.1);
    expect(read(hand(all(CURLED), up)).thumbUp).toBe(true);
    expect(read(hand(all(CURLED), over)).thumbUp).toBe(false);
    expect(read(hand(all(STRAIGHT), up)).thumbUp).toBe(false);
  });

  test('give the same results for a small hand', () => {
    const small = (joints: Float32Array): Float32Array => {
      for (let joint = 0; joint < 25; joint++) for (let i = 12; i < 15; i++) joints[joint * 16 + i] *= 0.7;
      return joints;
    };
    const up = vector(-0.05, 0.06, -0.08);
    expect(read(small(hand(all(CURLED), up)))).toMatchObject({ grip: 1, thumbUp: true });
    expect(read(small(hand(all(STRAIGHT)))).pointing).toBe(true);
  });
});

describe('a palm', () => {
  const ROTATIONS = Array.from({ length: 40 }, (_, i) => {
    const q = setQuaternion(
      quaternion(),
      Math.sin(i * 3),
      Math.cos(i * 5),
      Math.sin(i * 7),
      Math.cos(i * 11),
    );
    return normalize(q, q);
  });

  test('is at the pinch, with the palm’s rotation, however the fingers are bent', () => {
    const place = pose();
    for (const rotation of ROTATIONS) {
      setVector(place.position, 1, 2, -3);
      Object.assign(place.rotation, rotation);
      const joints = pinching(0.02);
      const moved = new Float32Array(JOINT_NUMBERS);
      moveJoints(place, joints, moved);

      const seen = pose();
      readPalm(moved, seen);
      expect(angleBetween(seen.rotation, rotation)).toBeLessThan(2e-3);
      expect(distance(seen.position, tipOf(moved, THUMB_TIP))).toBeCloseTo(0.01, 5);
      expect(distance(seen.position, tipOf(moved, INDEX_TIP))).toBeCloseTo(0.01, 5);
    }
  });

  test('is moved with all of its joints, turned and put elsewhere', () => {
    const place = pose();
    setVector(place.position, 3, 0, -1);
    fromAxisAngle(vector(0, 1, 0), Math.PI / 2, place.rotation);
    const joints = hand(all(RELAXED));
    const moved = new Float32Array(JOINT_NUMBERS);
    moveJoints(place, joints, moved);
    const tip = pose();
    Object.assign(tip.position, tipOf(joints, INDEX_TIP));
    composePose(place, tip, tip);
    expect(distance(tipOf(moved, INDEX_TIP), tip.position)).toBeLessThan(1e-6);
    expect(tipOf(moved, WRIST)).toEqual(place.position);
    const [before, after] = [pose(), pose()];
    readPalm(joints, before);
    readPalm(moved, after);
    expect(
      angleBetween(after.rotation, multiply(place.rotation, before.rotation, quaternion())),
    ).toBeLessThan(2e-3);
  });
});
