import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import {
  ANY_UPDATE,
  BLOCK_NODES,
  NUMBER_BLOCKS,
  CONTEXTS,
  HEADER_NUMBER,
} from '../../../src/core/wire/coder/contexts.ts';
import { COUNTS_FROM, PRIORS } from '../../../src/core/wire/coder/priors.ts';
import type { Coder } from '../../../src/core/wire/coder/range-coder.ts';
import { bitsFor } from '../../../src/core/base/bits.ts';
import { afterOne, afterZero, MAX_NUMBER } from '../../../src/core/wire/coder/range-coder.ts';
import { RangeReader } from '../../../src/core/wire/coder/range-reader.ts';
import { RangeWriter } from '../../../src/core/wire/coder/range-writer.ts';
import { forSeeds } from '../../support/seeds.ts';

/** Makes the same calls to a writer or a reader; returns the values written or read. */
function talk(c: Coder, random: Random, length: number): number[] {
  return Array.from({ length }, () => {
    const count = random.below(33);
    const high = random.below(100_000);
    const size = random.below(MAX_NUMBER + 1) >> random.below(20);
    switch (random.below(4)) {
      case 0:
        return c.bit(random.below(CONTEXTS), random.chance(0.02) ? 1 : 0);
      case 1:
        return c.bits(Math.floor(random.next() * 2 ** count), count);
      case 2:
        return c.range(random.below(high + 1) - 50, -50, high - 50);
      default:
        return c.number(HEADER_NUMBER, random.below(4), random.below(3), random.chance(0.5) ? size : -size);
    }
  });
}

function written(seed: number, length: number): { bytes: Uint8Array; said: number[]; bits: number } {
  const w = new RangeWriter(40_000);
  const said = talk(w, new Random(seed), length);
  return { said, bits: w.written, bytes: w.finish().slice() };
}

