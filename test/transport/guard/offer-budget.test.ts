import { describe, expect, test } from 'vitest';
import { OfferBudget } from '../../../src/transport/guard/offer-budget.ts';

/** As at a door. */
const AT_ONCE = 16;
const PER_SECOND = 2;

/** Pages offer in turn, so many offers a second in all. @returns how many of each second were accepted. */
function flood(budget: OfferBudget, pages: number, perSecond: number, seconds: number): number[] {
  return Array.from({ length: seconds }, (_, second) => {
    let accepted = 0;
    for (let i = 0; i < perSecond; i++) {
      const count = second * perSecond + i;
      if (budget.take(`flood ${count % pages}`, (count * 1000) / perSecond)) accepted++;
    }
    return accepted;
  });
}

describe('a budget of offers', () => {
  test('accepts so many at once from different pages, and so many more each second', () => {
    const budget = new OfferBudget(AT_ONCE, PER_SECOND);
    const accepted = flood(budget, 100_000, 140, 60);
    const sum = accepted.reduce((a, b) => a + b);
    expect(accepted[0]).toBeGreaterThanOrEqual(AT_ONCE);
    expect(sum).toBeLessThanOrEqual(AT_ONCE + 60 * PER_SECOND);
    expect(sum).toBeGreaterThan(AT_ONCE + 55 * PER_SECOND);
  });

  test.each([1, 4, 16])('%i pages that flood leave room for a newcomer, and for its second try', (pages) => {
    for (const everyMs of [10, 250]) {
      const budget = new OfferBudget(AT_ONCE, PER_SECOND);
      const accepted: boolean[] = [];
      let count = 0;
      // A friend tries twice, and after it another, each between two moments at which a token is new.
      const friends = new Map([
        [20_300, 'a friend'],
        [24_300, 'a friend'],
        [28_300, 'another friend'],
      ]);
      for (let nowMs = 0; nowMs < 30_000; nowMs += 10) {
        if (nowMs % everyMs === 0) budget.take(`flood ${count++ % pages}`, nowMs);
        const friend = friends.get(nowMs);
        if (friend !== undefined) accepted.push(budget.take(friend, nowMs));
      }
      expect(accepted).toEqual([true, true, true]);
    }
  });

  test('[F3.7] lets a page by itself try every two seconds for half a minute, not much faster, and then forgets', () => {
    const budget = new OfferBudget(AT_ONCE, PER_SECOND);
    const tries = Array.from({ length: 15 }, (_, i) => budget.take('a friend', i * 2000));
    expect(tries.filter(Boolean)).toHaveLength(15);
    const fast = Array.from({ length: 30 }, (_, i) => budget.take('a fast page', 100_000 + i * 1000));
    expect(fast.filter(Boolean)).toHaveLength(16);
    expect(budget.take('a fast page', 160_000)).toBe(true);
  });

  test('remembers no more pages than it has accepted in half a minute', () => {
    const budget = new OfferBudget(AT_ONCE, PER_SECOND);
    flood(budget, 100_000, 140, 300);
    expect(budget.pages).toBeLessThanOrEqual(AT_ONCE + 30 * PER_SECOND);
    budget.take('later', 400_000);
    expect(budget.pages).toBe(1);
  });
});
