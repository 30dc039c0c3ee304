import { beforeEach, describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { HandSide } from '../../../src/core/base/ids.ts';
import type { Pose, Vector } from '../../../src/core/base/math.ts';
import {
  angleBetween,
  composePose,
  distance,
  fromAxisAngle,
  multiply,
  pose,
  quaternion,
  rotate,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { Locomotion } from '../../../src/input/headset/locomotion.ts';
import { EYE_ACROSS } from '../../../src/input/desk/desk-walk.ts';

const FRAME = 1 / 90;
const START = { position: vector(3, 1.6, -2), yaw: 2 };
const UP = vector(0, 1, 0);

let player: Locomotion;
let head: Pose;
let sticks: [ReturnType<typeof stick>, ReturnType<typeof stick>];

function stick() {
  return { free: true, pinch: 0, finds: false, right: 0, forward: 0, ray: pose() };
}

beforeEach(() => {
  player = new Locomotion(START);
  head = pose();
  // Not in the middle of the real room, and turned to the side.
  setVector(head.position, 0.7, 1.65, -0.4);
  fromAxisAngle(UP, 0.5, head.rotation);
  sticks = [stick(), stick()];
  for (const { ray } of sticks) setVector(ray.position, 0.6, 1.2, -0.7);
});

function frames(count = 1): void {
  for (let i = 0; i < count; i++) player.update(FRAME, head, sticks);
}

function push(side: HandSide, right: number, forward: number): void {
  sticks[side].right = right;
  sticks[side].forward = forward;
  frames();
}

const inWorld = (local: Pose): Pose => composePose(player.rig, local, pose());

/** Radians: the direction of the head. */
function headYaw(): number {
  const ahead = rotate(inWorld(head).rotation, vector(0, 0, -1), vector());
  return Math.atan2(-ahead.x, -ahead.z);
}

/** The points of the drawn arc. */
function arc(): Vector[] {
  const { points } = player.aim;
  return Array.from({ length: points.length / 3 }, (_, i) =>
    vector(points[i * 3], points[i * 3 + 1], points[i * 3 + 2]),
  );
}

describe('the real floor', () => {
  test('is at the player’s start, on the world’s floor, with the player’s yaw', () => {
    expect(player.rig.position).toEqual(vector(3, 0, -2));
    expect(angleBetween(player.rig.rotation, fromAxisAngle(UP, 2, quaternion()))).toBeLessThan(1e-6);
  });

  test('does not move by itself, however the player does', () => {
    player.comfort = { ...player.comfort, smoothWalking: true };
    const before = structuredClone(player.rig);
    for (let i = 0; i < 300; i++) {
      setVector(head.position, Math.sin(i), 1.6, 50 * Math.cos(i));
      fromAxisAngle(UP, i, head.rotation);
      frames();
    }
    expect(player.rig).toEqual(before);
  });
});

describe('teleporting', () => {
  test('aims while the stick is forward, and moves the head to the target when it is released', () => {
    push(RIGHT, 0.1, 0.9);
    expect(player.aim).toMatchObject({ active: true, side: RIGHT, valid: true });
    const before = structuredClone(player.rig);
    frames(20);
    expect(player.rig).toEqual(before);
    const target = { ...player.aim.target };
    const yaw = headYaw();
    push(RIGHT, 0, 0);
    expect(player.aim.active).toBe(false);
    const { position } = inWorld(head);
    expect(position.x).toBeCloseTo(target.x, 9);
    expect(position.z).toBeCloseTo(target.z, 9);
    expect(position.y).toBeCloseTo(1.65, 9);
    expect(headYaw()).toBeCloseTo(yaw, 9);
    frames(20);
    expect(inWorld(head).position.x).toBeCloseTo(target.x, 9);
  });

  test('follows the path of a thrown body from the hand to the floor', () => {
    fromAxisAngle(vector(1, 0, 0), 0.4, sticks[LEFT].ray.rotation);
    push(LEFT, 0, 1);
    const points = arc();
    const hand = inWorld(sticks[LEFT].ray);
    expect(distance(points[0], hand.position)).toBeLessThan(1e-5);
    expect(distance(points[points.length - 1], player.aim.target)).toBeLessThan(1e-5);
    expect(player.aim.target.y).toBe(0);
    const ahead = rotate(hand.rotation, vector(0, 0, -1), vector());
    const first = vector(points[1].x - points[0].x, points[1].y - points[0].y, points[1].z - points[0].z);
    expect(first.x / first.z).toBeCloseTo(ahead.x / ahead.z, 4);
    // Free fall: all second differences are equal, and point downwards.
    const falls = points.slice(2).map((p, i) => p.y - 2 * points[i + 1].y + points[i].y);
    for (const fall of falls) expect(fall).toBeCloseTo(falls[0], 5);
    expect(falls[0]).toBeLessThan(0);
    const reach = Math.hypot(player.aim.target.x - hand.position.x, player.aim.target.z - hand.position.z);
    expect(reach).toBeGreaterThan(8);
    expect(reach).toBeLessThan(12);
  });

  test('stays within the world', () => {
    const edge = new Locomotion({ position: vector(0, 1.6, 2 - EYE_ACROSS), yaw: 0 });
    player = edge;
    const before = structuredClone(edge.rig);
    push(RIGHT, 0, 1);
    expect(edge.aim).toMatchObject({ active: true, valid: false });
    push(RIGHT, 0, 0);
    expect(edge.rig).toEqual(before);
    push(RIGHT, 0, 1);
    fromAxisAngle(UP, Math.PI, sticks[RIGHT].ray.rotation);
    frames();
    expect(edge.aim.valid).toBe(true);
  });

  test('has an end for every pose of the hand', () => {
    for (let i = 0; i < 500; i++) {
      const { ray } = sticks[RIGHT];
      setVector(ray.position, 3 * Math.sin(i), 2 * Math.sin(i * 3), 3 * Math.cos(i));
      multiply(
        fromAxisAngle(UP, i, quaternion()),
        fromAxisAngle(vector(1, 0, 0), i * 7, quaternion()),
        ray.rotation,
      );
      push(RIGHT, 0, 1);
      for (const { x, y, z } of arc()) {
        expect(Number.isFinite(x + y + z)).toBe(true);
        expect(y).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test.each([
    ['the hand takes something', () => (sticks[RIGHT].free = false)],
    ['the player turns to walking', () => (player.comfort = { ...player.comfort, smoothWalking: true })],
  ])('is given up when %s', (_, change) => {
    push(RIGHT, 0, 1);
    change();
    frames();
    expect(player.aim.active).toBe(false);
    const before = structuredClone(player.rig);
    push(RIGHT, 0, 0);
    expect(player.rig).toEqual(before);
  });

  test('uses one hand at a time, and a trembling thumb does not release it', () => {
    push(RIGHT, 0, 1);
    push(LEFT, 0, 1);
    expect(player.aim.side).toBe(RIGHT);
    push(RIGHT, 0, 0.4);
    expect(player.aim.active).toBe(true);
    push(LEFT, 0, 0);
    expect(player.aim).toMatchObject({ active: true, side: RIGHT });
  });

  test('does not start while the stick still moves a body that was just let go', () => {
    sticks[RIGHT].free = false;
    push(RIGHT, 0, 1);
    sticks[RIGHT].free = true;
    frames(5);
    expect(player.aim.active).toBe(false);
    push(RIGHT, 0, 0);
    push(RIGHT, 0, 1);
    expect(player.aim.active).toBe(true);
  });

  test('does not start by pulling the stick back', () => {
    push(RIGHT, 0, -1);
    expect(player.aim.active).toBe(false);
  });
});

describe('turning', () => {
  test.each([
    [1, 45],
    [-1, 45],
    [1, 30],
    [-1, 90],
  ])('to %d is by %d degrees, about the head, once for each push', (right, degrees) => {
    player.comfort = { ...player.comfort, snapDegrees: degrees };
    const before = inWorld(head);
    const yaw = headYaw();
    push(RIGHT, right * 0.9, 0.2);
    frames(30);
    push(RIGHT, right * 0.5, 0);
    push(RIGHT, right * 0.9, 0);
    const turned = ((headYaw() - yaw) * 180) / Math.PI;
    expect(((((turned + right * degrees) % 360) + 540) % 360) - 180).toBeCloseTo(0, 6);
    expect(distance(inWorld(head).position, before.position)).toBeLessThan(1e-9);
    expect(player.turned).toBe(1);
    push(RIGHT, 0, 0);
    push(RIGHT, -right, 0);
    expect(player.turned).toBe(2);
    expect(headYaw()).toBeCloseTo(yaw, 9);
    expect(distance(inWorld(head).position, before.position)).toBeLessThan(1e-9);
  });

  test('to the right turns the player to the right', () => {
    const right = rotate(inWorld(head).rotation, vector(1, 0, 0), vector());
    push(LEFT, 1, 0);
    const ahead = rotate(inWorld(head).rotation, vector(0, 0, -1), vector());
    expect(right.x * ahead.x + right.z * ahead.z).toBeGreaterThan(0.5);
  });

  test('does not work with a hand that holds a body', () => {
    sticks[RIGHT].free = false;
    push(RIGHT, 1, 0);
    expect(player.turned).toBe(0);
  });

  test('with the other hand does not change the aim of that hand', () => {
    push(RIGHT, 0, 1);
    push(LEFT, 1, 0);
    expect(player.turned).toBe(1);
    expect(distance(arc()[0], inWorld(sticks[RIGHT].ray).position)).toBeLessThan(1e-5);
  });
});

describe('smooth walking', () => {
  beforeEach(() => {
    player.comfort = { ...player.comfort, smoothWalking: true };
  });

  /** Metres that one second of a push moves the player, forward and to the right of the head's direction. */
  function walked(side: HandSide, right: number, forward: number): [ahead: number, aside: number] {
    const before = inWorld(head).position;
    const yaw = headYaw();
    sticks[side].right = right;
    sticks[side].forward = forward;
    frames(90);
    const now = inWorld(head).position;
    const [x, z] = [now.x - before.x, now.z - before.z];
    return [0 - x * Math.sin(yaw) - z * Math.cos(yaw), 0 + x * Math.cos(yaw) - z * Math.sin(yaw)];
  }

  test.each([
    [0, 1, 2, 0],
    [0, -1, -2, 0],
    [1, 0, 0, 2],
    [0, 0.625, 1, 0],
    [1, 1, Math.SQRT2, Math.SQRT2],
    [0.1, -0.2, 0, 0],
  ])(
    '(%d, %d) of the left stick leads %d m ahead and %d m aside in a second',
    (right, forward, ahead, aside) => {
      const [a, b] = walked(LEFT, right, forward);
      expect(a).toBeCloseTo(ahead, 6);
      expect(b).toBeCloseTo(aside, 6);
      expect(player.aim.active).toBe(false);
      expect(player.turned).toBe(0);
    },
  );

  test.each([
    ['down', vector(1, 0, 0), -1.2],
    ['up', vector(1, 0, 0), 1.2],
    ['with the head on one side', vector(0, 0, 1), 0.7],
  ])('is as fast for who looks %s, and stays on the floor', (_, axis, angle) => {
    const tilt = fromAxisAngle(axis, angle, quaternion());
    multiply(fromAxisAngle(UP, 0.5, quaternion()), tilt, head.rotation);
    const [ahead] = walked(LEFT, 0, 1);
    expect(ahead).toBeCloseTo(2, 6);
    expect(player.rig.position.y).toBe(0);
  });

  test('does not use the right stick, which still turns', () => {
    expect(walked(RIGHT, 0, 1)).toEqual([0, 0]);
    push(RIGHT, 0, 0);
    push(RIGHT, 1, 0);
    expect(player.turned).toBe(1);
  });

  test('does not work with a hand that holds a body', () => {
    sticks[LEFT].free = false;
    expect(walked(LEFT, 0, 1)).toEqual([0, 0]);
  });

  test('stops at the world’s border, and does not push back a player who walked beyond it', () => {
    player = new Locomotion({ position: vector(0, 0, 1 - EYE_ACROSS), yaw: 0 });
    player.comfort = { ...player.comfort, smoothWalking: true };
    Object.assign(head.rotation, quaternion());
    sticks[LEFT].forward = 1;
    frames(180);
    expect(inWorld(head).position.z).toBeCloseTo(-EYE_ACROSS, 9);
    head.position.z -= 2;
    frames(10);
    expect(inWorld(head).position.z).toBeCloseTo(-EYE_ACROSS - 2, 9);
    sticks[LEFT].forward = -1;
    frames(90);
    expect(inWorld(head).position.z).toBeCloseTo(-EYE_ACROSS, 6);
  });
});
