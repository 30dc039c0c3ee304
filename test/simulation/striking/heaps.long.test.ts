import { expect, test } from 'vitest';
import type { Heaps } from './heaps.ts';
import { flingHeaps } from './heaps.ts';

const SEEDS = Array.from({ length: 24 }, (_, i) => 501 + i);

function medianTicks(heaps: readonly Heaps[]): number {
  const ticks = heaps.map((each) => each.ticks).sort((a, b) => a - b);
  return (ticks[ticks.length / 2 - 1] + ticks[ticks.length / 2]) / 2;
}

async function flingAll(strikes: boolean): Promise<Heaps[]> {
  const heaps: Heaps[] = [];
  for (const each of SEEDS) heaps.push(await flingHeaps(each, strikes));
  return heaps;
}

test('[A14.4] heaps flung into each other rest as soon as without blows', { timeout: 600_000 }, async () => {
  const [without, struckHeaps] = [await flingAll(false), await flingAll(true)];
  const [plain, struck] = [medianTicks(without), medianTicks(struckHeaps)];
  const most = Math.max(...struckHeaps.map(({ mostChangesInASecond }) => mostChangesInASecond));
  console.info(
    `heaps 501 to 524: median ${plain} ticks without blows, ${struck} with; ${most} changes of hands a second at most`,
  );
  expect(struck / plain).toBeGreaterThan(0.9);
  expect(struck / plain).toBeLessThan(1.1);
  expect(most).toBeLessThanOrEqual(4);
});
