import { expect, test } from 'vitest';
import { RateLimit } from '../../../src/transport/guard/rate-limit.ts';

test('so many are taken at once, and so many more each second, and never more than at the beginning', () => {
  const limit = new RateLimit(3, 2);
  expect([1, 2, 3, 4].map(() => limit.take(0))).toEqual([true, true, true, false]);
  expect([limit.take(499), limit.take(500), limit.take(501)]).toEqual([false, true, false]);
  expect(limit.left(1e9)).toBe(3);
});

test('many are taken together or not at all, and a clock that steps back gives nothing', () => {
  const limit = new RateLimit(10, 1);
  expect([limit.take(5000, 8), limit.take(5000, 3), limit.take(5000, 2)]).toEqual([true, false, true]);
  expect([limit.take(1000), limit.take(5999), limit.take(6000)]).toEqual([false, false, true]);
});
