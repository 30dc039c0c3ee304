import { describe, expect, test } from 'vitest';
import { playRally } from './rally.ts';

/** Seconds in which the bots have come to twenty blows. */
const SECONDS = 30;
/** Ticks between a blow and the next of a rally, at most. */
const FLIGHT = 120;
/** Ticks: 50 ms. */
const AT_ONCE = 3;

/** The most blows in a row, each by the other player. */
function longestRally(blows: readonly (readonly number[])[]): number {
  const all = blows.flatMap((ticks, slot) => ticks.map((tick) => ({ tick, slot })));
  let [longest, count] = [0, 0];
  let before = { tick: -FLIGHT, slot: -1 };
  for (const blow of all.sort((a, b) => a.tick - b.tick)) {
    const goesOn = blow.tick - before.tick < FLIGHT && blow.slot !== before.slot;
    count = goesOn ? count + 1 : 1;
    longest = Math.max(longest, count);
    before = blow;
  }
  return longest;
}

describe('[A14] a rally between the host and a guest', () => {
  test.each([
    [0, 20],
    [50, 20],
    [100, 20],
    // With 400 ms there and back these bots miss the ball earlier.
    [200, 12],
  ])('[A14.2] %i ms one way: %i blows', async (latencyMs, least) => {
    const players = await playRally(latencyMs, SECONDS);
    expect(longestRally(players.map(({ blows }) => blows))).toBeGreaterThanOrEqual(least);
    for (const { blows, answers, longest, turns } of players) {
      // The struck ball is on its way back at once on the striker's screen.
      expect(answers.length).toBeGreaterThanOrEqual(blows.length - 1);
      expect(Math.max(...answers)).toBeLessThanOrEqual(AT_ONCE);
      // Each player sees the ball go to and fro, and nowhere jump.
      expect(turns).toBeGreaterThanOrEqual(least);
      expect(longest).toBeLessThan(1);
    }
  });
});
