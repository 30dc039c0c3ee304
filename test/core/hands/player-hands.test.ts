import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { TICK_RATE, TICK_SECONDS } from '../../../src/core/base/constants.ts';
import type { ReadonlyVector, Vector } from '../../../src/core/base/math.ts';
import {
  angleBetween,
  distance,
  fromAxisAngle,
  length,
  lookAt,
  pose,
  quaternion,
  rotate,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import type { HandInput } from '../../../src/core/hands/hand-input.ts';
import { handInput } from '../../../src/core/hands/hand-input.ts';
import type { HandCommand } from '../../../src/core/hands/player-hands.ts';
import { PlayerHand } from '../../../src/core/hands/player-hands.ts';
import type { Simulation } from '../../../src/core/world/simulation.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { reachBelow } from '../../../src/core/world/extent/extent.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { CUBE_BOUNDS } from '../../support/held-bounds.ts';

const [A, B] = [0, 1] as BodyId[];
/** Metres: bodies are balls here, as wide as a cube. */
const RADIUS = 0.25;

/** Bodies at these places, which rays and wider casts find. */
function bodiesAt(...places: readonly ReadonlyVector[]): Simulation {
  const grid = createLevel({ id: 'grid', seed: 1, count: 1 });
  const start = (position: ReadonlyVector) => ({ position, rotation: quaternion() });
  const simulation = floatingSimulation({
    ...grid,
    bodies: places.map((place) => ({ ...grid.bodies[0], start: start(place) })),
  });
  const first = (from: ReadonlyVector, way: ReadonlyVector, wide: number, reach: number): BodyId => {
    let [found, least] = [NO_BODY, reach];
    places.forEach((place, body) => {
      const off = vector(place.x - from.x, place.y - from.y, place.z - from.z);
      const along = off.x * way.x + off.y * way.y + off.z * way.z;
      const beside = Math.sqrt(Math.max(0, length(off) ** 2 - along ** 2));
      if (along < 0 || along > least || beside > wide) return;
      [found, least] = [body as BodyId, along];
    });
    return found;
  };
  return Object.assign(simulation, {
    castRay: (from: ReadonlyVector, way: ReadonlyVector, reach: number) => first(from, way, RADIUS, reach),
    castSphere: (from: ReadonlyVector, way: ReadonlyVector, wide: number, reach: number) =>
      first(from, way, RADIUS + wide, reach),
  });
}

let hand: PlayerHand;
let input: HandInput;
let tick: number;

beforeEach(() => {
  hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
  input = handInput();
  input.tracked = true;
  setVector(input.pose.position, 0, 1.5, 0);
  tick = 0;
});

/** Lets the hand look at its input for some ticks; returns what it wants in the last. */
function act(simulation: Simulation, ticks = 1): HandCommand {
  let command: HandCommand = { kind: 'none' };
  for (let i = 0; i < ticks; i++) command = hand.update(input, tick++, simulation);
  return command;
}

/** Puts a body into the hand, there where it is. */
function hold(body: BodyId, at: ReadonlyVector): void {
  input.grip = 1;
  const where = pose();
  setVector(where.position, at.x, at.y, at.z);
  hand.hold(body, where, input, tick);
}

/** A place so many metres before the hand, and beside the line in which it points. */
function ahead(metres: number, beside = 0): Vector {
  return vector(beside, 1.5, -metres);
}

describe('[G1] what a hand selects', () => {
  test('[G1.1] the nearest body that overlaps it', () => {
    act(bodiesAt(vector(0, 1.5, 0.29)));
    expect(hand.selected).toBe(A);
    act(bodiesAt(vector(0, 1.5, 0.25), vector(0, 1.5, 0.1)), 2);
    expect(hand.selected).toBe(B);
  });

  test('nothing that is a hand’s width away behind it', () => {
    act(bodiesAt(vector(0, 1.5, 0.31)));
    expect(hand.selected).toBe(NO_BODY);
  });

  test('[G1.1] a body that it touches rather than one that it points at', () => {
    act(bodiesAt(ahead(3), vector(0, 1.5, 0.2)));
    expect(hand.selected).toBe(B);
  });

  test('[G1.1] far off, the first body on the ray of the index finger, up to 25 m', () => {
    act(bodiesAt(ahead(5), ahead(3)));
    expect(hand.selected).toBe(B);
    act(bodiesAt(ahead(24)), 2);
    expect(hand.selected).toBe(A);
    act(bodiesAt(ahead(26)), 40);
    expect(hand.selected).toBe(NO_BODY);
  });

  test('[G1.1] failing that, a body beside the ray, but only from 10 m on', () => {
    act(bodiesAt(ahead(8, 0.4)));
    expect(hand.selected).toBe(NO_BODY);
    act(bodiesAt(ahead(12, 0.4)), 2);
    expect(hand.selected).toBe(A);
  });

  test('[G1.1] a body that the ray hits rather than one that the wide cast finds', () => {
    act(bodiesAt(ahead(11, 0.4), ahead(15)));
    expect(hand.selected).toBe(B);
  });

  test('[G1.3] is looked for in every second tick, since casts are slow; but at once when it closes', () => {
    const simulation = bodiesAt(ahead(3));
    const asked = vi.spyOn(simulation, 'overlapSphere');
    act(simulation, 10);
    expect(asked).toHaveBeenCalledTimes(5);
    act(bodiesAt(ahead(3)));
    input.grip = 1;
    expect(act(bodiesAt(ahead(5), ahead(3)))).toEqual({ kind: 'grab', body: B });
  });

  test('[G1.2] a body that it pointed at up to half a second ago', () => {
    const simulation = bodiesAt(ahead(3));
    act(simulation);
    lookAt(input.pose.position, vector(0, 9, -1), input.pose.rotation);
    act(simulation, 30);
    expect(hand.selected).toBe(A);
    act(simulation);
    expect(hand.selected).toBe(NO_BODY);
  });

  test.each([
    ['is not tracked', { tracked: false }],
    ['works a panel', { busy: true }],
  ])('nothing while it %s, nor what it pointed at before', (_, change) => {
    const simulation = bodiesAt(ahead(3));
    act(simulation);
    Object.assign(input, change);
    act(simulation);
    expect(hand.selected).toBe(NO_BODY);
  });

  test('nothing for a moment after it has let go, so that a throw does not catch itself', () => {
    const simulation = bodiesAt(ahead(3));
    hold(A, ahead(3));
    act(simulation);
    hand.drop();
    input.grip = 0;
    act(simulation, 13);
    expect(hand.selected).toBe(NO_BODY);
    act(simulation);
    expect(hand.selected).toBe(A);
  });
});

describe('[G2] the grip', () => {
  test('[G2.1] closes above 0.75 and takes the selected body', () => {
    const simulation = bodiesAt(ahead(3));
    input.grip = 0.75;
    expect(act(simulation)).toEqual({ kind: 'none' });
    input.grip = 0.76;
    expect(act(simulation)).toEqual({ kind: 'grab', body: A });
  });

  test('[G2.1] opens below 0.6, so that a hand at the edge does not flutter', () => {
    const simulation = bodiesAt(ahead(3));
    hold(A, ahead(3));
    act(simulation);
    input.grip = 0.61;
    expect(act(simulation).kind).toBe('none');
    input.grip = 0.6;
    expect(act(simulation).kind).toBe('release');
  });

  test('a hand that is closed already takes nothing by pointing at it', () => {
    input.grip = 1;
    act(bodiesAt(vector(0, 1.5, 5)));
    expect(act(bodiesAt(ahead(3)), 5)).toEqual({ kind: 'none' });
  });

  test('a hand that closed a moment ago catches a body that flies into it; later it does not', () => {
    const [nothing, flies] = [bodiesAt(vector(0, 1.5, 5)), bodiesAt(vector(0, 1.5, 0.1))];
    input.grip = 1;
    act(nothing, 14);
    expect(act(flies)).toEqual({ kind: 'grab', body: A });
    hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
    act(nothing, 15);
    expect(act(flies)).toEqual({ kind: 'none' });
  });

  test('[A6.3] the other hand may take the body that this one holds: that is passing', () => {
    const other = new PlayerHand(0, CUBE_BOUNDS, TICK_RATE);
    hold(A, ahead(0.1));
    input.grip = 1;
    expect(other.update(input, tick, bodiesAt(ahead(0.1)))).toEqual({ kind: 'grab', body: A });
  });
});

describe('[A9] reaching', () => {
  const NEAR = vector(0, 1.5, 0.39);
  const isTaken = (body: BodyId): boolean => body === A;
  const select = (simulation: Simulation): BodyId => {
    hand.update(input, tick++, simulation, isTaken);
    return hand.selected;
  };

  test('[A9.2] a hand touches what another player holds from 0.15 m away, and nothing else', () => {
    expect(select(bodiesAt(NEAR))).toBe(A);
    expect(select(bodiesAt(ahead(3), NEAR))).toBe(A);
    hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
    expect(select(bodiesAt(vector(0, 9, 0), NEAR))).toBe(NO_BODY);
    expect(select(bodiesAt(vector(0, 1.5, 0.41)))).toBe(NO_BODY);
  });

  test('a body that overlaps the hand comes before one that another player holds beside it', () => {
    expect(select(bodiesAt(vector(0, 1.5, 0.35), vector(0, 1.5, -0.28)))).toBe(B);
  });

  test('[A9.3] lasts until the hand opens; the hand takes nothing else meanwhile', () => {
    input.grip = 1;
    act(bodiesAt(ahead(3)));
    hand.reachFor(A);
    expect(act(bodiesAt(ahead(3), vector(0, 1.5, 0.1)), 5)).toEqual({ kind: 'none' });
    expect([hand.reach, hand.selected]).toEqual([A, NO_BODY]);
    input.grip = 0;
    act(bodiesAt(ahead(3)));
    expect(hand.reach).toBe(NO_BODY);
  });

  test('[A9.3] ends when the hand loses tracking, and when it gets the body', () => {
    input.grip = 1;
    hand.reachFor(A);
    hold(A, ahead(1));
    expect(hand.reach).toBe(NO_BODY);
    hand.drop();
    hand.reachFor(A);
    input.tracked = false;
    act(bodiesAt(ahead(3)));
    expect(hand.reach).toBe(NO_BODY);
  });
});

describe('[G2] a held body', () => {
  const world = bodiesAt(ahead(3));

  test('[G2.1] stays where it is in the frame of the hand', () => {
    hold(A, ahead(3));
    setVector(input.pose.position, 1, 2, 3);
    fromAxisAngle(vector(0, 1, 0), Math.PI / 2, input.pose.rotation);
    act(world);
    expect(distance(hand.target.position, vector(-2, 2, 3))).toBeLessThan(1e-6);
    expect(angleBetween(hand.target.rotation, input.pose.rotation)).toBeLessThan(1e-6);
  });

  test('[G2.1] snaps to the hand once the trigger is pulled, at 10 m/s at the most, and never past it', () => {
    hold(A, ahead(8));
    input.trigger = 0.6;
    act(world);
    input.trigger = 0;
    let before = distance(hand.target.position, input.pose.position);
    for (let i = 0; i < 90; i++) {
      act(world);
      const far = distance(hand.target.position, input.pose.position);
      expect(before - far).toBeLessThanOrEqual(10 * TICK_SECONDS + 1e-9);
      expect(far).toBeGreaterThan(0.39);
      before = far;
    }
    expect(distance(hand.target.position, ahead(0.4))).toBeLessThan(0.01);
  });

  test('does not snap at a trigger that is not pulled half way', () => {
    hold(A, ahead(8));
    input.trigger = 0.5;
    act(world, 10);
    expect(distance(hand.target.position, ahead(8))).toBeLessThan(1e-6);
  });

  test('[G2.1] moves out and in with the stick, at 4 m/s', () => {
    hold(A, ahead(3));
    input.stick.y = 1;
    act(world, 15);
    expect(distance(hand.target.position, ahead(4))).toBeLessThan(1e-6);
    input.stick.y = -1;
    act(world, 30);
    expect(distance(hand.target.position, ahead(2))).toBeLessThan(1e-6);
  });

  test('comes no nearer than 0.4 m and goes no farther than 20 m', () => {
    hold(A, ahead(3));
    input.stick.y = -1;
    act(world, 600);
    expect(distance(hand.target.position, ahead(0.4))).toBeLessThan(1e-6);
    input.stick.y = 1;
    act(world, 600);
    expect(distance(hand.target.position, ahead(20))).toBeLessThan(1e-6);
  });

  test.each([
    [0.1, -1],
    [0.1, 1],
    [24, -1],
    [24, 1],
  ])('taken at %f m, beyond the limits, does not jump when the stick is at %f', (metres, stick) => {
    hold(A, ahead(metres));
    input.stick.y = stick;
    act(world);
    expect(distance(hand.target.position, ahead(metres))).toBeLessThan(4 * TICK_SECONDS + 1e-6);
  });

  test('a stick that is pushed ends the snap', () => {
    hold(A, ahead(8));
    input.trigger = 1;
    act(world);
    input.trigger = 0;
    input.stick.y = 1;
    act(world, 2);
    const far = distance(hand.target.position, input.pose.position);
    input.stick.y = 0;
    act(world, 10);
    expect(distance(hand.target.position, input.pose.position)).toBeCloseTo(far, 6);
  });

  test('[G2.1] turns about the upright of the world with the stick, half a turn a second, however the hand is held', () => {
    fromAxisAngle(vector(1, 0, 0), 0.7, input.pose.rotation);
    hold(A, ahead(3));
    input.stick.x = 1;
    act(world, 30);
    const turned = fromAxisAngle(vector(0, 1, 0), Math.PI / 2, quaternion());
    expect(angleBetween(hand.target.rotation, turned)).toBeLessThan(1e-3);
    expect(distance(hand.target.position, ahead(3))).toBeLessThan(1e-6);
  });

  test('turns about the right of the hand while tilting', () => {
    fromAxisAngle(vector(0, 1, 0), 0.7, input.pose.rotation);
    const right = rotate(input.pose.rotation, vector(1, 0, 0), vector());
    hold(A, ahead(3));
    input.tilt = true;
    input.stick.x = -1;
    act(world, 30);
    const turned = fromAxisAngle(right, -Math.PI / 2, quaternion());
    expect(angleBetween(hand.target.rotation, turned)).toBeLessThan(1e-3);
  });

  test('stays above the floor and within the world, wherever the hand points', () => {
    hold(A, ahead(15));
    lookAt(vector(), vector(0, -1, -0.2), input.pose.rotation);
    act(world);
    const { position, rotation } = hand.target;
    expect(position.y).toBe(reachBelow(CUBE_BOUNDS.shapeOf(A), rotation));
    setVector(input.pose.position, 60, 60, 0);
    lookAt(vector(), vector(1, 1, 0), input.pose.rotation);
    act(world);
    expect([position.x, position.y]).toEqual([63, 61]);
  });
});