describe('[W1] a range coder', () => {
  test('reads what it wrote, to the end, and counts the bits that it takes', () => {
    forSeeds(0, 399, (seed) => {
      const { bytes, said, bits } = written(seed, seed);
      const r = new RangeReader();
      r.start(bytes);
      expect(talk(r, new Random(seed), seed)).toEqual(said);
      expect(r.atEnd()).toBe(true);
      expect(bytes.length * 8).toBeLessThanOrEqual(bits + 9);
    });
  });

  test('[W1.2] has only one valid end: shorter, longer or other bytes are refused', () => {
    forSeeds(0, 299, (seed) => {
      const { bytes, said } = written(seed, 3 + (seed % 40));
      const others = [bytes.slice(0, -1), Uint8Array.from([...bytes, 0]), Uint8Array.from([...bytes, 1])];
      if (bytes.length > 0) {
        const last = bytes[bytes.length - 1];
        for (const other of [last - 1, last + 1, last ^ 0x80])
          others.push(Uint8Array.from([...bytes.slice(0, -1), other & 0xff]));
      }
      for (const other of others) {
        if (other.length === bytes.length && other.every((byte, i) => byte === bytes[i])) continue;
        const r = new RangeReader();
        r.start(other);
        const read = talk(r, new Random(seed), said.length);
        const alike = read.every((value, i) => value === said[i]);
        expect(alike && r.atEnd(), [...other].join()).toBe(false);
      }
    });
  });

  test('has a prior for each context, and for each block from where its bits are counted', () => {
    expect([PRIORS.length, COUNTS_FROM.length]).toEqual([CONTEXTS, NUMBER_BLOCKS]);
    for (const prior of PRIORS) expect(prior > 0 && prior < 2 ** 15).toBe(true);
    for (const from of COUNTS_FROM) expect(from).toBeLessThan(2 * BLOCK_NODES);
    // A block that asks for 0 first and has its middle at 0 would ask twice, and a reader's walk down would not end.
    expect(COUNTS_FROM).not.toContain(1);
  });

  test('numbers of every count of bits, in any block', () => {
    for (let block = 0; block < NUMBER_BLOCKS; block++) {
      const w = new RangeWriter(200);
      const r = new RangeReader();
      const kind = { block, signs: 0 };
      const numbers = [0, ...Array.from({ length: 23 }, (_, bits) => 2 ** bits), -MAX_NUMBER, MAX_NUMBER];
      for (const number of numbers) w.number(kind, 0, 1, number);
      r.start(w.finish());
      expect(numbers.map(() => r.number(kind, 0, 1))).toEqual(numbers);
      expect(r.atEnd()).toBe(true);
    }
  });

  test('reads numbers in range from any bytes, in any block', () => {
    forSeeds(1, 20, (seed) => {
      const random = new Random(seed);
      for (let block = 0; block < NUMBER_BLOCKS; block++) {
        const r = new RangeReader();
        r.start(Uint8Array.from({ length: 40 }, () => random.below(256)));
        const numbers = Array.from({ length: 50 }, () => r.number({ block, signs: 0 }, 0, 0));
        expect(numbers.every((number) => Math.abs(number) <= MAX_NUMBER)).toBe(true);
      }
    });
  });

  test('moves both probabilities of a context towards the bit, each by its share of the distance', () => {
    const halves = [0, 1, 15, 16, 127, 128, 0x4000, 0x7fff, 0x8000];
    for (const fast of halves)
      for (const slow of halves) {
        const model = (fast << 16) | slow;
        const one = ((fast + ((0x8000 - fast) >> 4)) << 16) | (slow + ((0x8000 - slow) >> 7));
        expect(afterOne(model)).toBe(one);
        expect(afterZero(model)).toBe(((fast - (fast >> 4)) << 16) | (slow - (slow >> 7)));
      }
  });

  test('gives a likely bit a small fraction of a bit', () => {
    const w = new RangeWriter(1000);
    for (let i = 0; i < 2000; i++) w.bit(ANY_UPDATE, 1);
    expect(w.written).toBeLessThan(60);
  });

  test('carries over any number of bytes', () => {
    // Values of 255 lie at the upper end of the interval, where carries occur.
    for (let length = 1; length < 40; length++) {
      const w = new RangeWriter(1000);
      for (let i = 0; i < length; i++) w.bits(255, 8);
      w.bits(0, 1);
      const bytes = w.finish().slice();
      const r = new RangeReader();
      r.start(bytes);
      for (let i = 0; i < length; i++) expect(r.bits(0, 8)).toBe(255);
      expect([r.bits(0, 1), r.atEnd()]).toEqual([0, true]);
    }
  });

  test.each([
    ['more than fits', (w: RangeWriter) => w.bits(4, 2)],
    ['less than nothing', (w: RangeWriter) => w.bits(-1, 8)],
    ['a fraction', (w: RangeWriter) => w.bits(0.5, 8)],
    ['what is not a number', (w: RangeWriter) => w.number(HEADER_NUMBER, 0, 0, NaN)],
    ['a number that is not small', (w: RangeWriter) => w.number(HEADER_NUMBER, 0, 0, MAX_NUMBER + 1)],
    ['below a range', (w: RangeWriter) => w.range(4, 5, 9)],
    ['above a range, though the bits would hold it', (w: RangeWriter) => w.range(3, 0, 2)],
  ])('asserts: %s', (_, write) => {
    expect(() => write(new RangeWriter(20))).toThrow();
  });

  test('[W6.1] reads any bytes, and none, without an error, and 0 once it has failed', () => {
    const random = new Random(3);
    for (let run = 0; run < 300; run++) {
      const r = new RangeReader();
      r.start(Uint8Array.from({ length: random.below(30) }, () => random.below(256)));
      talk(r, random, 300);
      r.fail();
      expect([r.bits(0, 20), r.bit(ANY_UPDATE), r.failed, r.atEnd()]).toEqual([0, 0, true, false]);
    }
  });

  test('bits hold the highest number', () => {
    expect([0, 1, 2, 3, 4, 255, 256].map(bitsFor)).toEqual([0, 1, 2, 2, 3, 8, 9]);
  });
});
