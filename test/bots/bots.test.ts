import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import { holdOf, RIGHT } from '../../src/core/base/ids.ts';
import { TICK_SECONDS } from '../../src/core/base/constants.ts';
import { distance, length, vector } from '../../src/core/base/math.ts';
import { Random } from '../../src/core/base/random.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import type { BotSight } from '../../src/bots/bot.ts';
import { pickSlowBody, speedOf } from '../../src/bots/bot.ts';
import { BOT_NAMES, createBot, isBotName } from '../../src/bots/bots.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { TOWER_X, TOWER_Z } from '../../src/bots/stack-bot.ts';
import { Records } from '../../src/core/world/record.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';

/** Bodies at these places, unturned, standing still. */
function sightOf(
  ...places: readonly (readonly [number, number, number])[]
): BotSight & { records: Records; motion: Float32Array } {
  const motion = new Float32Array(places.length * STRIDE);
  places.forEach((place, body) => motion.set([...place, 0, 0, 0, 1], body * STRIDE));
  return { records: new Records(places.length), motion, exists: () => true };
}

/** A few cubes on the floor. */
function floor(): BotSight {
  return sightOf([0, 0.25, 0], [1, 0.25, 0.5], [-1, 0.25, 0.3], [0.3, 0.25, -1], [2, 0.25, 0]);
}

/** The input of a bot of this name over some ticks of a world in which nothing moves. */
function play(name: (typeof BOT_NAMES)[number], seed: number, ticks: number): number[] {
  const sight = floor();
  const bot = createBot(name, { slot: 1 as Slot, players: 2, random: new Random(seed) });
  const input = playerInput();
  const done: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    bot.act(tick, sight, input);
    for (const { pose, grip, trigger } of [input.hands[0], input.hands[1]]) {
      done.push(...Object.values(pose.position), ...Object.values(pose.rotation), grip, trigger);
    }
  }
  return done;
}

describe('a bot', () => {
  test.each(BOT_NAMES)('%s does the same for the same seat, and moves its hands as an arm can', (name) => {
    const done = play(name, 3, 900);
    expect(play(name, 3, 900)).toEqual(done);
    expect(done.every(Number.isFinite)).toBe(true);
    const numbers = 9;
    for (let at = 2 * numbers; at < done.length; at += numbers) {
      const [x, y, z] = [0, 1, 2].map((k) => done[at + k] - done[at - 2 * numbers + k]);
      // The hand of a stack bot that opens far off is back at once.
      if (name !== 'stack') expect(Math.hypot(x, y, z)).toBeLessThanOrEqual(14 * TICK_SECONDS + 1e-6);
      const [qx, qy, qz, qw] = done.slice(at + 3, at + 7);
      expect(Math.hypot(qx, qy, qz, qw)).toBeCloseTo(1, 5);
      for (const squeeze of done.slice(at + 7, at + 9)) expect(squeeze >= 0 && squeeze <= 1).toBe(true);
    }
  });

  test('of another seed plays another game', () => {
    expect(play('chaos', 4, 900)).not.toEqual(play('chaos', 3, 900));
  });

  test('an idle one keeps its hands open', () => {
    const input = playerInput();
    createBot('idle', { slot: 0 as Slot, players: 2, random: new Random(1) }).act(9, floor(), input);
    expect(input.hands.map(({ grip, trigger, tracked }) => [grip, trigger, tracked])).toEqual([
      [0, 0, true],
      [0, 0, true],
    ]);
    expect(length(input.head.position)).toBeGreaterThan(1);
  });

  test('names are known', () => {
    expect(BOT_NAMES.every(isBotName)).toBe(true);
    expect(isBotName('nobody')).toBe(false);
  });
});

describe('what a bot sees', () => {
  test('a body at rest has no speed, whatever its engine last said of it', () => {
    const sight = sightOf([0, 0.25, 0]);
    sight.motion[MOTION.linear] = 3;
    expect(speedOf(0 as BodyId, sight)).toBe(3);
    sight.records.resting[0] = 1;
    expect(speedOf(0 as BodyId, sight)).toBe(0);
  });

  test('it picks among slow bodies within reach that nobody holds, each by the same chance', () => {
    const sight = sightOf([2, 0, 0], [3, 0, 0], [4, 0, 0], [5, 0, 0], [0.5, 0, 0], [20, 0, 0]);
    sight.motion[1 * STRIDE + MOTION.linear] = 2;
    sight.records.hold[2] = holdOf(RIGHT);
    const random = new Random(1);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 1000; i++) counts[pickSlowBody(vector(), sight, random)]++;
    expect(counts.filter((count) => count > 0)).toHaveLength(2);
    expect(Math.abs(counts[0] - counts[3])).toBeLessThan(120);
    expect(pickSlowBody(vector(50, 0, 0), sight, random)).toBe(-1);
  });

  test('it picks no id that has no body', () => {
    const sight = { ...sightOf([2, 0, 0], [3, 0, 0]), exists: (body: BodyId) => body === 1 };
    const random = new Random(1);
    for (let i = 0; i < 50; i++) expect(pickSlowBody(vector(), sight, random)).toBe(1);
  });
});

describe('the tower that stack bots build', () => {
  const level = (n: number): [number, number, number] => [TOWER_X, (n + 0.5) * CUBE_SIZE, TOWER_Z];

  test('a player takes a cube only in its turn', () => {
    const hands = [0, 1].map((slot) => {
      const sight = sightOf(level(0), [0, 0.25, 0], [-1, 0.25, 0], [1, 0.25, 0]);
      const bot = createBot('stack', { slot: slot as Slot, players: 2, random: new Random(1) });
      const input = playerInput();
      let closed = false;
      for (let tick = 0; tick < 200; tick++) {
        bot.act(tick, sight, input);
        closed ||= input.hands[RIGHT].grip === 1;
      }
      return closed;
    });
    // One cube stands: it is the guest's turn.
    expect(hands).toEqual([false, true]);
  });

  test('the cube that it points at is free: not in the tower, nothing lies on it, and nothing hides it', () => {
    const sight = sightOf([0, 0.25, 0], [0, 0.75, 0], [-2, 0.25, 0]);
    sight.records.hold[2] = holdOf(RIGHT);
    const bot = createBot('stack', { slot: 0 as Slot, players: 2, random: new Random(1) });
    const input = playerInput();
    for (let tick = 0; tick < 45; tick++) bot.act(tick, sight, input);
    const { position, rotation } = input.hands[RIGHT].pose;
    // The upper of the two: the ray from the hand passes through its middle.
    const far = distance(position, vector(0, 0.75, 0));
    const along = [
      -2 * (rotation.x * rotation.z + rotation.w * rotation.y),
      -2 * (rotation.y * rotation.z - rotation.w * rotation.x),
      -(1 - 2 * (rotation.x ** 2 + rotation.y ** 2)),
    ];
    const end = vector(position.x + along[0] * far, position.y + along[1] * far, position.z + along[2] * far);
    expect(distance(end, vector(0, 0.75, 0))).toBeLessThan(1e-3);
  });
});
