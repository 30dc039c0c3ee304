import { expect, test } from 'vitest';
import { TokenBucket } from '../../../src/core/link/token-bucket.ts';

test('so many are taken at once, and so many more each second, and never more than at the beginning', () => {
  const bucket = new TokenBucket(3, 2);
  expect([1, 2, 3, 4].map(() => bucket.take(0))).toEqual([true, true, true, false]);
  expect([bucket.take(499), bucket.take(500), bucket.take(501)]).toEqual([false, true, false]);
  expect([bucket.has(1e9, 3), bucket.has(1e9, 3.01)]).toEqual([true, false]);
});

test('many are taken together or not at all, and a clock that steps back gives nothing', () => {
  const bucket = new TokenBucket(10, 1);
  expect([bucket.take(5000, 8), bucket.take(5000, 3), bucket.take(5000, 2)]).toEqual([true, false, true]);
  expect([bucket.take(1000), bucket.take(5999), bucket.take(6000)]).toEqual([false, false, true]);
});

test('a clock that is no number for once gives nothing, and takes nothing for good', () => {
  const bucket = new TokenBucket(1, 1);
  expect([bucket.take(Number.NaN), bucket.take(Number.NaN)]).toEqual([true, false]);
  expect([bucket.take(0), bucket.take(5000)]).toEqual([true, true]);
});

test('in ticks, a token is there in the very tick in which it is due', () => {
  const bucket = new TokenBucket(1, 10, 60);
  const taken = Array.from({ length: 600 }, (_, tick) => tick).filter((tick) => bucket.take(tick));
  expect(taken).toEqual(Array.from({ length: 100 }, (_, i) => 6 * i));
});
