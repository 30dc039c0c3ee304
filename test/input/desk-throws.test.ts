import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { RIGHT } from '../../src/core/base/ids.ts';
import { TICK_MS, TICK_RATE } from '../../src/core/base/constants.ts';
import type { Vector } from '../../src/core/base/math.ts';
import { addScaled, distance, length, vector } from '../../src/core/base/math.ts';
import type { HandCommand } from '../../src/core/hands/player-hands.ts';
import { PlayerHand } from '../../src/core/hands/player-hands.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { DeskPlayer } from '../../src/input/desk-player.ts';
import { floatingSimulation } from '../support/bodiless.ts';
import { CUBE_BOUNDS } from '../support/held-bounds.ts';

const world = floatingSimulation(createLevel({ id: 'grid', seed: 1, count: 1 }));

function player(): DeskPlayer {
  const desk = new DeskPlayer({ position: vector(0, 1.6, 3), yaw: 0, pitch: 0 });
  desk.setLens(Math.PI / 3, 1);
  return desk;
}

/** The pointer's place in a flick: it rests, then goes faster and faster to the right. */
function flick(ms: number): number {
  return ms < 140 ? 0 : ((ms - 140) / 100) ** 2;
}

/** The hand's place at that moment, while its player stands or walks to the left. */
function handAt(ms: number, walking: number): Vector {
  const desk = player();
  desk.point(flick(ms), 0);
  desk.beginFrame(0);
  const { x, y, z } = desk.sample(0).hands[RIGHT].pose.position;
  return vector(x - (walking * ms) / 1000, y, z);
}

/** The velocity of a throw by a flick that ends at `liftMs`, with frames every `frameMs`. */
function thrown(frameMs: number, liftMs: number, walking = false): Vector {
  const desk = player();
  const hand = new PlayerHand(RIGHT, CUBE_BOUNDS, TICK_RATE);
  desk.point(0, 0, 0);
  desk.grip(true);
  if (walking) desk.walk(-1, 0);
  // Long enough for an even walking speed.
  for (let i = -60; i <= 0; i++) desk.beginFrame(i * TICK_MS);
  let [ticks, lifted] = [0, false];
  let seen = 0;
  for (let now = frameMs; ; now += frameMs) {
    for (; seen + 4 <= Math.min(now, liftMs); seen += 4) desk.point(flick(seen + 4), 0, seen + 4);
    if (now >= liftMs && !lifted) {
      lifted = true;
      desk.point(flick(liftMs), 0, liftMs);
      desk.grip(false);
      // The mouse's later movement does not belong to the throw.
      desk.point(-1, 0, (liftMs + now) / 2);
    }
    desk.beginFrame(now);
    while ((ticks + 1) * TICK_MS <= now) {
      const input = desk.sample(++ticks * TICK_MS);
      const [mine, time] = [input.hands[RIGHT], ticks - input.age];
      if (hand.held < 0) hand.hold(0 as BodyId, mine.pose, mine, time);
      const command: HandCommand = hand.update(mine, time, world);
      if (command.kind === 'release') return command.linear;
    }
  }
}

describe('[G3] a flick of the mouse or of a finger', () => {
  test.each([
    [8, 236],
    [1000 / 60, 240],
    [50, 233],
    [100, 215],
    [100, 245],
  ])('[G3.1] in frames %d ms apart throws as fast as it was in the last 50 ms', (frameMs, liftMs) => {
    const way = addScaled(handAt(liftMs, 0), handAt(liftMs - 50, 0), -1, vector());
    const real = addScaled(vector(), way, 1 / 0.05, vector());
    expect(length(real)).toBeGreaterThan(0.5);
    expect(distance(thrown(frameMs, liftMs), real) / length(real)).toBeLessThan(0.05);
  });

  test('while the player walks is as even as when it stands', () => {
    const still = thrown(100, 233);
    const walking = thrown(100, 233, true);
    expect(distance(walking, addScaled(still, vector(1, 0, 0), -2.5, vector()))).toBeLessThan(0.1);
  });
});
