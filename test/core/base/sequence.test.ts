import { describe, expect, test } from 'vitest';
import type { Sequence } from '../../../src/core/base/ids.ts';
import { Random } from '../../../src/core/base/random.ts';
import { advance, ahead, newer, unwrap } from '../../../src/core/base/sequence.ts';

const at = (value: number): Sequence => value as Sequence;

describe('newer', () => {
  test.each([
    [1, 0, true],
    [0, 1, false],
    [0, 0, false],
    [0, 65535, true],
    [65535, 0, false],
    [5, 65530, true],
    [32767, 0, true],
    [0, 32767, false],
    [32769, 0, false],
    [0, 32769, true],
  ])('%i than %i: %s', (a, b, expected) => {
    expect(newer(at(a), at(b))).toBe(expected);
  });

  test('half the range apart, neither is newer', () => {
    expect(newer(at(32768), at(0))).toBe(false);
    expect(newer(at(0), at(32768))).toBe(false);
  });

  test('of two others, exactly one is newer', () => {
    const random = new Random(1);
    for (let i = 0; i < 1000; i++) {
      const a = at(random.below(65536));
      const b = advance(a, 1 + random.below(32767));
      expect([newer(b, a), newer(a, b)]).toEqual([true, false]);
    }
  });
});

describe('ahead', () => {
  test.each([
    [0, 0, 0],
    [3, 1, 2],
    [1, 3, -2],
    [1, 65535, 2],
    [65535, 1, -2],
    [32767, 0, 32767],
    [32768, 0, -32768],
  ])('of %i to %i: %i', (a, b, expected) => {
    expect(ahead(at(a), at(b))).toBe(expected);
  });

  test('agrees with newer, and is the inverse of advance', () => {
    const random = new Random(2);
    for (let i = 0; i < 1000; i++) {
      const from = at(random.below(65536));
      const steps = random.below(65535) - 32767;
      const to = advance(from, steps);
      expect(ahead(to, from)).toBe(steps);
      expect(newer(to, from)).toBe(steps > 0);
    }
  });
});

describe('advance', () => {
  test.each([
    [0, 1, 1],
    [65535, 1, 0],
    [65530, 10, 4],
    [0, -1, 65535],
    [7, 65536, 7],
  ])('%i by %i: %i', (from, steps, expected) => {
    expect(advance(at(from), steps)).toBe(expected);
  });

  test('goes one step unless told otherwise', () => {
    expect(advance(at(41))).toBe(42);
  });
});

describe('unwrap', () => {
  test.each([
    [0, 0, 0],
    [65535, 0, -1],
    [5, 65534, 65541],
    [65534, 65541, 65534],
    [0x8000, 0, -0x8000],
    [0x7fff, 0, 0x7fff],
  ])('%i near %i: %i', (low, reference, expected) => {
    expect(unwrap(low, reference)).toBe(expected);
  });

  test('finds any whole number within half the range of the reference, even after years', () => {
    const random = new Random(3);
    for (let i = 0; i < 1000; i++) {
      const tick = random.below(2 ** 40);
      const reference = tick + random.below(65536) - 32767;
      expect(unwrap(tick % 65536, reference)).toBe(tick);
    }
  });
});
