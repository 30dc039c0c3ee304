import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { distance, vector } from '../../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../../src/core/base/state.ts';
import type { Bodies } from '../../../../src/core/peer/bodies/bodies.ts';
import type { BodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import {
  A,
  GUEST,
  inEngine,
  NOBODY_HERE,
  OTHER,
  poseAt,
  positionOf,
  sceneOf,
  shownAt,
  tick,
  update,
} from '../../../support/bodies.ts';

beforeAll(loadPhysics);

/** Ticks between two packets. */
const EVERY = 6;
const SIDEWAYS = vector(3, 0, 0);

let bodies: Bodies;
/** Ticks that were played. */
let now: number;

beforeEach(() => {
  bodies = inEngine(sceneOf(vector(0, 5, 0)));
  now = 0;
});

/** A tick in which a state is due or not, and another may wait. @returns where the body is drawn. */
function step(
  due: BodyUpdate | null,
  waiting: BodyUpdate | null,
  author: Slot = GUEST,
  simulates = NOBODY_HERE,
): number {
  if (due !== null) bodies.received.apply(due, author);
  if (waiting !== null) bodies.received.announce(waiting, author, waiting.tick - now, EVERY);
  tick(bodies, simulates);
  now++;
  return shownAt(bodies, A).x;
}

/** The body's state at a tick of its author: it goes sideways in the air, and every second state is 20 cm off. */
function stateAt(of: number): BodyUpdate {
  return update(A, vector(of * 0.05 + (of % (2 * EVERY) === 0 ? 0 : 0.2), 5, 0), of, 'motion', SIDEWAYS);
}

/** Plays with a state in every sixth tick, of which the next one waits. @returns where the body was drawn. */
function play(count: number, announces = true): number[] {
  const xs: number[] = [];
  for (let i = 0; i < count; i++) {
    const next = now - (now % EVERY) + EVERY;
    xs.push(step(now % EVERY === 0 ? stateAt(now) : null, announces ? stateAt(next) : null));
  }
  return xs;
}

/** The greatest third difference of a path. */
function jerk(xs: readonly number[]): number {
  return Math.max(...xs.slice(3).map((x, i) => Math.abs(x - 3 * xs[i + 2] + 3 * xs[i + 1] - xs[i])));
}

describe('[T7] a body of a sparse author', () => {
  test('[T7.2] whose state is due long before its curve ends, as the clock has jumped, is eased there', () => {
    play(2 * EVERY);
    bodies.following.setCanEase(A, true);
    const far = update(A, vector(1.5, 5, 0), now + 12, 'motion', SIDEWAYS);
    const before = [step(stateAt(now), far), step(null, null), step(null, null), step(null, null)];
    const after = [step(far, null), step(null, null), step(null, null)];
    const xs = [...before, ...after];
    for (let i = 1; i < xs.length; i++) expect(Math.abs(xs[i] - xs[i - 1])).toBeLessThan(0.3);
    expect(1.5 - before[3]).toBeGreaterThan(0.4);
  });

  test('[T7.2] is drawn at each state in the tick in which it is due, and between the two before', () => {
    const xs = play(10 * EVERY);
    for (let i = 0; i < xs.length; i++) {
      const begin = i - (i % EVERY);
      const [from, to] = [stateAt(begin), stateAt(begin + EVERY)].map(({ state }) => state[0] / 4096);
      if (i === begin) expect(xs[i]).toBeCloseTo(from, 5);
      else expect(xs[i]).toBeGreaterThan(from - 1e-6);
      expect(xs[i]).toBeLessThan(Math.max(from, to) + 0.02);
    }
  });

  test('[T7.2] has no jumps, which it has without a curve', () => {
    expect(jerk(play(10 * EVERY).slice(EVERY))).toBeLessThan(0.045);
    beginAnew();
    expect(jerk(play(10 * EVERY, false).slice(EVERY))).toBeGreaterThan(0.06);
  });

  test('[T7.5] is where it would be without a curve in the engine and the record, bit for bit', () => {
    play(10 * EVERY);
    const { motion, records } = bodies;
    beginAnew();
    play(10 * EVERY, false);
    expect(bodies.motion).toEqual(motion);
    expect(bodies.records.state).toEqual(records.state);
  });

  test('[T7.2] arrives where it rests, bit for bit', () => {
    play(EVERY + 1);
    const rest = update(A, vector(0.7, 0.25, 0), 2 * EVERY, 'rest');
    while (now < 2 * EVERY) step(null, rest);
    const places: Float32Array[] = [];
    for (let i = 0; i < 5; i++) {
      step(i === 0 ? rest : null, null);
      places.push(bodies.drawn.poses.slice(0, POSE_STRIDE));
    }
    for (const place of places) expect(place).toEqual(bodies.engine.recorded.subarray(0, POSE_STRIDE));
  });

  test('[T7.3] that rested begins to move when its author sent the last packet without it', () => {
    const rest = update(A, vector(0, 0.25, 0), 0, 'rest');
    const moved = update(A, vector(0.1, 0.25, 0), 10, 'motion', vector(1, 0, 0));
    step(rest, null);
    for (; now < 10;) {
      const x = step(null, moved);
      if (now - 1 <= 10 - EVERY) expect(x).toBe(0);
      else expect(x).toBeGreaterThan(0);
    }
    expect(step(moved, null)).toBeCloseTo(0.1, 2);
  });

  test('[T7.4] keeps its velocity while no state waits, and is then eased to the engine', () => {
    play(EVERY);
    const xs = [step(stateAt(EVERY), null)];
    for (let i = 0; i < 40; i++) xs.push(step(null, null));
    for (let i = 1; i <= 7; i++) expect(xs[i] - xs[i - 1]).toBeCloseTo(0.05, 4);
    expect(jerk(xs)).toBeLessThan(0.03);
    expect(distance(shownAt(bodies, A), vector(xs[xs.length - 1], shownAt(bodies, A).y, 0))).toBe(0);
    expect(positionOf(bodies, A).x - xs[xs.length - 1]).toBeLessThan(0.06);
  });

  test('[T7.2] turns to a nearer state, and to the state of another author, from where it is drawn', () => {
    play(EVERY + 1);
    const far = update(A, vector(1.2, 5, 0), 24, 'motion', SIDEWAYS);
    const nearer = update(A, vector(0.9, 5, 0), 18, 'motion', SIDEWAYS);
    const xs = [step(null, far), step(null, far), step(null, nearer), step(null, nearer)];
    const others = update(A, vector(1, 5, 0), 20, 'motion', SIDEWAYS);
    while (now < 20) xs.push(step(null, others, OTHER));
    xs.push(step(others, null, OTHER));
    expect(jerk(xs)).toBeLessThan(0.03);
    expect(xs[xs.length - 1]).toBeCloseTo(1, 3);
  });
});

describe('[T7] a curve ends, eased,', () => {
  const far = update(A, vector(2, 5, 0), 14, 'motion', SIDEWAYS);

  function midway(): number {
    play(2);
    for (; now < 8;) step(null, far);
    return shownAt(bodies, A).x;
  }

  test('[T7.5] when this peer simulates the body', () => {
    const was = midway();
    expect(Math.abs(was - positionOf(bodies, A).x)).toBeGreaterThan(0.1);
    // As a body that is taken by contact.
    bodies.startSimulating(A);
    bodies.updateRecords();
    const is = step(null, null, GUEST, () => true);
    expect(Math.abs(is - was)).toBeLessThan(0.08);
    for (let i = 0; i < 30; i++) step(null, null, GUEST, () => true);
    expect(shownAt(bodies, A).x).toBeCloseTo(positionOf(bodies, A).x, 4);
  });

  test('[T7.5] when a hand carries it', () => {
    const was = midway();
    bodies.kinematic.carry(A, poseAt(vector(1, 5, 0)), GUEST);
    expect(Math.abs(step(null, null) - was)).toBeLessThan(0.3);
    for (let i = 0; i < 30; i++) step(null, null);
    expect(shownAt(bodies, A).x).toBeCloseTo(1, 4);
  });

  test('[T7.4] when its state does not come', () => {
    midway();
    for (let i = 0; i < 60; i++) step(null, null);
    expect(shownAt(bodies, A).x).toBeCloseTo(positionOf(bodies, A).x - 0.05, 1);
  });

  test('[T7.5] not eased, when it is put back to its start', () => {
    midway();
    bodies.putBackToStart(A);
    expect(step(null, null)).toBeCloseTo(0, 4);
  });
});

function beginAnew(): void {
  bodies = inEngine(sceneOf(vector(0, 5, 0)));
  now = 0;
}
