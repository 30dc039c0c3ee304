import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import {
  angleBetween,
  distance,
  length,
  lookAt,
  pose,
  quaternion,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { handInput } from '../../../src/core/hands/hand-input.ts';
import { PlayerHand } from '../../../src/core/hands/player-hands.ts';
import { createScene } from '../../../src/core/world/scene.ts';
import type { Simulation } from '../../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';

describe('a hand', () => {
  let simulation: Simulation;
  let hand: PlayerHand;
  let tick = 0;
  const input = handInput();
  const top = 19 as BodyId;
  const topHeight = 9.75;

  beforeAll(loadPhysics);
  beforeEach(() => {
    simulation = createRapierSimulation(createScene({ name: 'tower', seed: 1 }));
    simulation.step();
    hand = new PlayerHand(RIGHT);
    Object.assign(input, handInput(), { tracked: true });
    tick = 0;
  });
  afterEach(() => simulation.dispose());

  const update = (): ReturnType<PlayerHand['update']> => hand.update(input, ++tick, simulation);
  const pointFrom = (x: number, y: number, z: number, to = vector(0, topHeight, 0)): void => {
    setVector(input.pose.position, x, y, z);
    lookAt(input.pose.position, to, input.pose.rotation);
  };
  const hold = (): void => {
    const at = pose();
    setVector(at.position, 0, topHeight, 0);
    hand.hold(top, at, input, tick);
    input.grip = 1;
    update();
  };

  it('[G1] selects what it touches before what it points at', () => {
    setVector(input.pose.position, 0.26, 5.25, 0);
    lookAt(input.pose.position, vector(0, topHeight, 0), input.pose.rotation);
    update();
    expect(hand.selected).toBe(10);
  });

  it('[G1] selects far bodies by the ray, and by a wider cast further out', () => {
    pointFrom(0, topHeight, 6);
    update();
    expect(hand.selected).toBe(top);
    hand = new PlayerHand(RIGHT);
    pointFrom(0, topHeight, 15, vector(0.4, topHeight, 0));
    update();
    expect(hand.selected, 'missed by 15 cm at 15 m').toBe(top);
    hand = new PlayerHand(RIGHT);
    pointFrom(0, topHeight, 6, vector(0.4, topHeight, 0));
    update();
    expect(hand.selected, 'missed by 15 cm at 6 m').toBe(NO_BODY);
  });

  it('[G1] what was pointed at a moment ago still counts, for half a second', () => {
    pointFrom(0, topHeight, 6);
    update();
    pointFrom(0, topHeight, 6, vector(0, 40, 0));
    for (let i = 0; i < 30; i++) update();
    expect(hand.selected).toBe(top);
    update();
    expect(hand.selected).toBe(NO_BODY);
  });

  it('[G2] grabs on closing, once, and not while it stays closed on nothing', () => {
    pointFrom(0, 15, 6, vector(0, 15, 0));
    input.grip = 1;
    expect(update()).toEqual({ kind: 'none' });
    for (let i = 0; i < 20; i++) update();
    pointFrom(0, topHeight, 6);
    expect(update()).toEqual({ kind: 'none' });
    input.grip = 0;
    update();
    input.grip = 1;
    expect(update()).toEqual({ kind: 'grab', body: top });
  });

  it('catches what flies into a hand that has just closed', () => {
    pointFrom(3, topHeight, 0, vector(9, topHeight, 0));
    input.grip = 1;
    update();
    pointFrom(0.26, topHeight, 0, vector(9, topHeight, 0));
    expect(update()).toEqual({ kind: 'grab', body: top });
  });

  it('[G2] keeps the body where it was in the hand, however the hand moves', () => {
    pointFrom(0, topHeight, 6);
    hold();
    expect(distance(hand.target.position, vector(0, topHeight, 0))).toBeLessThan(1e-6);
    pointFrom(2, topHeight, 6, vector(2, topHeight, 0));
    update();
    expect(distance(hand.target.position, vector(2, topHeight, 0))).toBeLessThan(1e-6);
  });

  it('[G2] the trigger brings it to the hand, no faster than 10 m/s', () => {
    pointFrom(0, topHeight, 6);
    hold();
    input.trigger = 1;
    let before = length(hand.offset.position);
    for (let i = 0; i < 90; i++) {
      update();
      const now = length(hand.offset.position);
      expect(before - now).toBeLessThan(10 / 60 + 1e-6);
      before = now;
    }
    expect(before).toBeCloseTo(0.4, 2);
  });

  it('[G2] the stick moves it out and in, from 0.4 to 20 m', () => {
    pointFrom(0, topHeight, 6);
    hold();
    input.stick.y = 1;
    for (let i = 0; i < 60; i++) update();
    expect(length(hand.offset.position)).toBeCloseTo(10, 1);
    for (let i = 0; i < 600; i++) update();
    expect(length(hand.offset.position)).toBeCloseTo(20, 3);
    input.stick.y = -1;
    for (let i = 0; i < 900; i++) update();
    expect(length(hand.offset.position)).toBeCloseTo(0.4, 3);
  });

  it.each([
    [false, vector(0, 1, 0)],
    [true, vector(1, 0, 0)],
  ])('[G2] the stick turns it by 180° a second; tilt: %s', (tilt, axis) => {
    pointFrom(0, topHeight, 6);
    hold();
    input.stick.x = 1;
    input.tilt = tilt;
    const before = { ...hand.target.rotation };
    for (let i = 0; i < 30; i++) update();
    const half = quaternion(
      axis.x * Math.SQRT1_2,
      axis.y * Math.SQRT1_2,
      axis.z * Math.SQRT1_2,
      Math.SQRT1_2,
    );
    expect(angleBetween(before, hand.target.rotation)).toBeCloseTo(Math.PI / 2, 3);
    expect(angleBetween(half, hand.target.rotation)).toBeLessThan(0.01);
  });

  it('[I5] never wants the body below the floor or outside of the world', () => {
    pointFrom(0, topHeight, 6);
    hold();
    pointFrom(0, 1, 6, vector(0, -20, 5));
    update();
    expect(hand.target.position.y).toBeGreaterThanOrEqual(0.25);
    pointFrom(63, 1, 0, vector(90, 1, 0));
    update();
    expect(hand.target.position.x).toBeLessThan(64);
  });

  it('lets go gently when its tracking is lost', () => {
    pointFrom(0, topHeight, 6);
    hold();
    for (let i = 0; i < 10; i++) {
      pointFrom(i * 0.2, topHeight, 6, vector(i * 0.2, topHeight, 0));
      update();
    }
    input.tracked = false;
    const command = update();
    expect(command).toEqual({ kind: 'release', thrown: false, linear: vector(), angular: vector() });
  });

  it('selects nothing for a moment after it has let go', () => {
    pointFrom(0, topHeight, 6);
    hold();
    hand.drop();
    input.grip = 0;
    for (let i = 0; i < 13; i++) {
      update();
      expect(hand.selected).toBe(NO_BODY);
    }
    update();
    expect(hand.selected).toBe(top);
  });

  it('the numbers of the scene are as assumed', () => {
    const motion = new Float32Array(20 * STRIDE);
    simulation.capture(motion);
    expect(motion[top * STRIDE + 1]).toBeCloseTo(topHeight, 1);
  });
});
