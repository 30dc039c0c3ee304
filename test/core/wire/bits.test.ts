import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { bitsFor, BitReader, BitWriter } from '../../../src/core/wire/bits.ts';

function readerOf(bytes: Uint8Array): BitReader {
  const reader = new BitReader();
  reader.start(bytes);
  return reader;
}

describe('bits', () => {
  test('go from the least significant up, in bytes and in numbers', () => {
    const w = new BitWriter(4);
    w.write(0b1, 1);
    w.write(0b0110, 4);
    w.write(0x1ff, 9);
    expect([...w.finish()]).toEqual([0b111_0110_1, 0b00_111111]);
    expect(w.bits).toBe(14);
  });

  test('any numbers of any width come back', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed);
      const w = new BitWriter(1000);
      const written = Array.from({ length: 100 }, () => {
        const count = 1 + random.below(32);
        const value = random.chance(0.2) ? 2 ** count - 1 : random.below(2 ** count);
        w.write(value, count);
        return [value, count];
      });
      const r = readerOf(w.finish());
      expect(written.map(([, count]) => [r.read(count), count])).toEqual(written);
      expect([r.atEnd(), r.failed]).toEqual([true, false]);
    }
  });

  test.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [63, 6],
    [64, 7],
    [2047, 11],
    [524286, 19],
    [0xffffffff, 32],
  ])('0 to %i takes %i bits', (highest, bits) => {
    expect(bitsFor(highest)).toBe(bits);
  });

  test('ranges come back at both ends, negative ones too', () => {
    const w = new BitWriter(32);
    const ends = [
      [-5, -5, 9],
      [9, -5, 9],
      [0, 0, 0],
      [-262143, -262143, 262143],
      [262143, -262143, 262143],
    ];
    for (const [value, low, high] of ends) w.writeRange(value, low, high);
    const r = readerOf(w.finish());
    expect(ends.map(([, low, high]) => r.readRange(low, high))).toEqual(ends.map(([value]) => value));
    expect(r.failed).toBe(false);
  });
});

describe('the writer asserts', () => {
  test.each([
    ['more than fits', (w: BitWriter) => w.write(4, 2)],
    ['less than nothing', (w: BitWriter) => w.write(-1, 8)],
    ['a fraction', (w: BitWriter) => w.write(0.5, 8)],
    ['what is not a number', (w: BitWriter) => w.write(NaN, 8)],
    ['infinity', (w: BitWriter) => w.write(Infinity, 32)],
    ['below a range', (w: BitWriter) => w.writeRange(4, 5, 9)],
    ['above a range, though the bits would hold it', (w: BitWriter) => w.writeRange(3, 0, 2)],
    ['beyond the capacity', (w: BitWriter) => w.write(0, 17)],
    ['a rewind to what is not written', (w: BitWriter) => w.rewind(1)],
    ['a rewind to before the start', (w: BitWriter) => w.rewind(-1)],
  ])('%s', (_, write) => {
    expect(() => write(new BitWriter(2))).toThrow();
  });

  test('and goes on after a refusal as if nothing had been', () => {
    const w = new BitWriter(2);
    w.write(5, 3);
    expect(() => w.write(8, 3)).toThrow('8 does not fit 3 bits');
    expect(() => w.write(0, 14)).toThrow('full');
    w.write(7, 3);
    expect([...w.finish()]).toEqual([0b111_101]);
  });

  test('fits says what would', () => {
    const w = new BitWriter(2);
    w.write(0, 9);
    expect([w.fits(7), w.fits(8)]).toEqual([true, false]);
  });
});

describe('rewinding', () => {
  test('leaves what came before, and zeros behind it', () => {
    const random = new Random(3);
    for (let run = 0; run < 500; run++) {
      const [kept, undone, after] = [random.below(40), 1 + random.below(40), 1 + random.below(16)];
      const bit = (i: number): boolean => (i * 7 + run) % 3 === 0;
      const w = new BitWriter(16);
      for (let i = 0; i < kept; i++) w.writeFlag(bit(i));
      for (let i = 0; i < undone; i++) w.writeFlag(true);
      w.rewind(kept);
      w.write(0, after);
      const r = readerOf(w.finish());
      expect(w.bits).toBe(kept + after);
      for (let i = 0; i < kept; i++) expect(r.readFlag()).toBe(bit(i));
      expect(r.read(after)).toBe(0);
      expect(r.atEnd()).toBe(true);
    }
  });

  test('clear leaves nothing', () => {
    const w = new BitWriter(2);
    w.write(0xffff, 16);
    w.clear();
    expect(w.bits).toBe(0);
    w.write(0, 9);
    expect([...w.finish()]).toEqual([0, 0]);
  });
});

describe('[W6] the reader checks', () => {
  test('past the end it fails, gives 0, and never recovers', () => {
    const r = readerOf(Uint8Array.of(0xff));
    expect(r.read(7)).toBe(127);
    expect([r.read(2), r.failed]).toEqual([0, true]);
    expect([r.read(1), r.readFlag(), r.readRange(3, 9), r.failed]).toEqual([0, false, 3, true]);
  });

  test('no bytes at all', () => {
    const r = readerOf(new Uint8Array(0));
    expect([r.atEnd(), r.failed]).toEqual([true, false]);
    expect([r.read(1), r.failed]).toEqual([0, true]);
  });

  test('a number out of its range becomes its lowest, and fails', () => {
    const w = new BitWriter(1);
    w.write(3, 2);
    const r = readerOf(w.finish());
    expect([r.readRange(-1, 1), r.failed]).toEqual([-1, true]);
  });

  test('starting anew forgets a failure', () => {
    const r = readerOf(new Uint8Array(0));
    r.fail();
    r.start(Uint8Array.of(6));
    expect([r.failed, r.read(3)]).toEqual([false, 6]);
  });

  test('the end is there if less than a byte of zeros is left', () => {
    const atEnd = (bytes: number[], read: number): boolean => {
      const r = readerOf(Uint8Array.from(bytes));
      r.read(read);
      return r.atEnd();
    };
    expect(atEnd([0b1], 1)).toBe(true);
    expect(atEnd([0b1], 8)).toBe(true);
    expect(atEnd([0b101], 1)).toBe(false);
    expect(atEnd([0b10000001], 1)).toBe(false);
    expect(atEnd([0xff, 0], 8)).toBe(false);
  });
});
