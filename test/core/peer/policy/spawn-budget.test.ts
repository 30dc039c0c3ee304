import { expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { SpawnBudget } from '../../../../src/core/peer/policy/spawn-budget.ts';

const SLOT = 2 as Slot;

test.each([
  [0, 0],
  [0.5, 5],
  [1, 10],
  [3, 32],
])('[S5.1] with %f spawns a second a player spawns %d bodies in ten seconds', (perSecond, most) => {
  const budget = new SpawnBudget(perSecond, TICK_RATE);
  let spawned = 0;
  for (let tick = 0; tick < 10 * TICK_RATE; tick++) {
    if (!budget.allows(SLOT, tick)) continue;
    budget.spend(SLOT);
    spawned++;
  }
  expect(spawned).toBe(most);
});

test.each([
  [0.5, 0],
  [3, 3],
])('[S7] with %f a second the next player in a slot may spawn %d bodies at once', (perSecond, most) => {
  const budget = new SpawnBudget(perSecond, TICK_RATE);
  budget.spend(SLOT);
  budget.renew(SLOT);
  let spawned = 0;
  for (; budget.allows(SLOT, 0); spawned++) budget.spend(SLOT);
  expect(spawned).toBe(most);
});
