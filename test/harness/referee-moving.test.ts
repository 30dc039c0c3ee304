import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import { vector } from '../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../src/core/base/state.ts';
import { Referee } from '../../src/harness/referee/referee.ts';
import { RoomHarness } from '../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { drivenLevel, plate } from '../support/driven-levels.ts';

beforeAll(loadPhysics);

const GUEST = 1 as Slot;
/** One cube rides on a carousel, and one lies on the floor. */
const [RIDING, LYING] = [0, 1] as BodyId[];
const CAROUSEL = plate([1.5, 0.1, 1.5], [0, 0.1, 0], {
  kind: 'turn',
  pivot: vector(),
  axis: vector(0, 1, 0),
  period: 8,
});
const LEVEL = drivenLevel(
  [CAROUSEL],
  [
    [0.8, 0.46, 0],
    [5, 0.25, 0],
  ],
);
/** Steps in which the cubes come to rest, where they do, and those for which all must agree. */
const SETTLING = 240;
const SETTLED = 90;

let room: RoomHarness;
let referee: Referee;

beforeEach(() => {
  room = new RoomHarness(
    {
      players: 2,
      scene: { id: 'driven', seed: 1 },
      levels: () => LEVEL,
      bots: 'idle',
      seed: 1,
      conditions: { latencyMs: 60, jitterMs: 20 },
      quietFrom: 0,
    },
    createRapierSimulation,
  );
  onTestFinished(() => room.dispose());
  referee = new Referee(room, 200, false);
  step(SETTLING);
});

/** @param spoil is called before the referee looks. */
function step(count: number, spoil: () => void = () => undefined): void {
  for (let i = 0; i < count; i++) {
    room.step();
    spoil();
    referee.observe();
  }
}

/** Another player draws a cube so many metres higher. */
function lift(body: number, metres: number): void {
  room.peers[GUEST].state.bodies.drawn.poses[body * POSE_STRIDE + 1] += metres;
}

describe('[K1.5] the referee', () => {
  test('calls it settled if all draw a carried body alike, though it never rests', () => {
    step(SETTLED);
    expect(room.peers[0].state.bodies.records.resting[RIDING]).toBe(0);
    expect(referee.settledFor).toBeGreaterThanOrEqual(SETTLED - 1);
    expect(referee.finish()).toMatchObject({ converged: true });
    expect(referee.violations).toEqual([]);
  });

  test('sees a carried body that another player draws elsewhere', () => {
    step(SETTLED, () => lift(RIDING, 0.05));
    expect(referee.settledFor).toBe(0);
    expect(referee.finish().converged).toBe(false);
    expect(referee.violations).toMatchObject([{ mark: 'I1', peer: GUEST, body: RIDING }]);
  });

  test('sees one that another player draws standing still', () => {
    const { poses } = room.peers[GUEST].state.bodies.drawn;
    const stood = poses.slice(RIDING * POSE_STRIDE, (RIDING + 1) * POSE_STRIDE);
    step(SETTLED, () => poses.set(stood, RIDING * POSE_STRIDE));
    expect(referee.finish().converged).toBe(false);
  });

  test('sees one that a guest has under another player', () => {
    room.peers[GUEST].state.bodies.records.authoritySequence[RIDING]++;
    step(1);
    expect(referee.settledFor).toBe(0);
  });

  test('demands of every other body that it rests', () => {
    for (const peer of room.peers) peer.state.bodies.rest.wakeRecord(LYING);
    step(1);
    expect(referee.settledFor).toBe(0);
  });
});
