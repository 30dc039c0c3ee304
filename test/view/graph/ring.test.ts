import { expect, test } from 'vitest';
import { Ring } from '../../../src/view/graph/ring.ts';

test('a ring returns the pushed samples by age', () => {
  const ring = new Ring(2, 4);
  ring.push([1, 10]);
  ring.push([2, 20]);
  expect(ring.length).toBe(2);
  expect([ring.at(0, 0), ring.at(1, 0), ring.at(0, 1), ring.at(1, 1)]).toEqual([2, 20, 1, 10]);
});

test('a full ring forgets only the oldest sample', () => {
  const ring = new Ring(1, 3);
  for (let i = 1; i <= 8; i++) ring.push([i]);
  expect(ring.length).toBe(3);
  expect([0, 1, 2].map((age) => ring.at(0, age))).toEqual([8, 7, 6]);
});

test('samples that were never pushed or are forgotten are NaN', () => {
  const ring = new Ring(2, 2);
  expect(ring.at(0, 0)).toBeNaN();
  ring.push([1]);
  expect(ring.at(1, 0)).toBeNaN();
  expect(ring.at(0, 1)).toBeNaN();
  expect(ring.at(0, -1)).toBeNaN();
  ring.push([2, 3]);
  ring.clear();
  expect(ring.length).toBe(0);
  expect(ring.at(0, 0)).toBeNaN();
});

test.each([
  [0, 4],
  [1, 0],
  [1.5, 4],
  [1, NaN],
])('a ring of %d series and %d samples is refused', (series, capacity) => {
  expect(() => new Ring(series, capacity)).toThrow(RangeError);
});
