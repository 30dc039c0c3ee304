import { describe, expect, test } from 'vitest';
import { STRIDE } from '../../src/core/base/state.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import type { Stage } from '../support/stage.ts';
import { CUBES, RIGHT, setStage } from '../support/stage.ts';

const [first, second] = CUBES;

/**
 * Both guests carry their cubes to the same start, side by side and `gap` metres apart, so that they overlap.
 */
async function setOverlapping(latencyMs: number, gap: number): Promise<Stage> {
  const cubes = [
    [-1, 0.25, 0],
    [1, 0.25, 0],
  ] as const;
  const stage = await setStage({ guests: 2, cubes, latencyMs });
  stage.guest(1).grabs(first);
  stage.guest(2).grabs(second);
  stage.letPass(0.5);
  for (let tick = 0; tick < 120; tick++) {
    stage.guest(1).input.hands[RIGHT].pose.position.x -= 9 / 120;
    const { position } = stage.guest(2).input.hands[RIGHT].pose;
    position.x -= 11 / 120;
    position.z += gap / 120;
    stage.tick();
  }
  stage.letPass(0.5);
  return stage;
}

/** Both throw along x in the same tick. */
function throwBoth(stage: Stage, speed: number): void {
  for (let tick = 0; tick < 13; tick++) {
    for (const slot of [1, 2]) {
      stage.guest(slot).input.hands[RIGHT].pose.position.x += speed / 60;
      if (tick === 12) stage.guest(slot).releases();
    }
    stage.tick();
  }
}

function xOf(stage: Stage, slot: number): number {
  return stage.guest(slot).peer.state.bodies.motion[(slot - 1) * STRIDE];
}

describe('[A10] cubes of two players that overlap as they fly', () => {
  test.each([
    [30, 4, 0.1],
    [60, 4, 0.1],
    [60, 6, 0.1],
    [100, 6, 0.1],
  ])('[A10.1] %i ms apart, at %f m/s and %f m: do not drive each other on', async (latencyMs, speed, gap) => {
    const stage = await setOverlapping(latencyMs, gap);
    throwBoth(stage, speed);
    const start = xOf(stage, 1);
    stage.letPass(4);
    // Friction of 0.6 stops a cube alone after v² / 12. Added to that: a quarter of a second in which neither
    // gives way, and a tumble.
    const alone = (speed * speed) / 12;
    for (const slot of [1, 2])
      expect(xOf(stage, slot) - start).toBeLessThan(alone + speed * 0.4 + 1.5 * CUBE_SIZE);
    stage.letAllRest();
    expect(stage).toAgree();
  });
});

describe('[A10] a knock', () => {
  test.each([
    [1, 2],
    [2, 1],
  ])('[A10.1] of a cube of guest %i still moves an awake one of guest %i', async (thrower, other) => {
    const cubes = [
      [0, 0.25, 0],
      [3, 0.25, 0],
    ] as const;
    const stage = await setStage({ guests: 2, cubes, latencyMs: 30 });
    stage.guest(other).grabs(second);
    stage.guest(thrower).grabs(first);
    stage.letPass(0.3);
    stage.guest(other).releases();
    stage.letPass(0.1);
    stage.guest(thrower).throws([7, 0, 0]);
    stage.letPass(1.5);
    expect(stage.guest(other).says(second).position[0]).toBeGreaterThan(3.1);
    stage.letAllRest();
    expect(stage).toAgree();
  });

  test('[A10.2] a cube that one player sets down on a cube that another has just set down stays on it', async () => {
    const cubes = [
      [0, 0.25, 0],
      [3, 0.25, 0],
    ] as const;
    const stage = await setStage({ guests: 2, cubes, latencyMs: 60 });
    stage.guest(1).grabs(first);
    stage.guest(2).grabs(second);
    stage.letPass(0.3);
    stage.guest(2).moves([0, 1, 0], 0.8);
    stage.guest(2).moves([-3, 0, 0], 1);
    stage.guest(2).moves([0, -0.28, 0], 1);
    stage.guest(1).releases();
    stage.guest(2).releases();
    stage.letPass(0.5);
    expect([stage.host.says(first).authority, stage.host.says(second).authority]).toEqual([1, 2]);
    stage.letAllRest();
    expect(stage.host.says(second).position[1]).toBeCloseTo(0.75, 1);
    expect(stage).toAgree();
  });
});
