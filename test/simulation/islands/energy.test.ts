import { expect, test } from 'vitest';
import { GRAVITY } from '../../../src/core/base/constants.ts';
import { vector } from '../../../src/core/base/math.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import type { Stage } from '../../support/stage.ts';
import { CUBES, setStage } from '../../support/stage.ts';

const CHAIN = CUBES.slice(0, 3);
/** Kilograms times square metres: a cube of half a metre and a kilogram. */
const INERTIA = 0.5 ** 2 / 6;

/** Joules: the energy of the chain in the engine of a player, above that of hanging still. */
function energyAt(stage: Stage, slot: number): number {
  const { motion } = stage.guest(slot).peer.state.bodies;
  return CHAIN.reduce((sum, cube) => {
    const at = cube * STRIDE;
    const squares = (from: number): number =>
      motion[from] ** 2 + motion[from + 1] ** 2 + motion[from + 2] ** 2;
    const high = motion[at + 1] - stage.level.bodies[cube].start.position.y;
    return sum + GRAVITY * high + squares(at + 7) / 2 + (INERTIA * squares(at + 10)) / 2;
  }, 0);
}

test('[J2.1] a chain that swings and changes hands gains no energy', { timeout: 120_000 }, async () => {
  const stage = await setStage({
    guests: 2,
    cubes: [0, 1, 2].map((i) => [0, 6 - i * 0.7, 0] as const),
    chained: 3,
    chain: { isHung: true },
  });
  stage.host.peer.act({ kind: 'velocity', body: CHAIN[2], linear: vector(4, 0, 1), angular: vector() });
  stage.letPass(1);
  let [most, changes] = [0, 0];
  for (let round = 0; round < 16; round++) {
    const [from, to] = round % 2 === 0 ? [stage.guest(2), stage.guest(1)] : [stage.guest(1), stage.guest(2)];
    from.peer.act({ kind: 'keep', body: CHAIN[0], on: false });
    stage.letPass(0.4);
    const before = energyAt(stage, round === 0 ? 0 : from.slot);
    to.peer.act({ kind: 'keep', body: CHAIN[1], on: true });
    stage.letPass(0.4);
    if (stage.host.says(CHAIN[2]).authority === to.slot) changes++;
    const gained = energyAt(stage, to.slot) / before - 1;
    most = Math.max(most, gained);
  }
  expect(changes).toBe(16);
  expect(most, 'the greatest gain of a change').toBeLessThan(0.01);
});
