import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { setVector } from '../../../src/core/base/math.ts';
import { MOTION, STRIDE } from '../../../src/core/base/state.ts';
import type { Bot } from '../../../src/bots/bot.ts';
import type { Level } from '../../../src/core/world/level.ts';
import type { BotChoice } from '../../../src/harness/room.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { drivenLevel, plate, poseAt, shuttle } from '../../support/driven-levels.ts';

beforeAll(loadPhysics);

/** Metres a second: the fastest throw. */
const FASTEST = 20;

function open(level: Level, bots: readonly BotChoice[]): RoomHarness {
  const room = new RoomHarness(
    {
      players: bots.length,
      scene: { id: 'driven', seed: 1 },
      levels: () => level,
      bots,
      seed: 1,
      conditions: { latencyMs: 50, jitterMs: 10 },
      quietFrom: 360,
    },
    createRapierSimulation,
  );
  onTestFinished(() => room.dispose());
  return room;
}

/** Metres a second: the fastest that any body was on the peer that simulates it. */
function fastestIn(room: RoomHarness, seconds: number): number {
  let fastest = 0;
  for (let step = 0; step < seconds * 60; step++) {
    room.step();
    for (const { diagnostics } of room.peers) {
      const { motion, records } = diagnostics.bodies;
      for (let body = 0; body < records.count; body++) {
        if (diagnostics.simulatorOf(body as never) !== diagnostics.slot) continue;
        const [x, y, z] = [0, 1, 2].map((i) => motion[body * STRIDE + MOTION.linear + i]);
        fastest = Math.max(fastest, Math.sqrt(x * x + y * y + z * z));
      }
    }
  }
  return fastest;
}

const IDLE: BotChoice = () => ({ act: () => undefined });

describe('[K3.1] what a press pins is pushed out or let through, never shot away', () => {
  test.each([
    ['fast, to a tenth of its height', 0.05, 0.4],
    ['slowly', 0.05, 2],
    ['to more than half of its height', 0.3, 0.4],
  ])('%s', (_, gap, seconds) => {
    const press = plate([1, 0.1, 1], [0, 1.6, 0], shuttle([0, gap + 0.1, 0], seconds, 0.5));
    const room = open(
      drivenLevel(
        [press],
        [
          [0, 0.25, 0],
          [0.9, 0.25, 0.2],
        ],
      ),
      [IDLE, IDLE],
    );
    expect(fastestIn(room, 2 * seconds + 3)).toBeLessThanOrEqual(FASTEST);
    const { motion } = room.peers[0].diagnostics.bodies;
    for (const body of [0, 1]) expect(motion[body * STRIDE + 1], 'metres above the floor').toBeGreaterThan(0);
  });
});

test('[K3.1] a door that two push from both sides shoots nothing away', () => {
  /** Slides to the side and back, while each player presses a cube against a second one at its side of the door. */
  const door = plate([0.1, 1, 1], [0, 1, 0], shuttle([0, 1, 2.2], 1.5, 0.5));
  const level = drivenLevel(
    [door],
    [
      [-0.4, 0.25, 0],
      [-1.2, 0.25, 0],
      [0.4, 0.25, 0],
      [1.2, 0.25, 0],
    ],
  );
  const pushes = (side: number): BotChoice => {
    const bot: Bot = {
      act: (tick, _, { hands }) => {
        const hand = hands[RIGHT];
        const x = Math.max(0.3, 1.2 - Math.max(0, tick - 60) / 60);
        setVector(hand.pose.position, side * x, 0.25, 0);
        hand.tracked = true;
        hand.grip = tick > 30 ? 1 : 0;
      },
    };
    return () => bot;
  };
  const room = open(level, [pushes(-1), pushes(1)]);
  expect(fastestIn(room, 6)).toBeLessThanOrEqual(FASTEST);
  expect(fastestIn(room, 6), 'with open hands').toBeLessThanOrEqual(FASTEST);
  const [host, guest] = room.peers.map(({ diagnostics }) => diagnostics.bodies.motion);
  for (const body of [0, 1, 2, 3]) {
    expect(host[body * STRIDE + 1], 'metres above the floor').toBeGreaterThan(0);
    expect(Math.abs(host[body * STRIDE] - guest[body * STRIDE]), 'metres of difference').toBeLessThan(0.5);
  }
});

test('[K3.2] a held body stays in its hand while a lift passes through it', () => {
  const level = drivenLevel([plate([1, 0.1, 1], [0, 0.1, 0], shuttle([0, 2.1, 0], 1, 0))], [[0, 1, 0]]);
  const simulation = createRapierSimulation(level);
  const [cube] = [0 as BodyId];
  const motion = new Float32Array(STRIDE);
  const hand = poseAt([0, 1, 0]);
  simulation.hold(cube, true);
  for (let tick = 0; tick <= 60; tick++) {
    simulation.moveHeld(cube, hand);
    simulation.drive(0, poseAt([0, 0.1 + tick / 30, 0]), false);
    simulation.step();
    simulation.capture(motion);
    expect([...motion.subarray(0, 3)]).toEqual([0, 1, 0]);
  }
  simulation.dispose();
});
