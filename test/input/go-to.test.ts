import { expect, test } from 'vitest';
import { TICK_MS } from '../../src/core/base/constants.ts';
import { composePose, fromAxisAngle, pose, rotate, setVector, vector } from '../../src/core/base/math.ts';
import { RIGHT } from '../../src/core/base/ids.ts';
import { DeskPlayer } from '../../src/input/desk-player.ts';
import { Locomotion } from '../../src/input/headset/locomotion.ts';

const HOME = { position: vector(1, 1.6, 4), yaw: 0.5, pitch: -0.2 };

test('a player at a desk who walks stands still at the place that it is brought to, and looks from there', () => {
  const desk = new DeskPlayer({ position: vector(0, 1.6, 3), yaw: 2, pitch: 0.3 });
  desk.point(0, 0);
  desk.key('forward', true);
  for (let i = 0; i < 60; i++) desk.beginFrame(i * TICK_MS);
  desk.key('forward', false);
  desk.goTo(HOME);
  desk.beginFrame(60 * TICK_MS);
  expect(desk.camera.position).toEqual(HOME.position);
  const ahead = rotate(desk.camera.rotation, vector(0, 0, -1), vector());
  expect(Math.atan2(-ahead.x, -ahead.z)).toBeCloseTo(0.5);
  expect(Math.asin(ahead.y)).toBeCloseTo(-0.2);
  // The way there is no swing of the hand.
  expect(desk.sample(60 * TICK_MS).hands[RIGHT].trail.broken).toBe(true);
});

test('a player in a headset has the middle of its floor at the place that it is brought to', () => {
  const floor = new Locomotion({ position: vector(0, 1.6, 3), yaw: 2 });
  expect(floor.jumped).toBe(0);
  floor.goTo(HOME);
  expect(floor.rig.position).toEqual(vector(1, 0, 4));
  const ahead = rotate(floor.rig.rotation, vector(0, 0, -1), vector());
  expect(Math.atan2(-ahead.x, -ahead.z)).toBeCloseTo(0.5);
  expect(floor.jumped).toBe(1);
});

test('a player in a headset who stands aside of the middle has its head at that place, and looks from there', () => {
  const floor = new Locomotion({ position: vector(0, 1.6, 3), yaw: 2 });
  const head = pose();
  setVector(head.position, 0.8, 1.7, -0.5);
  fromAxisAngle(vector(0, 1, 0), 1.2, head.rotation);
  floor.goTo(HOME, head);
  const { position, rotation } = composePose(floor.rig, head, pose());
  expect(position).toEqual({ x: expect.closeTo(1) as number, y: 1.7, z: expect.closeTo(4) as number });
  const ahead = rotate(rotation, vector(0, 0, -1), vector());
  expect(Math.atan2(-ahead.x, -ahead.z)).toBeCloseTo(0.5);
});
