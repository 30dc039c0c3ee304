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

test('[S7] the next player in a slot may spawn as much at once as any', () => {
  const budget = new SpawnBudget(0.5, TICK_RATE);
  budget.spend(SLOT);
  expect(budget.allows(SLOT, 1)).toBe(false);
  budget.renew(SLOT);
  expect(budget.allows(SLOT, 2)).toBe(true);
});
