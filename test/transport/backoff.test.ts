import { expect, test } from 'vitest';
import { Backoff } from '../../src/transport/backoff.ts';

test('pauses double up to the limit, stay there, and begin anew after a success', () => {
  const backoff = new Backoff(500, 5000);
  const pauses = (count: number): number[] => Array.from({ length: count }, () => backoff.next());
  expect(pauses(7)).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000]);
  backoff.reset();
  expect(pauses(2)).toEqual([500, 1000]);
});
