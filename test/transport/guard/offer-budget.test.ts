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
    for (const perSecond of [4, 140]) {
      const budget = new OfferBudget(AT_ONCE, PER_SECOND);
      // All that were there at the beginning are known by then.
      const seconds = 20;
      flood(budget, pages, perSecond, seconds);
      expect(budget.take('a friend', seconds * 1000)).toBe(true);
      expect(budget.take('another friend', seconds * 1000 + 500)).toBe(true);
      flood(budget, pages, 140, 1);
      expect(budget.take('a friend', seconds * 1000 + 5000)).toBe(true);
    }
  });

  test('lets a page by itself try again, seven times in half a minute, and then forgets', () => {
    const budget = new OfferBudget(AT_ONCE, PER_SECOND);
    const tries = Array.from({ length: 20 }, (_, i) => budget.take('a friend', i * 1500));
    expect(tries.filter(Boolean)).toHaveLength(8);
    expect(budget.take('a friend', 60_000)).toBe(true);
  });

  test('remembers no more pages than it has accepted in half a minute', () => {
    const budget = new OfferBudget(AT_ONCE, PER_SECOND);
    flood(budget, 100_000, 140, 300);
    expect(budget.pages).toBeLessThanOrEqual(AT_ONCE + 30 * PER_SECOND);
    budget.take('later', 400_000);
    expect(budget.pages).toBe(1);
  });
});
