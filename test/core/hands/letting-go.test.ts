import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { TICK_RATE, TICK_SECONDS } from '../../../src/core/base/constants.ts';
import type { ReadonlyVector, Vector } from '../../../src/core/base/math.ts';
import {
  composePose,
  distance,
  fromAxisAngle,
  length,
  pose,
  rotate,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import type { HandInput } from '../../../src/core/hands/hand-input.ts';
import { handInput } from '../../../src/core/hands/hand-input.ts';
import type { HandCommand } from '../../../src/core/hands/player-hands.ts';
import { PlayerHand } from '../../../src/core/hands/player-hands.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { CUBE_BOUNDS } from '../../support/held-bounds.ts';

const A = 0 as BodyId;
const world = floatingSimulation(createLevel({ id: 'grid', seed: 1, count: 1 }));

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

/** Lets the hand look at its input. */
function act(): HandCommand {
  return hand.update(input, tick++, world);
}

/** Puts a body into the hand, there where it is. */
function hold(body: BodyId, at: ReadonlyVector): void {
  input.grip = 1;
  const where = pose();
  setVector(where.position, at.x, at.y, at.z);
  hand.hold(body, where, input, tick);
}

/** A place so many metres before the hand. */
function ahead(metres: number): Vector {
  return vector(0, 1.5, -metres);
}

describe('letting go', () => {
  /** Moves the hand at this velocity for a while; returns what it wants in the last tick. */
  function swing(velocity: ReadonlyVector, ticks: number): HandCommand {
    let command: HandCommand = { kind: 'none' };
    for (let i = 0; i < ticks; i++) {
      const p = input.pose.position;
      const step = TICK_SECONDS;
      setVector(p, p.x + velocity.x * step, p.y + velocity.y * step, p.z + velocity.z * step);
      command = act();
    }
    return command;
  }

  /** Lets go in motion. */
  function swingOpen(velocity: ReadonlyVector): HandCommand {
    input.grip = 0;
    return swing(velocity, 1);
  }

  test('[G3.1] throws with the velocity of the hand', () => {
    hold(A, ahead(0.4));
    swing(vector(2, 1, -6), 10);
    const command = swingOpen(vector(2, 1, -6));
    expect(command).toMatchObject({ kind: 'release', thrown: true });
    if (command.kind !== 'release') return;
    expect(distance(command.linear, vector(2, 1, -6))).toBeLessThan(1e-6);
    expect(length(command.angular)).toBeLessThan(1e-6);
  });

  /** Has the hand seen at these places since the last tick, at so many ticks before this one. */
  function seen(...places: readonly (readonly [before: number, at: ReadonlyVector])[]): void {
    places.forEach(([before, { x, y, z }], i) => {
      input.trail.before[i] = before;
      setVector(input.trail.poses[i].position, x, y, z);
      setVector(input.pose.position, x, y, z);
    });
    input.trail.count = places.length;
  }

  test('[G3.1] throws by every sample that a device took of the hand between two ticks', () => {
    // Every other frame is stretched, as a swing is that speeds up and down: the ticks alone are all at 3 m/s.
    const z = (tick: number): number => (3 * tick + 0.3 * Math.sin(2 * Math.PI * tick)) * -TICK_SECONDS;
    hold(A, ahead(0.4));
    for (let i = 1; i <= 12; i++) {
      seen([0.75, vector(0, 1.5, z(tick - 0.75))], [0, vector(0, 1.5, z(tick))]);
      act();
    }
    seen([1, vector(0, 1.5, z(tick - 1))], [0.75, vector(0, 1.5, z(tick - 0.75))]);
    input.grip = 0;
    const command = act();
    if (command.kind !== 'release') throw new Error('not released');
    const real = (z(tick - 1.75) - z(tick - 4.75)) / (3 * TICK_SECONDS);
    expect(command.linear.z).toBeCloseTo(real, 3);
  });

  test('[G3.1] a hand that was moved by a teleport is as fast as it was after it', () => {
    hold(A, ahead(0.4));
    swing(vector(1, 0, 0), 10);
    input.trail.broken = true;
    seen([0, vector(30, 1.5, 30)]);
    act();
    input.trail.broken = false;
    input.trail.count = 0;
    swing(vector(0, 0, 2), 1);
    const command = swingOpen(vector(0, 0, 2));
    if (command.kind !== 'release') throw new Error('not released');
    expect(distance(command.linear, vector(0, 0, 2))).toBeLessThan(1e-6);
  });

  test('[G3.1] a body that is zoomed out at 4 m/s is that fast in every frame between', () => {
    hold(A, ahead(3));
    input.stick.y = 1;
    for (let i = 0; i < 12; i++) {
      seen([0.5, vector(0, 1.5, 0)], [0, vector(0, 1.5, 0)]);
      act();
    }
    input.grip = 0;
    seen([0.75, vector(0, 1.5, 0)]);
    const command = act();
    if (command.kind !== 'release') throw new Error('not released');
    expect(command.linear.z).toBeCloseTo(-4, 0);
  });

  test('a hand that loses tracking lets go gently, however fast it was', () => {
    hold(A, ahead(0.4));
    swing(vector(0, 0, -10), 10);
    input.tracked = false;
    const command = act();
    expect(command).toEqual({ kind: 'release', thrown: false, linear: vector(), angular: vector() });
  });

  test('what the hand did before it took the body does not count', () => {
    hold(A, ahead(0.4));
    swing(vector(0, 0, -10), 10);
    hand.drop();
    hold(A, input.pose.position);
    swing(vector(1, 0, 0), 6);
    const command = swingOpen(vector(1, 0, 0));
    if (command.kind !== 'release') throw new Error('not released');
    expect(distance(command.linear, vector(1, 0, 0))).toBeLessThan(1e-6);
  });

  test('a body that swings about a turning hand flies the way it went, not the hand', () => {
    hold(A, ahead(1.5));
    let command: HandCommand = { kind: 'none' };
    for (let i = 0; i <= 12; i++) {
      fromAxisAngle(vector(0, 1, 0), i * 0.05, input.pose.rotation);
      if (i === 12) input.grip = 0;
      command = act();
    }
    if (command.kind !== 'release') throw new Error('not released');
    expect(command.thrown).toBe(true);
    // 3 rad/s at 1.5 m.
    expect(length(command.linear)).toBeCloseTo(4.5, 1);
    expect(command.angular.y).toBeCloseTo(3, 3);
    const forward = composePose(input.pose, pose(), pose()).rotation;
    const aside = rotate(forward, vector(-1, 0, 0), vector());
    const along = command.linear.x * aside.x + command.linear.z * aside.z;
    expect(along).toBeGreaterThan(4.4);
  });
});
