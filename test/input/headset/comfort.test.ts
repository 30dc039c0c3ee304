import { beforeEach, describe, expect, test } from 'vitest';
import { LEFT, RIGHT } from '../../../src/core/base/ids.ts';
import type { HandSide } from '../../../src/core/base/ids.ts';
import type { Pose } from '../../../src/core/base/math.ts';
import {
  composePose,
  distance,
  fromAxisAngle,
  pose,
  rotate,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { Locomotion } from '../../../src/input/headset/locomotion.ts';

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

describe('smooth turning', () => {
  beforeEach(() => {
    player.comfort = { ...player.comfort, smoothTurn: true };
  });

  /** Degrees to the right in half a second. */
  function turned(side: HandSide, right: number): number {
    const yaw = headYaw();
    sticks[side].right = right;
    frames(45);
    const left = headYaw() - yaw;
    return (-(left - 2 * Math.PI * Math.round(left / (2 * Math.PI))) * 180) / Math.PI;
  }

  test.each([
    [1, 55],
    [-1, -55],
    [0.625, 27.5],
    [0.2, 0],
  ])('%d of the stick turns by %d degrees in half a second, about the head', (right, degrees) => {
    const { position } = inWorld(head);
    const jumped = player.jumped;
    expect(turned(RIGHT, right)).toBeCloseTo(degrees, 5);
    expect(distance(inWorld(head).position, position)).toBeLessThan(1e-9);
    // The hands go with the player: nothing that they hold is thrown.
    expect(player.jumped).toBe(jumped);
    expect(player.glides).toBe(right !== 0.2);
    push(RIGHT, 0, 0);
    expect(player.glides).toBe(false);
  });

  test('leaves the walking stick to walk, and a hand that holds a body alone', () => {
    player.comfort = { ...player.comfort, smoothWalking: true };
    expect(turned(LEFT, 1)).toBeCloseTo(0);
    expect(player.glides).toBe(true);
    push(LEFT, 0, 0);
    sticks[RIGHT].free = false;
    expect(turned(RIGHT, 1)).toBeCloseTo(0);
    expect(player.glides).toBe(false);
  });

  test('still teleports with the stick forward', () => {
    push(RIGHT, 0.1, 0.9);
    expect(player.aim.active).toBe(true);
  });
});

test('a jump is no gliding', () => {
  push(RIGHT, 1, 0);
  expect(player.glides).toBe(false);
});

describe('a player who sits', () => {
  beforeEach(() => {
    player.comfort = { ...player.comfort, seated: true };
    head.position.y = 1.15;
  });

  test('has its eyes as high as somebody who stands, wherever it goes, until it stands up', () => {
    player.sit(head, true);
    expect(inWorld(head).position.y).toBeCloseTo(1.6);
    // It leans: the floor stays.
    head.position.y = 1;
    player.sit(head, true);
    expect(inWorld(head).position.y).toBeCloseTo(1.45);
    player.goTo({ position: vector(1, 1.6, 1), yaw: 0 }, head);
    expect(inWorld(head).position.y).toBeCloseTo(1.45);
    push(RIGHT, 0, 1);
    expect(player.aim.target.y).toBe(0);
    push(RIGHT, 0, 0);
    expect(inWorld(head).position.y).toBeCloseTo(1.45);
    player.comfort = { ...player.comfort, seated: false };
    player.sit(head, true);
    expect(player.rig.position.y).toBe(0);
  });

  test('is not raised above its real floor, nor put down if it is tall', () => {
    player.sit(head, false);
    expect(player.rig.position.y).toBe(0);
    head.position.y = 1.9;
    player.sit(head, true);
    expect(player.rig.position.y).toBe(0);
  });
});
