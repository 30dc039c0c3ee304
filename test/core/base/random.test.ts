import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';

function draw(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.next());
}

describe('Random', () => {
  test('gives the numbers of mulberry32, the same on every machine', () => {
    expect(draw(new Random(0), 3)).toEqual([0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]);
  });

  test('counts the low 32 bits of a seed, and each seed has its own numbers', () => {
    expect(draw(new Random(7), 8)).toEqual(draw(new Random(2 ** 32 + 7), 8));
    expect(draw(new Random(-1), 8)).toEqual(draw(new Random(2 ** 32 - 1), 8));
    expect(draw(new Random(7), 8)).not.toEqual(draw(new Random(8), 8));
  });

  test('next spreads evenly over [0, 1)', () => {
    const numbers = draw(new Random(11), 20_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = new Array<number>(10).fill(0);
    for (const number of numbers) tenths[Math.floor(number * 10)]++;
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test('between stays within its ends', () => {
    const random = new Random(12);
    const numbers = Array.from({ length: 2000 }, () => random.between(-3, 5));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-3);
    expect(Math.min(...numbers)).toBeLessThan(-2.9);
    expect(Math.max(...numbers)).toBeLessThan(5);
    expect(Math.max(...numbers)).toBeGreaterThan(4.9);
  });

  test('below gives every whole number under its limit, and no other', () => {
    const random = new Random(13);
    const seen = new Set(Array.from({ length: 500 }, () => random.below(6)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('chance is never true at 0, always at 1, and sometimes between', () => {
    const random = new Random(14);
    const hits = (probability: number): number =>
      Array.from({ length: 2000 }, () => random.chance(probability)).filter(Boolean).length;
    expect(hits(0)).toBe(0);
    expect(hits(1)).toBe(2000);
    expect(Math.abs(hits(0.3) - 600)).toBeLessThan(100);
  });

  test('a fork draws its own numbers, and leaves the draws of its parent alone', () => {
    const [parent, twin] = [new Random(15), new Random(15)];
    const [fork, same] = [parent.fork(), twin.fork()];
    const drawn = draw(fork, 100);
    expect(drawn).toEqual(draw(same, 100));
    draw(same, 1000);
    const own = draw(parent, 100);
    expect(own).toEqual(draw(twin, 100));
    expect(own).not.toEqual(drawn);
  });
});
